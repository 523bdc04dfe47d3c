import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { escapeControls } from '@service/telemetry/untrusted-text';

/** A stream of the process, or a test's. */
export type OutputStream = Writable & { readonly isTTY?: boolean };

/** The output of a command. On a terminal, control characters are escaped. */
export interface Output {
  readonly isTTY: boolean;
  /** @returns `false` when the caller should wait for `drained` (backpressure). */
  readonly write: (text: string) => boolean;
  /** Resolves when the stream accepts more. */
  readonly drained: (signal: AbortSignal) => Promise<void>;
  /** Writes a terminal control sequence: never external text. */
  readonly control: (sequence: string) => void;
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
