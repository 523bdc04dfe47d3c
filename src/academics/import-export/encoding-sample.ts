// Rows that show a person whether the encoding of a file was guessed right.
import { shortened } from '@service/errors';
import { type Encoding, isGuess } from '@service/tabular/text';

interface SampleLine {
  readonly line: number;
  /** The cells that have characters beyond ASCII. */
  readonly text: string;
}

/** The first rows with characters beyond ASCII, of a text whose encoding cannot be known. */
export type EncodingSample = readonly SampleLine[];

const linesMax = 5;
const lengthMax = 200;

/** Collects the first lines with letters beyond ASCII, which show whether the encoding is right. */
export function createEncodingSample() {
  const lines: SampleLine[] = [];
  return {
    add: ({ line, texts }: { readonly line: number; readonly texts: readonly string[] }): void => {
      if (lines.length >= linesMax) return;
      const cells = texts.filter((text) => /[^\0-\x7f]/.test(text));
      if (cells.length > 0) lines.push({ line, text: shortened(cells.join(', '), lengthMax) });
    },
    of: (encoding: Encoding | null): EncodingSample => (isGuess(encoding) ? lines : []),
  };
}
