import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** A stream of the process, or a test in its place. */
export type OutputStream = Writable & { readonly isTTY?: boolean };

/** Where a command writes. What would control a terminal is written there as text. */
export interface Output {
  readonly isTTY: boolean;
  /** @returns `false` while the reader is slower than we are. */
  readonly write: (text: string) => boolean;
  /** Resolves when the reader has caught up. */
  readonly drained: (signal: AbortSignal) => Promise<void>;
  /** Writes what shall control the terminal: never text from elsewhere. */
  readonly control: (sequence: string) => void;
}

/**
 * What changes more than the text on a terminal: control characters but tabs and line feeds, line separators, and the
 * overrides of direction that make a text read as another.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: to find them is what it is for.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A text whose control characters are written out as JSON does, so that JSON stays what it is. */
function withoutControls(text: string): string {
  return text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function outputOn(stream: OutputStream): Output {
  const isTTY = stream.isTTY === true;
  return {
    isTTY,
    write: (text) => stream.write(isTTY ? withoutControls(text) : text),
    drained: async (signal) => {
      await once(stream, 'drain', { signal });
    },
    control: (sequence) => stream.write(sequence),
  };
}
