import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLookupCache } from '../../src/auth/lookup-cache.ts';
import { type ChangeMonitor, openChangeMonitor } from '../../src/database/change-log/change-monitor.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let changes: ChangeMonitor;
beforeAll(async () => {
  database = await createTestDatabase();
  changes = await openChangeMonitor(database.url, () => undefined);
});
afterAll(async () => {
  await changes.close();
  await database.close();
});

/** Changes users, and waits until that has been heard of. */
async function changeUsers(): Promise<void> {
  const before = changes.epoch('access');
  await database.query('UPDATE users SET role = role');
  await expect.poll(() => changes.epoch('access'), { interval: 1 }).toBeGreaterThan(before);
}

const open = (goodUntil = Number.POSITIVE_INFINITY) =>
  createLookupCache<{ read: number }>({
    changes,
    kind: 'access',
    entriesMax: 10,
    isGood: () => true,
    goodUntil: () => goodUntil,
  });

describe('what is read of users and keys', () => {
  it('is read again when something has changed meanwhile', async () => {
    const memory = open();
    let readings = 0;
    const found = await memory.getOrLoad('key', async () => {
      readings += 1;
      const read = readings;
      if (read === 1) await changeUsers();
      return { read };
    });

    expect([found, memory.get('key')]).toEqual([{ read: 2 }, { read: 2 }]);
  });

  it('is given back all the same when something changes again and again, and not remembered', async () => {
    const memory = open();
    let readings = 0;
    const found = await memory.getOrLoad('key', async () => {
      readings += 1;
      await changeUsers();
      return { read: readings };
    });

    expect([found, memory.get('key')]).toEqual([{ read: 3 }, undefined]);
  });

  it('is read again when it holds no longer', async () => {
    const memory = open(performance.now());

    expect(await memory.getOrLoad('key', async () => ({ read: 1 }))).toEqual({ read: 1 });
    expect(await memory.getOrLoad('key', async () => ({ read: 2 }))).toEqual({ read: 2 });
  });
});
