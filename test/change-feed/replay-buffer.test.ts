import { describe, expect, it } from 'vitest';
import type { FeedEntry } from '../../src/change-feed/catalog-event.ts';
import { reload } from '../../src/change-feed/catalog-event.ts';
import { createReplayBuffer } from '../../src/change-feed/replay-buffer.ts';

const event = reload({ history: 'a history', snapshot: '1:1:', last: { id: 1, xid: 1, at: new Date(0) } });
const entry = (events = 1): FeedEntry => Array.from({ length: events }, () => event);

describe('the recent entries', () => {
  it('are found by their numbers, from the one that they began with', () => {
    const recent = createReplayBuffer();
    recent.restart(10);
    recent.add([entry(1), entry(2)]);
    recent.add([entry(3)]);

    expect([10, 11, 12, 13].map((number) => recent.get(number)?.length)).toEqual([1, 2, 3, undefined]);
    expect([9, 10, 13, 20].map((number) => recent.covers(number))).toEqual([false, true, true, true]);
  });

  it('are as many as have a thousand events, or are a thousand', () => {
    const recent = createReplayBuffer();
    recent.add(Array.from({ length: 600 }, (_, index) => entry(index % 2 === 0 ? 1 : 3)));
    expect(recent.covers(99)).toBe(false);
    expect(recent.covers(100)).toBe(true);

    recent.add(Array.from({ length: 1_000 }, () => entry(0)));
    expect(recent.covers(599)).toBe(false);
    expect(recent.get(600)).toEqual([]);
  });

  it('always hold the last one', () => {
    const recent = createReplayBuffer();
    recent.add([entry(), entry(5_000)]);

    expect(recent.covers(0)).toBe(false);
    expect(recent.get(1)?.length).toBe(5_000);
  });
});
