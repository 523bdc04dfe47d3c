import type { Output } from './output.ts';

/** Tells how far reading is, to people. */
export interface Progress {
  /** @param bytes read so far of all. */
  update(rows: number, bytes: number): void;
  say(sentence: string): void;
  /** Takes away what must not stay on the screen. */
  end(): void;
}

interface ProgressOptions {
  readonly output: Output;
  /** Bytes to read; `undefined` when nobody knows. */
  readonly total: number | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

const barLength = 30;
/** Redrawing more often is no use to eyes. */
const redrawMs = 100;
const lineMs = 1_000;
/** Without a terminal: one line for so many per cent. */
const stepPercent = 10;

/** Output for people: a bar on a terminal, now and then a line elsewhere. */
export function createProgress({ output, total, now = () => performance.now() }: ProgressOptions): Progress {
  return output.isTTY ? barOn(output, total, now) : linesOn(output, total, now);
}

/** Output for programs, which is the result alone. */
export const noProgress: Progress = { update: () => undefined, say: () => undefined, end: () => undefined };

/** A number with commas, easy to read. */
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
    say: (sentence) => {
      output.control(clearLine);
      output.write(`${sentence}\n`);
    },
    end: () => output.control(clearLine),
  };
}

function linesOn(output: Output, total: number | undefined, now: () => number): Progress {
  let told = now();
  let toldPercent = 0;
  return {
    update: (rows, bytes) => {
      const percent = percentOf(bytes, total);
      const isNews = percent === undefined || percent >= toldPercent + stepPercent;
      if (!isNews || now() - told < lineMs) return;
      told = now();
      toldPercent = percent ?? 0;
      output.write(`${readable(rows)} rows read${percent === undefined ? '' : ` (${percent} %)`}\n`);
    },
    say: (sentence) => output.write(`${sentence}\n`),
    end: () => undefined,
  };
}
