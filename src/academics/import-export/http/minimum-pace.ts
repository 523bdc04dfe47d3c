import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** How far a reader may fall behind the minimum pace. */
const behindMaxMs = 10_000;
/** A slow mobile connection is faster. */
const bytesPerSecondMin = 50_000;

export interface MinimumPace {
  readonly behindMaxMs: number;
  readonly bytesPerSecondMin: number;
}

/** Thrown when the reader is slower than the minimum pace, or does not read at all. */
export class TooSlow extends Error {
  constructor() {
    super('The reader is too slow.');
  }
}

/**
 * Creates a function that writes to a stream and waits until it has been read, but no longer than the minimum pace
 * allows: time that the reader was faster counts up to `behindMaxMs`, time of the writer does not count.
 * @throws TooSlow, or the reason of the signal.
 */
export function createPacedWriter(
  stream: Writable,
  pace: MinimumPace = { behindMaxMs, bytesPerSecondMin },
): (content: Buffer, signal: AbortSignal) => Promise<void> {
  let leftMs = pace.behindMaxMs;
  return async (content, signal) => {
    signal.throwIfAborted();
    leftMs = Math.min(pace.behindMaxMs, leftMs + (content.length / pace.bytesPerSecondMin) * 1_000);
    if (stream.write(content)) return;
    const began = performance.now();
    const waiting = new AbortController();
    const stop = (): void => waiting.abort();
    const timer = setTimeout(stop, leftMs);
    signal.addEventListener('abort', stop);
    try {
      await once(stream, 'drain', { signal: waiting.signal });
    } catch (problem) {
      signal.throwIfAborted();
      throw waiting.signal.aborted ? new TooSlow() : problem;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
    leftMs -= performance.now() - began;
  };
}
