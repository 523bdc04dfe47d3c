import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/auth/permissions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openSubscriptions, subscribe } from '../support/event-stream.ts';
import { factoriesFor } from '../support/factories.ts';
import { makeKey } from '../support/keys.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { secret, secretToken } from '../support/tokens.ts';

let database: TestDatabase;
let here: TestServer;
let there: TestServer;
beforeAll(async () => {
  database = await createTestDatabase();
  here = await startTestServer({ JWT_SECRET: secret }, database);
  there = await startTestServer({}, database);
});
afterAll(async () => {
  await here.close();
  await there.close();
  await database.close();
});

const query = 'subscription { catalogChanged { id } }';
const complete = { event: 'complete', id: undefined, data: '' };
const soon = { timeout: 1_000, interval: 5 };

/** Someone who watches, by the name of what happens to them. */
async function watcher(name: string, fields: { role?: Role; expiresAt?: Date } = {}) {
  const key = await makeKey(database, { user: name, role: 'viewer', ...fields });
  return subscribe(here, query, { key });
}

describe('a subscription is completed within a second when its caller', () => {
  it.each([
    ['loses the key', `UPDATE api_keys SET revoked_at = now() WHERE user_id = $1`],
    ['has the key removed', 'DELETE FROM api_keys WHERE user_id = $1'],
    ['loses the permission', `UPDATE users SET role = 'guest' WHERE id = $1`],
    ['is disabled', 'UPDATE users SET disabled = true WHERE id = $1'],
    ['has a key that expires', `UPDATE api_keys SET expires_at = now() + interval '300 ms' WHERE user_id = $1`],
  ])('%s', async (name, sql) => {
    const stream = await watcher(name);
    const [user] = await database.query('SELECT id FROM users WHERE name = $1', [name]);
    await database.query(sql, [user?.['id']]);

    expect(await stream.rest()).toEqual([complete]);
  });

  it('has a token that expires, once the tolerance of clocks has passed', async () => {
    const exp = Math.floor(Date.now() / 1_000) - 3;
    const stream = await subscribe(here, query, { key: secretToken({ sub: 'a token', roles: ['viewer'], exp }) });

    expect(await stream.rest()).toEqual([complete]);
  });

  it('has a token of a name that is disabled', async () => {
    const exp = Math.floor(Date.now() / 1_000) + 60;
    const stream = await subscribe(here, query, { key: secretToken({ sub: 'shut out', roles: ['viewer'], exp }) });
    await database.query(`INSERT INTO users (name, role, disabled) VALUES ('shut out', 'viewer', true)`);

    expect(await stream.rest()).toEqual([complete]);
  });

  it('is changed by another instance', async () => {
    const stream = await watcher('changed elsewhere');
    await there.graphql('mutation { updateUser(name: "changed elsewhere", role: guest) { id } }');

    expect(await stream.rest()).toEqual([complete]);
  });
});

describe('a subscription goes on', () => {
  it('when other users and keys change', async () => {
    const stream = await watcher('undisturbed');
    await watcher('somebody else');
    await database.query(`UPDATE users SET role = 'admin' WHERE name = 'somebody else'`);
    await factoriesFor(here).program();

    expect(await stream.result()).toEqual({ data: { catalogChanged: { id: expect.any(String) } } });
  });
});

describe('a subscription breaks off, for its client to come back,', () => {
  it('when its caller may do more than before', async () => {
    const stream = await watcher('promoted');
    await database.query(`UPDATE users SET role = 'editor' WHERE name = 'promoted'`);

    expect(await stream.rest()).toEqual([]);
  });

  it('when the service stops, which does not wait for it', async () => {
    const stopping = await startTestServer({}, database);
    const streams = await Promise.all(Array.from({ length: 20 }, () => subscribe(stopping, query)));
    const began = performance.now();
    await stopping.close();

    expect(await Promise.all(streams.map((stream) => stream.rest()))).toEqual(streams.map(() => []));
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('a subscription is forgotten', () => {
  it('as soon as its client leaves', async () => {
    const alone = await startTestServer({}, database);
    const streams = await Promise.all(Array.from({ length: 60 }, () => subscribe(alone, query)));
    // More than may be worked on at once: those that wait for changes take nobody's place.
    expect(await openSubscriptions(alone)).toBe(60);
    expect((await alone.rest('get', '/ping')).status).toBe(200);
    for (const stream of streams) stream.close();

    await expect.poll(() => openSubscriptions(alone), soon).toBe(0);
    await alone.close();
  });
});
