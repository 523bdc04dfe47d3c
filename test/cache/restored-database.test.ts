import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeKey } from '../support/credentials/keys.ts';
import { useDatabaseForEach } from '../support/database.ts';
import { subscribe } from '../support/event-stream.ts';
import { within } from '../support/running-time.ts';
import { serverForTest, type TestServer } from '../support/server.ts';
import { openLossyProxy } from './without-notifications.ts';

const database = useDatabaseForEach();
beforeEach(() => database.query(`INSERT INTO programs (name, duration) VALUES ('Physics', '4 Years')`));

const start = (environment = {}): Promise<TestServer> => serverForTest(environment, database);

const soonMs = 1_000;
const read = async (server: TestServer, key: string) => {
  const { status, body } = await server.rest('get', '/api/academics/programs/1', key);
  return [status, body.name];
};

/** Replaces a table, as a restore does, without firing triggers. */
const replaceTable = (table: string, change: string) =>
  database.query(`BEGIN;
    CREATE TABLE restored (LIKE ${table} INCLUDING ALL EXCLUDING GENERATED); INSERT INTO restored SELECT * FROM ${table}; ${change};
    ALTER TABLE ${table} RENAME TO old_${table}; ALTER TABLE restored RENAME TO ${table}; COMMIT`);

describe('restoring a backup under a running service', () => {
  it('invalidates the cached catalog and the cached keys', async () => {
    const server = await start();
    const key = await makeKey(database, { role: 'viewer' });
    expect(await read(server, key)).toEqual([200, 'Physics']);
    await replaceTable('programs', `UPDATE restored SET name = 'Optics'`);
    await within(soonMs, async () => expect(await read(server, key)).toEqual([200, 'Optics']));
    await replaceTable('api_keys', 'UPDATE restored SET revoked_at = now()');
    await within(soonMs, async () => expect(await read(server, key)).toEqual([401, undefined]));

    const warnings = server.logged.filter((line) => line.includes('another history'));
    expect(warnings).toHaveLength(2);
  });

  it('sends one RELOAD to each subscriber, then further changes', async () => {
    const server = await start();
    const streams = await Promise.all(
      Array.from({ length: 3 }, () => subscribe(server, 'subscription { catalogChanged { action program { name } } }')),
    );
    await database.query(`INSERT INTO programs (name, duration) VALUES ('before', '1')`);
    const before = { data: { catalogChanged: { action: 'CREATE', program: { name: 'before' } } } };
    for (const stream of streams) expect(await stream.result()).toEqual(before);
    await replaceTable('change_log', 'DELETE FROM restored WHERE id = (SELECT max(id) FROM restored)');
    await within(soonMs, async () =>
      expect(await server.logged.some((line) => line.includes('another history'))).toBe(true),
    );
    await database.query(`INSERT INTO programs (name, duration) VALUES ('after', '1')`);

    const reload = { data: { catalogChanged: { action: 'RELOAD', program: null } } };
    const after = { data: { catalogChanged: { action: 'CREATE', program: { name: 'after' } } } };
    for (const stream of streams) {
      expect(await stream.result()).toEqual(reload);
      expect(await stream.result()).toEqual(after);
    }
  });

  it('sends RELOAD to a client that resumes from before', async () => {
    const server = await start();
    const first = await subscribe(server, 'subscription { catalogChanged { action } }');
    await database.query(`INSERT INTO programs (name, duration) VALUES ('before', '1')`);
    const id = (await first.next())?.id ?? '';
    await replaceTable('branches', '');
    const resumed = await subscribe(server, 'subscription { catalogChanged { action } }', {
      headers: { 'last-event-id': id },
    });

    expect(await resumed.result()).toEqual({ data: { catalogChanged: { action: 'RELOAD' } } });
  });
});

describe('behind a pooler that drops notifications', () => {
  it('responses are cached, and invalidated within a second of a change', async () => {
    const proxy = await openLossyProxy(database.url);
    onTestFinished(proxy.close);
    const server = await start({ DATABASE_URL: proxy.url });
    const key = await makeKey(database, { role: 'viewer', user: 'ada' });

    await within(soonMs, async () =>
      expect(
        await (async () => {
          await read(server, key);
          server.statements.length = 0;
          await read(server, key);
          return server.statements;
        })(),
      ).toEqual([]),
    );
    await database.query(`UPDATE programs SET name = 'Optics'`);
    await within(soonMs, async () => expect(await read(server, key)).toEqual([200, 'Optics']));
    await database.query('UPDATE api_keys SET revoked_at = now()');
    await within(soonMs, async () => expect(await read(server, key)).toEqual([401, undefined]));
  });
});
