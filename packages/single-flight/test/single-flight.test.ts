import { describe, expect, it } from 'vitest';
import { createSingleFlight } from '../src/single-flight.ts';

function setup() {
  let epoch = 0;
  let isLive = true;
  let executions = 0;
  const singleFlight = createSingleFlight<number>(() => {
    const began = epoch;
    return { isCurrent: () => isLive && epoch === began };
  });
  const finish: (() => void)[] = [];
  const run = () => {
    executions += 1;
    const number = executions;
    return new Promise<number>((resolve) => finish.push(() => resolve(number)));
  };
  return {
    execute: (key = 'one') => singleFlight(key, run),
    finish: () => {
      for (const end of finish.splice(0)) end();
    },
    change: () => {
      epoch += 1;
    },
    stopListening: () => {
      isLive = false;
    },
    singleFlight,
  };
}

describe('requests with the same key', () => {
  it('share one execution when they are concurrent', async () => {
    const { execute, finish } = setup();
    const results = [execute(), execute(), execute('another')];
    finish();

    expect(await Promise.all(results)).toEqual([1, 1, 2]);
  });

  it('execute again after the previous execution has ended', async () => {
    const { execute, finish } = setup();
    const first = execute();
    finish();
    await first;
    const second = execute();
    finish();

    expect(await second).toBe(2);
  });

  it('do not join an execution that began before a change', async () => {
    const { execute, finish, change } = setup();
    const before = execute();
    change();
    const after = [execute(), execute()];
    finish();

    expect(await before).toBe(1);
    expect(await Promise.all(after)).toEqual([2, 2]);
  });

  it('do not share an execution while changes may be unknown', async () => {
    const { execute, finish, stopListening } = setup();
    stopListening();
    const results = [execute(), execute()];
    finish();

    expect(await Promise.all(results)).toEqual([1, 2]);
  });

  it('share an error, which is not retained', async () => {
    const { singleFlight } = setup();
    const fail = () => Promise.reject(new Error('The database is unavailable.'));
    const results = await Promise.allSettled([singleFlight('one', fail), singleFlight('one', fail)]);

    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await singleFlight('one', async () => 7)).toBe(7);
  });
});

it('without snapshots, an execution is always joined', async () => {
  const share = createSingleFlight<number>();
  const results = [share('one', async () => 1), share('one', async () => 2)];

  expect(await Promise.all(results)).toEqual([1, 1]);
});
