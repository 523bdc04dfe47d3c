import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** A stream of the process, or a test's. */
export type OutputStream = Writable & { readonly isTTY?: boolean };

/** Where a command writes. On a terminal, control characters are escaped. */
export interface Output {
  readonly isTTY: boolean;
  /** @returns `false` when the caller should wait for `drained` (backpressure). */
  readonly write: (text: string) => boolean;
  /** Resolves when the stream accepts more. */
  readonly drained: (signal: AbortSignal) => Promise<void>;
  /** Writes a terminal control sequence: never external text. */
  readonly control: (sequence: string) => void;
}

/**
 * Control characters except tabs and line feeds, line separators, and bidirectional overrides, which can disguise text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching them is its purpose.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Escapes control characters as JSON does, so that JSON output keeps its meaning. */
function escapeControls(text: string): string {
  return text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function outputOn(stream: OutputStream): Output {
  const isTTY = stream.isTTY === true;
  return {
    isTTY,
    write: (text) => stream.write(isTTY ? escapeControls(text) : text),
    drained: async (signal) => {
      await once(stream, 'drain', { signal });
    },
    control: (sequence) => stream.write(sequence),
  };
}
