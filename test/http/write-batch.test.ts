import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createWriteBatch } from '../../src/http/write-batch.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('the outbox', () => {
  it('writes nothing before what else happens at the moment is done, and then all, in order', async () => {
    const writeBatch = createWriteBatch();
    const written: number[] = [];
    for (const number of numbers(3)) writeBatch(() => written.push(number));
    expect(written).toEqual([]);
    await nextTurn();
    expect(written).toEqual([0, 1, 2]);
  });

  it('lets nobody wait for more than 64', async () => {
    const writeBatch = createWriteBatch();
    const written: number[] = [];
    for (const number of numbers(70)) writeBatch(() => written.push(number));
    expect(written).toEqual(numbers(64));
    await nextTurn();
    expect(written).toEqual(numbers(70));
  });

  it('writes what comes while it writes the next time', async () => {
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
