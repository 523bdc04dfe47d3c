import { describe, expect, it } from 'vitest';
import { createSingleFlight } from '../../src/cache/single-flight.ts';
import { createEpochs } from '../../src/database/change-log/epochs.ts';

function scene() {
  const epochs = createEpochs();
  let hears = true;
  let executions = 0;
  const share = createSingleFlight<number>({ isLive: () => hears, epoch: epochs.current });
  const finish: (() => void)[] = [];
  const execute = () => {
    executions += 1;
    const number = executions;
    return new Promise<number>((resolve) => finish.push(() => resolve(number)));
  };
  return {
    ask: (key = 'one') => share(key, execute),
    finish: () => {
      for (const end of finish.splice(0)) end();
    },
    change: () => epochs.bump('catalog', [1]),
    goDeaf: () => {
      hears = false;
    },
    share,
  };
}

describe('those who ask for the same', () => {
  it('at the same time share one execution', async () => {
    const { ask, finish } = scene();
    const answers = [ask(), ask(), ask('another')];
    finish();

    expect(await Promise.all(answers)).toEqual([1, 1, 2]);
  });

  it('after it has ended begin another', async () => {
    const { ask, finish } = scene();
    const first = ask();
    finish();
    await first;
    const second = ask();
    finish();

    expect(await second).toBe(2);
  });

  it('after a change never join an execution that began before it', async () => {
    const { ask, finish, change } = scene();
    const before = ask();
    change();
    const after = [ask(), ask()];
    finish();

    expect(await before).toBe(1);
    expect(await Promise.all(after)).toEqual([2, 2]);
  });

  it('do not share while changes may be missed', async () => {
    const { ask, finish, goDeaf } = scene();
    goDeaf();
    const answers = [ask(), ask()];
    finish();

    expect(await Promise.all(answers)).toEqual([1, 2]);
  });

  it('share a failure too, and none is left behind', async () => {
    const { share } = scene();
    const fail = () => Promise.reject(new Error('The database is away.'));
    const answers = await Promise.allSettled([share('one', fail), share('one', fail)]);

    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await share('one', async () => 7)).toBe(7);
  });
});
