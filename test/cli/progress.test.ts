import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { outputOn } from '../../src/cli/output.ts';
import { createProgress } from '../../src/cli/progress.ts';

/** Progress with recorded output and a manual clock. */
function progressOn({ terminal = false, total }: { terminal?: boolean; total?: number }) {
  const written: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      written.push(chunk);
      done();
    },
  });
  const clock = { ms: 0 };
  const progress = createProgress({
    output: outputOn(Object.assign(stream, { isTTY: terminal })),
    total,
    now: () => clock.ms,
  });
  return { progress, written, clock };
}

describe('progress', () => {
  it('is a bar on a terminal, redrawn at most ten times a second and erased at the end', () => {
    const { progress, written, clock } = progressOn({ terminal: true, total: 2_000 });
    for (const [ms, rows] of [
      [0, 0],
      [50, 500],
      [100, 1_000],
      [300, 2_000],
    ] as const) {
      clock.ms = ms;
      progress.update(rows, rows);
    }
    progress.log('Next.');
    progress.end();

    expect(written).toEqual([
      '\r\x1b[K[..............................] 0 %  0 rows',
      '\r\x1b[K[###############...............] 50 %  1,000 rows',
      '\r\x1b[K[##############################] 100 %  2,000 rows',
      '\r\x1b[K',
      'Next.\n',
      '\r\x1b[K',
    ]);
  });

  it('is a line for every tenth elsewhere, at most one a second', () => {
    const { progress, written, clock } = progressOn({ total: 1_000 });
    for (let bytes = 0; bytes <= 1_000; bytes += 10) {
      clock.ms += 30;
      progress.update(bytes, bytes);
    }
    progress.end();

    expect(written).toEqual(['330 rows read (33 %)\n', '670 rows read (67 %)\n']);
  });

  it('is a line a second when the length is unknown', () => {
    const { progress, written, clock } = progressOn({});
    for (let rows = 1; rows <= 25; rows += 1) {
      clock.ms += 100;
      progress.update(rows, rows);
    }

    expect(written).toEqual(['10 rows read\n', '20 rows read\n']);
  });

  it('is a counter on a terminal when the length is unknown', () => {
    const { progress, written } = progressOn({ terminal: true });
    progress.update(1_234, 99_999);

    expect(written).toEqual(['\r\x1b[K1,234 rows']);
  });
});
