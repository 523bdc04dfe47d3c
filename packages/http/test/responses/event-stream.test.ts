import { afterEach, expect, it, vi } from 'vitest';
import { currentTurn } from '../../src/limits/turns.ts';
import { createEventStreams } from '../../src/responses/event-stream.ts';

afterEach(() => void vi.useRealTimers());

it('sends the heartbeats of many clients in turns, and none to one that has gone', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const streams = createEventStreams();
  const sentIn: number[] = [];
  const open = Array.from({ length: 500 }, () =>
    streams.open({ next: () => new Promise(() => undefined) }).on('data', () => sentIn.push(currentTurn())),
  );
  await expect.poll(() => sentIn.length).toBe(open.length);
  sentIn.length = 0;
  open.pop()?.destroy();
  vi.advanceTimersByTime(15_000);
  await expect.poll(() => sentIn.length).toBe(open.length);

  const together = sentIn.map((turn) => sentIn.filter((other) => other === turn).length);
  expect(Math.max(...together)).toBeLessThanOrEqual(100);
  for (const stream of open) stream.destroy();
});
