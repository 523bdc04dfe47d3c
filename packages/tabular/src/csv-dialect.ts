export const delimiters = [',', ';', '\t'] as const;

export type Delimiter = (typeof delimiters)[number];

export interface Dialect {
  readonly delimiter: Delimiter;
  /** Whether a lone carriage return ends a line, as in files of old spreadsheets; otherwise it is text. */
  readonly endsWithCarriageReturn: boolean;
}

/** Lines among which one has the delimiter: titles stand before it. */
const linesMax = 20;

/**
 * Detects the dialect from the first line that has a delimiter, if `start` contains all of it; a comma wins a tie. The
 * first line that is not blank says how lines end.
 * @param isWhole whether nothing follows, so that a file of one column is one.
 */
export function detectDialect(start: string, isWhole = false): Dialect | undefined {
  const counts = new Map<string, number>(delimiters.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  let isBlank = true;
  let lines = 0;
  let endsWithCarriageReturn = false;
  for (let at = 0; at < start.length; at += 1) {
    const character = start.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    const isReturn = character === '\r' && start[at + 1] !== '\n';
    if (character === '\n' || isReturn) {
      if (!isBlank && lines === 0) endsWithCarriageReturn = isReturn;
      if (!isBlank) lines += 1;
      const delimiter = mostFrequent(counts);
      if ((counts.get(delimiter) ?? 0) > 0 || lines === linesMax) return { delimiter, endsWithCarriageReturn };
      isBlank = true;
    } else if (counts.has(character)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    isBlank &&= character.trim() === '';
  }
  return isWhole && lines > 0 ? { delimiter: mostFrequent(counts), endsWithCarriageReturn } : undefined;
}

function mostFrequent(counts: ReadonlyMap<string, number>): Delimiter {
  return delimiters.reduce((best, other) => ((counts.get(other) ?? 0) > (counts.get(best) ?? 0) ? other : best));
}
