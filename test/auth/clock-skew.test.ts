import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { revokeKey, rotateKey, stateOf } from '../../src/auth/accounts.ts';
import { databaseNow } from '../../src/database/connection/clock.ts';
import { openDatabase } from '../../src/database/connection/prisma.ts';
import type { Database } from '../../src/database/connection/types.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { subscribe } from '../support/event-stream.ts';
import { makeKey } from '../support/keys.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

let database: TestDatabase;
let server: TestServer;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer({}, database);
  db = openDatabase({ url: database.url });
});
afterAll(async () => {
  await db.$disconnect();
  await server.close();
  await database.close();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sets the clock of this process, and of the instance in it, ahead of the database's or behind it. */
function setClock(aheadMs: number): void {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
}

const status = async (key: string) => (await server.rest('get', '/ping', key)).status;
const lasts = (interval: string, id: number) =>
  database.query('UPDATE api_keys SET expires_at = now() + $2::interval WHERE id = $1', [id, interval]);

async function knownKey(user: string): Promise<{ key: string; id: number }> {
  const key = await makeKey(database, { user, role: 'viewer' });
  const [row] = await database.query('SELECT max(id)::int AS id FROM api_keys');
  expect(await status(key)).toBe(200);
  return { key, id: Number(row?.['id']) };
}

/** How far an instant of a row is from now, both by the database's clock. */
async function fromNow(expression: string, id: number): Promise<number> {
  const [row] = await database.query(
    `SELECT (extract(epoch FROM ${expression} - now()) * 1000)::float8 AS ms FROM api_keys WHERE id = $1`,
    [id],
  );
  return Number(row?.['ms']);
}

describe('a key that is revoked', () => {
  it.each([
    ['a minute ahead', minuteMs],
    ['an hour behind', -hourMs],
  ])('by an instance whose clock is %s stops working at once', async (_name, aheadMs) => {
    const { key, id } = await knownKey(`revoked ${aheadMs}`);
    setClock(aheadMs);
    const revoked = await server.graphql(`mutation { revokeApiKey(id: ${id}) { state } }`);
    vi.useRealTimers();

    expect(revoked.body.data.revokeApiKey).toEqual({ state: 'revoked' });
    expect(await status(key)).toBe(401);
    expect(Math.abs(await fromNow('revoked_at', id))).toBeLessThan(minuteMs / 2);
  });

  it('stays revoked when a clock is set back, whenever that was', async () => {
    const { key, id } = await knownKey('set back');
    await database.query(`UPDATE api_keys SET revoked_at = now() + interval '1 day' WHERE id = $1`, [id]);
    await expect.poll(() => status(key), { timeout: 1_000, interval: 5 }).toBe(401);

    setClock(-hourMs);
    const again = await db.$transaction((tx) => revokeKey(tx, { name: 'x', keyId: null, requestId: null }, id));

    expect(await status(key)).toBe(401);
    expect(stateOf(again, new Date(0))).toBe('revoked');
  });

  it('by a rotation without overlap is revoked, whatever the clock says', async () => {
    const { key, id } = await knownKey('rotated');
    setClock(minuteMs);
    const { replaced } = await db.$transaction((tx) =>
      rotateKey(tx, { name: 'x', keyId: null, requestId: null }, id, 0),
    );
    vi.useRealTimers();

    expect(stateOf(replaced, new Date(0))).toBe('revoked');
    await expect.poll(() => status(key), { timeout: 1_000, interval: 5 }).toBe(401);
  });
});

describe('a key that expires', () => {
  it('stops working on time at an instance whose clock is an hour behind', async () => {
    const { key, id } = await knownKey('late instance');
    setClock(-hourMs);
    await lasts('700 ms', id);
    expect(await status(key)).toBe(200);

    await expect.poll(() => status(key), { timeout: 1_700, interval: 5 }).toBe(401);
    expect(await fromNow('expires_at', id)).toBeLessThan(0);
  });

  it('goes on working at an instance whose clock is an hour ahead', async () => {
    const { key, id } = await knownKey('early instance');
    setClock(hourMs);
    await lasts('30 minutes', id);

    const listed = await server.graphql('{ apiKeys(user: "early instance") { state } }');

    expect(await status(key)).toBe(200);
    expect(listed.body.data.apiKeys).toEqual([{ state: 'active' }]);
  });

  it('begins and ends by the clock of the database', async () => {
    setClock(24 * hourMs);
    const created = await server.graphql(
      'mutation { createApiKey(user: "timed", role: viewer, expiresIn: "1h") { key apiKey { id state } } }',
    );
    const { key, apiKey } = created.body.data.createApiKey;

    expect(apiKey.state).toBe('active');
    expect(await status(key)).toBe(200);
    expect(Math.abs(await fromNow('created_at', apiKey.id))).toBeLessThan(minuteMs);
    expect(Math.abs((await fromNow('expires_at', apiKey.id)) - hourMs)).toBeLessThan(minuteMs);
  });

  it('is rotated for an overlap, and a lifetime, by the clock of the database', async () => {
    const { id } = await knownKey('overlapped');
    await lasts('2 days', id);
    setClock(-24 * hourMs);
    const rotated = await server.graphql(`mutation { rotateApiKey(id: ${id}, overlap: "1h") { apiKey { id } } }`);

    expect(Math.abs((await fromNow('expires_at', id)) - hourMs)).toBeLessThan(minuteMs);
    const made = rotated.body.data.rotateApiKey.apiKey.id;
    expect(Math.abs((await fromNow('expires_at', made)) - 48 * hourMs)).toBeLessThan(minuteMs);
  });

  it('ends its subscriptions on time at an instance whose clock is an hour behind', async () => {
    const { key, id } = await knownKey('subscribed');
    setClock(-hourMs);
    const stream = await subscribe(server, 'subscription { catalogChanged { id } }', { key });
    await lasts('300 ms', id);

    expect(await stream.rest()).toEqual([{ event: 'complete', id: undefined, data: '' }]);
  });

  it('leaves its subscriptions alone at an instance whose clock is an hour ahead', async () => {
    const { key, id } = await knownKey('subscribed early');
    await lasts('30 minutes', id);
    setClock(hourMs);
    const stream = await subscribe(server, 'subscription { catalogChanged { id } }', { key });
    // A change of keys has every subscriber looked at again.
    await makeKey(database, { user: 'somebody else' });
    await server.rest('post', '/api/academics/programs').send({ name: 'A', duration: 'B' });

    expect(await stream.result()).toEqual({ data: { catalogChanged: { id: expect.any(String) } } });
  });
});

describe('instants that are written', () => {
  it('are those of the database: users, keys, their use, and the audit log', async () => {
    setClock(24 * hourMs);
    const { key, id } = await knownKey('noted');
    await server.graphql('mutation { createUser(name: "written", role: guest) { id } }');

    await expect.poll(() => fromNow('coalesce(last_used_at, now())', id), { timeout: 10_000 }).not.toBe(0);
    expect(Math.abs(await fromNow('last_used_at', id))).toBeLessThan(2 * minuteMs);
    expect(await status(key)).toBe(200);
    const late = await database.query(
      `SELECT 'user' FROM users WHERE created_at > now() UNION ALL SELECT 'entry' FROM audit_entries WHERE at > now()`,
    );
    expect(late).toEqual([]);
  });

  it('are those of the database: programs and branches that are changed, deleted and restored', async () => {
    const send = async (mutation: string): Promise<void> => {
      expect((await server.graphql(`mutation { ${mutation} }`)).body.errors).toBeUndefined();
    };
    const { body: program } = await server.rest('post', '/api/academics/programs').send({ name: 'A', duration: 'B' });
    const branch = await server
      .rest('post', '/api/academics/branches')
      .send({ programId: program.id, name: 'C', years: 1 });
    setClock(24 * hourMs);
    await send(`updateProgram(id: ${program.id}, input: { name: "D" }) { id }`);
    await send(`updateBranch(id: ${branch.body.id}, input: { name: "E" }) { id }`);
    await send(`deleteBranch(id: ${branch.body.id}) { id }`);
    await send(`restoreBranch(id: ${branch.body.id}) { id }`);
    await send(`deleteProgram(id: ${program.id}) { id }`);
    const late = () =>
      database.query(
        `SELECT name FROM programs WHERE greatest(updated_at, deleted_at) > now()
         UNION ALL SELECT name FROM branches WHERE greatest(updated_at, deleted_at) > now()`,
      );

    expect(await late()).toEqual([]);
    await send(`restoreProgram(id: ${program.id}) { id }`);
    expect(await late()).toEqual([]);
  });

  it('tell what time it is', async () => {
    const real = Date.now();
    setClock(hourMs);

    expect(Math.abs((await databaseNow(db)).getTime() - real)).toBeLessThan(minuteMs);
  });
});
