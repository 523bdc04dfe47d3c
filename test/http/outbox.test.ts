import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createOutbox } from '../../src/http/outbox.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('the outbox', () => {
  it('writes nothing before what else happens at the moment is done, and then all, in order', async () => {
    const outbox = createOutbox();
    const written: number[] = [];
    for (const number of numbers(3)) outbox(() => written.push(number));
    expect(written).toEqual([]);
    await nextTurn();
    expect(written).toEqual([0, 1, 2]);
  });

  it('lets nobody wait for more than 64', async () => {
    const outbox = createOutbox();
    const written: number[] = [];
    for (const number of numbers(70)) outbox(() => written.push(number));
    expect(written).toEqual(numbers(64));
    await nextTurn();
    expect(written).toEqual(numbers(70));
  });

  it('writes what comes while it writes the next time', async () => {
    const outbox = createOutbox();
    const written: string[] = [];
    outbox(() => {
      written.push('first');
      outbox(() => written.push('second'));
    });
    await nextTurn();
    await nextTurn();
    expect(written).toEqual(['first', 'second']);
  });
});
