import { candidatesMax } from './header.ts';
import { normalizedName } from './rows.ts';

export const delimiters = [',', ';', '\t', '|'] as const;

export type Delimiter = (typeof delimiters)[number];

export interface Dialect {
  /** One of `delimiters`, or the one that the file names. */
  readonly delimiter: string;
  /** Whether a lone carriage return ends a line, as in files of old spreadsheets; otherwise it is text. */
  readonly endsWithCarriageReturn: boolean;
}

/** Excel reads and writes it: the delimiter, in a line before the table. */
const delimiterLine = /^"?sep=([\t!#-/:-@[-`{-~])"?[,;\t|]*(\r\n|\r|\n|$)/i;

interface Line {
  /** The text, without delimiters in quotes. */
  readonly text: string;
  readonly end: string;
}

/**
 * Detects the dialect from the first lines, if `start` has all that it takes. The first line says the delimiter itself
 * (`sep=;`), or it is that of the line which has all of the names; else that which most lines have, and often, since titles
 * may be above a table. A comma wins a tie.
 * @param names of columns, normalized.
 * @param isWhole whether nothing follows `start`, or nothing more is to be waited for.
 */
export function detectDialect(start: string, names: readonly string[], isWhole: boolean): Dialect | undefined {
  const [, said, lineEnd] = delimiterLine.exec(start) ?? [];
  if (said !== undefined) return { delimiter: said, endsWithCarriageReturn: lineEnd === '\r' };
  const lines: Line[] = [];
  for (const line of linesOf(start, isWhole)) {
    if (line.text.trim() === '') continue;
    lines.push(line);
    const delimiter = names.length > 0 ? delimiters.find((some) => hasAll(line.text, some, names)) : undefined;
    if (delimiter !== undefined) return dialectOf(delimiter, lines);
    if (lines.length >= candidatesMax) return dialectOf(mostRegular(lines), lines);
  }
  return isWhole ? dialectOf(mostRegular(lines), lines) : undefined;
}

const dialectOf = (delimiter: Delimiter, [first]: readonly Line[]): Dialect => ({
  delimiter,
  endsWithCarriageReturn: first?.end === '\r',
});

/** The lines that end in a text. */
function* linesOf(start: string, isWhole: boolean): Generator<Line> {
  let isQuoted = false;
  let text = '';
  for (const [part] of start.matchAll(/"|\r\n|\r|\n|[^"\r\n]+/g)) {
    if (part === '"') isQuoted = !isQuoted;
    else if (isQuoted) text += part.replaceAll(/[,;\t|]/g, ' ');
    else if (/^[\r\n]/.test(part)) {
      yield { text, end: part };
      text = '';
    } else text += part;
  }
  if (isWhole) yield { text, end: '' };
}

function hasAll(line: string, delimiter: Delimiter, names: readonly string[]): boolean {
  const cells = new Set(line.split(delimiter).map(normalizedName));
  return names.every((name) => cells.has(name));
}

const countOf = (line: string, delimiter: string): number => line.split(delimiter).length - 1;

function mostRegular(lines: readonly Line[]): Delimiter {
  let best: { readonly delimiter: Delimiter; readonly score: number } = { delimiter: delimiters[0], score: 0 };
  for (const delimiter of delimiters) {
    const counts = lines.map(({ text }) => countOf(text, delimiter));
    const score = Math.max(0, ...counts.map((count) => count * counts.filter((other) => other === count).length));
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}
