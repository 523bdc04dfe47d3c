import { createHook } from 'node:async_hooks';
import { stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns, currentTurn } from '../../src/limits/turns.ts';

/** Runs work of these amounts; returns, by turn of the event loop, which ran. */
async function turnsOf(amounts: readonly number[]): Promise<number[][]> {
  const turnFor = createTurns(10);
  const ran: number[] = [];
  for (const [index, amount] of amounts.entries()) {
    const turn = turnFor(amount);
    if (turn === undefined) ran.push(index);
    else void turn.then(() => ran.push(index));
  }
  const turns: number[][] = [];
  for (let count = 0; turns.flat().length < amounts.length && count < 100; count += 1) {
    turns.push(ran.splice(0));
    await nextTurn();
  }
  return turns.filter((turn) => turn.length > 0);
}

it('runs work in order, as much in each turn as it has room for', async () => {
  expect(await turnsOf([4, 4, 4, 4, 2, 8])).toEqual([[0, 1], [2, 3, 4], [5]]);
});

it('gives turns to owners in turn, and to each in the order of its calls', async () => {
  const turnFor = createTurns(2);
  const ran: string[] = [];
  const work = (name: string): void => {
    const turn = turnFor(1, () => name.slice(0, 1));
    if (turn === undefined) ran.push(name);
    else void turn.then(() => ran.push(name));
  };
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']) work(name);
  while (ran.length < 8) await nextTurn();
  expect(ran).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']);
});

it('gives greater work a turn of its own', async () => {
  expect(await turnsOf([1, 50, 50, 1, 1])).toEqual([[0], [1], [2], [3, 4]]);
});

it('begins no more in a turn in which some has worked for long, whether it waited or not', async () => {
  const turnFor = createTurns(100, 20);
  const ran: number[] = [];
  const work = (index: number): void => {
    ran.push(index);
    const began = performance.now();
    while (performance.now() - began < 15);
  };
  for (let index = 0; index < 8; index += 1) {
    const turn = turnFor(1);
    if (turn === undefined) work(index);
    else void turn.then(() => work(index));
  }
  const turns = [ran.length];
  while (ran.length < 8) {
    const before = ran.length;
    await nextTurn();
    turns.push(ran.length - before);
  }
  expect(Math.max(...turns)).toBe(2);
  expect(ran).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

it('begins no more in the rest of a turn of the event loop that has been long', async () => {
  const turnFor = createTurns(100, 20);
  // What is read is handled before immediate callbacks, in the same turn.
  await stat('.');
  expect(turnFor(1)).toBeUndefined();
  const began = performance.now();
  while (performance.now() - began < 25);
  const turn = currentTurn();
  await turnFor(1);
  expect(currentTurn()).toBeGreaterThan(turn);
});

it('does not delay work after a pause', async () => {
  const turnFor = createTurns(10);
  expect(turnFor(10)).toBeUndefined();
  for (let count = 0; count < 3; count += 1) await nextTurn();
  expect(turnFor(10)).toBeUndefined();
});

it('wakes each of many waiters once', async () => {
  const waiters = 2_000;
  const turnFor = createTurns(10);
  let wakeups = 0;
  const hook = createHook({ before: () => (wakeups += 1) });
  const wait = async (): Promise<void> => {
    await turnFor(1);
  };
  const all = Promise.all(Array.from({ length: waiters }, wait));
  hook.enable();
  await all;
  hook.disable();

  // Waking all of them in each of the 200 turns would be 200,000.
  expect(wakeups).toBeLessThan(10 * waiters);
});
