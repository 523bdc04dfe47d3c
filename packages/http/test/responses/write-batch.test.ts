import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createWriteBatch } from '../../src/responses/send.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('a write batch', () => {
  it('runs queued writes in order in the next turn of the event loop', async () => {
    const writeBatch = createWriteBatch();
    const written: number[] = [];
    for (const number of numbers(3)) writeBatch(() => written.push(number));
    expect(written).toEqual([]);
    await nextTurn();
    expect(written).toEqual([0, 1, 2]);
  });

  it('is flushed at once when it has 64 writes', async () => {
    const writeBatch = createWriteBatch();
    const written: number[] = [];
    for (const number of numbers(70)) writeBatch(() => written.push(number));
    expect(written).toEqual(numbers(64));
    await nextTurn();
    expect(written).toEqual(numbers(70));
  });

  it('defers writes that are queued during a flush', async () => {
    const writeBatch = createWriteBatch();
    const written: string[] = [];
    writeBatch(() => {
      written.push('first');
      writeBatch(() => written.push('second'));
    });
    await nextTurn();
    await nextTurn();
    expect(written).toEqual(['first', 'second']);
  });
});
