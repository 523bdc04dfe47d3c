export const delimiters = [',', ';', '\t'] as const;

export type Delimiter = (typeof delimiters)[number];

export interface Dialect {
  readonly delimiter: Delimiter;
  /** Whether a lone carriage return ends a line, as in files of old spreadsheets; otherwise it is text. */
  readonly endsWithCarriageReturn: boolean;
}

/** Detects the dialect from the first line that is not blank, if `start` contains all of it; a comma wins a tie. */
export function detectDialect(start: string): Dialect | undefined {
  const counts = new Map<string, number>(delimiters.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  let isBlank = true;
  for (let at = 0; at < start.length; at += 1) {
    const character = start.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    const endsWithCarriageReturn = character === '\r' && start[at + 1] !== '\n';
    if (character === '\n' || endsWithCarriageReturn) {
      if (!isBlank) return { delimiter: mostFrequent(counts), endsWithCarriageReturn };
    } else if (counts.has(character)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    isBlank &&= character.trim() === '';
  }
  return undefined;
}

function mostFrequent(counts: ReadonlyMap<string, number>): Delimiter {
  return delimiters.reduce((best, other) => ((counts.get(other) ?? 0) > (counts.get(best) ?? 0) ? other : best));
}
