import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSharedLimit, Sharers } from '../src/limits.ts';

/** Work that goes on until `end` is called. */
function begin(limit: <Result>(work: () => Promise<Result>) => Promise<Result>) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = { isRunning: false, end: () => end() };
  void limit(() => {
    work.isRunning = true;
    return ended;
  });
  return work;
}

it('work that several wait for runs in the share of whoever has room, however full that of the first is', async () => {
  const limit = createSharedLimit(5, { ofOwnerMax: 2 });
  const [first, second] = [begin(limit('busy')), begin(limit('busy'))];
  const sharers = new Sharers('busy');
  const shared = begin(limit(sharers));
  await setImmediate();
  expect([first.isRunning, second.isRunning, shared.isRunning]).toEqual([true, true, false]);

  sharers.joinedBy('idle');
  await setImmediate();
  expect(shared.isRunning).toBe(true);

  const [own, over] = [begin(limit('idle')), begin(limit('idle'))];
  first.end();
  await setImmediate();
  expect([own.isRunning, over.isRunning]).toEqual([true, false]);
  shared.end();
  await setImmediate();
  expect(over.isRunning).toBe(true);
});

it('so many of an owner wait, and the next reject at once, until one of them runs', async () => {
  const limit = createSharedLimit(2, { ofOwnerMax: 1, waitingOfOwnerMax: 2, onTimeout: () => new Error('full') });
  const [running, next, last] = [begin(limit('many')), begin(limit('many')), begin(limit('many'))];
  const refused = () => limit('many')(async () => undefined);
  await expect(refused()).rejects.toThrow('full');
  const other = begin(limit('other'));
  await setImmediate();
  expect([running, next, last, other].map(({ isRunning }) => isRunning)).toEqual([true, false, false, true]);
  running.end();
  await setImmediate();
  expect([next.isRunning, last.isRunning]).toEqual([true, false]);
  const behind = begin(limit('many'));
  await expect(refused()).rejects.toThrow('full');
  next.end();
  last.end();
  behind.end();
  await setImmediate();
  expect(behind.isRunning).toBe(true);
});

it('owners take turns, however many pieces of work of one wait', async () => {
  const limit = createSharedLimit(1);
  const running = begin(limit('many'));
  const ofMany = [begin(limit('many')), begin(limit('many')), begin(limit('many'))];
  const others = [begin(limit('one')), begin(limit('two')), begin(limit('one'))];
  await setImmediate();
  const order: number[] = [];
  const all = [...ofMany, ...others];
  let last = running;
  for (const _ of all) {
    last.end();
    await setImmediate();
    const next = all.findIndex(({ isRunning }, index) => isRunning && !order.includes(index));
    order.push(next);
    last = all[next] ?? running;
  }
  expect(order).toEqual([0, 3, 4, 1, 5, 2]);
});
