import { describe, expect, it } from 'vitest';
import { createReplayBuffer } from '../src/replay-buffer.ts';

const entry = (events = 1): readonly string[] => Array.from({ length: events }, () => 'an event');

describe('the replay buffer', () => {
  it('returns entries by number, starting from the number of its restart', () => {
    const buffer = createReplayBuffer<string>();
    buffer.restart(10);
    buffer.add([entry(1), entry(2)]);
    buffer.add([entry(3)]);

    expect([10, 11, 12, 13].map((number) => buffer.get(number)?.length)).toEqual([1, 2, 3, undefined]);
    expect([9, 10, 13, 20].map((number) => buffer.covers(number))).toEqual([false, true, true, true]);
  });

  it('holds at most three thousand events and three thousand entries', () => {
    const buffer = createReplayBuffer<string>();
    buffer.add(Array.from({ length: 1_800 }, (_, index) => entry(index % 2 === 0 ? 1 : 3)));
    expect(buffer.covers(299)).toBe(false);
    expect(buffer.covers(300)).toBe(true);

    buffer.add(Array.from({ length: 3_000 }, () => entry(0)));
    expect(buffer.covers(1_799)).toBe(false);
    expect(buffer.get(1_800)).toEqual([]);
  });

  it('always holds the last entry, even a larger one', () => {
    const buffer = createReplayBuffer<string>();
    buffer.add([entry(), entry(5_000)]);

    expect(buffer.covers(0)).toBe(false);
    expect(buffer.get(1)?.length).toBe(5_000);
  });
});
