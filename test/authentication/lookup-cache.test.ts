import { createEpochs, createSnapshots } from '@service/change-log/epochs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogMonitor, openCatalogMonitor } from '../../src/academics/changes/catalog-log.ts';
import { createLookupCache } from '../../src/accounts/authentication/lookup-cache.ts';
import { useDatabase } from '../support/database.ts';
import { within } from '../support/running-time.ts';

const database = useDatabase();
let changes: CatalogMonitor;
beforeAll(async () => {
  changes = await openCatalogMonitor(database.url, () => undefined);
});
afterAll(async () => {
  await changes.close();
});

/** Changes users, and waits until the listener has received the change. */
async function changeUsers(): Promise<void> {
  const before = changes.snapshot('access');
  await database.query('UPDATE users SET role = role');
  await within(1_000, async () => expect(await before.hasChanged()).toBe(true), 1);
}

const open = (recheckAt = Number.POSITIVE_INFINITY, monitor: Pick<CatalogMonitor, 'snapshot'> = changes) =>
  createLookupCache<{ read: number }>({
    changes: monitor,
    entriesMax: 10,
    isValid: () => true,
    recheckAt: () => recheckAt,
  });

describe('the lookup cache', () => {
  it('loads again when something changed during the load', async () => {
    const cache = open();
    let loads = 0;
    const loaded = await cache.getOrLoad('key', async () => {
      loads += 1;
      const read = loads;
      if (read === 1) await changeUsers();
      return { read };
    });

    expect([loaded, cache.get('key')]).toEqual([{ read: 2 }, { read: 2 }]);
  });

  it('returns but does not cache a value after changes during each of three loads', async () => {
    const cache = open();
    let loads = 0;
    const loaded = await cache.getOrLoad('key', async () => {
      loads += 1;
      await changeUsers();
      return { read: loads };
    });

    expect([loaded, cache.get('key')]).toEqual([{ read: 3 }, undefined]);
  });

  it('loads again when an entry has expired', async () => {
    const cache = open(performance.now());

    expect(await cache.getOrLoad('key', async () => ({ read: 1 }))).toEqual({ read: 1 });
    expect(await cache.getOrLoad('key', async () => ({ read: 2 }))).toEqual({ read: 2 });
  });

  it('keeps its entries while changes may be unknown, and uses them when it is known that nothing has changed', async () => {
    const epochs = createEpochs();
    let isLive = true;
    const cache = open(undefined, { snapshot: createSnapshots(epochs, () => isLive) });
    await cache.getOrLoad('key', async () => ({ read: 1 }));

    isLive = false;
    expect(cache.get('key')).toBeUndefined();
    isLive = true;
    expect(cache.get('key')).toEqual({ read: 1 });
    epochs.bump('access');
    expect(cache.get('key')).toBeUndefined();
  });

  it('forgets a valid value when the same key becomes invalid', async () => {
    const epochs = createEpochs();
    const cache = createLookupCache<{ isValid: boolean }>({
      changes: { snapshot: createSnapshots(epochs, () => true) },
      entriesMax: 10,
      isValid: ({ isValid }) => isValid,
    });
    await cache.getOrLoad('key', async () => ({ isValid: true }));
    epochs.bump('access');
    await cache.getOrLoad('key', async () => ({ isValid: false }));

    expect(cache.get('key')).toEqual({ isValid: false });
  });
});
