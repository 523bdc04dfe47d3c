import type { Output } from './output.ts';

/** Progress output for people. */
export interface Progress {
  /** @param bytes read so far of all. */
  update(rows: number, bytes: number): void;
  log(message: string): void;
  /** Clears the progress bar. */
  end(): void;
}

interface ProgressOptions {
  readonly output: Output;
  /** Bytes to read; `undefined` when unknown. */
  readonly total: number | undefined;
  /** Monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

const barLength = 30;
/** Redrawing more often would not be visible. */
const redrawMs = 100;
const lineMs = 1_000;
/** Percent per line of progress without a terminal. */
const stepPercent = 10;

/** Creates progress output: a bar on a terminal, otherwise an occasional line. */
export function createProgress({ output, total, now = () => performance.now() }: ProgressOptions): Progress {
  return output.isTTY ? barOn(output, total, now) : linesOn(output, total, now);
}

/** Shows no progress, for `--json`. */
export const noProgress: Progress = { update: () => undefined, log: () => undefined, end: () => undefined };

/** A number with thousands separators. */
export const readable = (count: number): string => count.toLocaleString('en-US');

function percentOf(bytes: number, total: number | undefined): number | undefined {
  return total === undefined || total === 0 ? undefined : Math.min(100, Math.floor((bytes / total) * 100));
}

function barOn(output: Output, total: number | undefined, now: () => number): Progress {
  const clearLine = '\r\x1b[K';
  let drawn = Number.NEGATIVE_INFINITY;
  return {
    update: (rows, bytes) => {
      if (now() - drawn < redrawMs) return;
      drawn = now();
      const percent = percentOf(bytes, total);
      const filled = Math.round(((percent ?? 0) / 100) * barLength);
      const bar = percent === undefined ? '' : `[${'#'.repeat(filled).padEnd(barLength, '.')}] ${percent} %  `;
      output.control(`${clearLine}${bar}${readable(rows)} rows`);
    },
    log: (message) => {
      output.control(clearLine);
      output.write(`${message}\n`);
    },
    end: () => output.control(clearLine),
  };
}

function linesOn(output: Output, total: number | undefined, now: () => number): Progress {
  let lastMs = now();
  let lastPercent = 0;
  return {
    update: (rows, bytes) => {
      const percent = percentOf(bytes, total);
      const isDue = percent === undefined || percent >= lastPercent + stepPercent;
      if (!isDue || now() - lastMs < lineMs) return;
      lastMs = now();
      lastPercent = percent ?? 0;
      output.write(`${readable(rows)} rows read${percent === undefined ? '' : ` (${percent} %)`}\n`);
    },
    log: (message) => output.write(`${message}\n`),
    end: () => undefined,
  };
}
