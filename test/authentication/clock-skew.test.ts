import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { keyState } from '../../src/accounts/keys/api-key.ts';
import { rotateKey } from '../../src/accounts/keys/change-keys.ts';
import { revokeKey } from '../../src/accounts/keys/keys.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import type { Database } from '../../src/database/types.ts';
import { actor } from '../accounts/administration.ts';
import { useDatabase } from '../support/database.ts';
import { subscribe } from '../support/event-stream.ts';
import { within } from '../support/running-time.ts';
import { useServer } from '../support/server.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

const database = useDatabase();
const server = useServer({}, database);
let db: Database;
beforeAll(async () => {
  db = openDatabase({ url: database.url });
});
afterAll(async () => {
  await db.$disconnect();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Shifts the clock of this process, and of the instance in it, relative to the database's clock. */
function setClock(aheadMs: number): void {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
}

const status = async (key: string) => (await server.rest('get', '/ping', key)).status;
const expireIn = (interval: string, id: number) =>
  database.query('UPDATE api_keys SET expires_at = now() + $2::interval WHERE id = $1', [id, interval]);

async function cachedKey(user: string): Promise<{ key: string; id: number }> {
  const key = await server.makeKey({ user, role: 'viewer' });
  const [row] = await database.query('SELECT max(id)::int AS id FROM api_keys');
  expect(await status(key)).toBe(200);
  return { key, id: Number(row?.['id']) };
}

/** Milliseconds from now to a timestamp of a key, by the database's clock. */
async function msFromNow(expression: string, id: number): Promise<number> {
  const [row] = await database.query(
    `SELECT (extract(epoch FROM ${expression} - now()) * 1000)::float8 AS ms FROM api_keys WHERE id = $1`,
    [id],
  );
  return Number(row?.['ms']);
}

describe('a revoked key', () => {
  it.each([
    ['a minute ahead', minuteMs],
    ['an hour behind', -hourMs],
  ])('stops working at once when the revoking instance has its clock %s', async (_name, aheadMs) => {
    const { key, id } = await cachedKey(`revoked ${aheadMs}`);
    setClock(aheadMs);
    const revoked = await server.graphql(`mutation { revokeApiKey(id: ${id}) { state } }`);
    vi.useRealTimers();

    expect(revoked.body.data.revokeApiKey).toEqual({ state: 'REVOKED' });
    expect(await status(key)).toBe(401);
    expect(Math.abs(await msFromNow('revoked_at', id))).toBeLessThan(minuteMs / 2);
  });

  it('stays revoked when a clock is set back', async () => {
    const { key, id } = await cachedKey('set back');
    await database.query(`UPDATE api_keys SET revoked_at = now() + interval '1 day' WHERE id = $1`, [id]);
    await within(1_000, async () => expect(await status(key)).toBe(401), 5);

    setClock(-hourMs);
    const { key: again } = await db.$transaction((tx) => revokeKey(tx, actor, id));

    expect(await status(key)).toBe(401);
    expect(keyState(again, new Date(0))).toBe('revoked');
  });

  it('is revoked by a rotation without overlap, at any clock', async () => {
    const { key, id } = await cachedKey('rotated');
    setClock(minuteMs);
    const { replaced } = await db.$transaction((tx) => rotateKey(tx, actor, id, 0));
    vi.useRealTimers();

    expect(keyState(replaced, new Date(0))).toBe('revoked');
    await within(1_000, async () => expect(await status(key)).toBe(401), 5);
  });
});

describe('an expiring key', () => {
  it('stops working within a second of its expiry at an instance whose clock is an hour behind', async () => {
    const { key, id } = await cachedKey('late instance');
    setClock(-hourMs);
    await expireIn('700 ms', id);
    expect(await status(key)).toBe(200);

    await within(1_700, async () => expect(await status(key)).toBe(401), 5);
    expect(await msFromNow('expires_at', id)).toBeLessThan(0);
  });

  it('keeps working at an instance whose clock is an hour ahead', async () => {
    const { key, id } = await cachedKey('early instance');
    setClock(hourMs);
    await expireIn('30 minutes', id);

    const listed = await server.graphql('{ apiKeys(filter: { user: "early instance" }) { state } }');

    expect(await status(key)).toBe(200);
    expect(listed.body.data.apiKeys).toEqual([{ state: 'ACTIVE' }]);
  });

  it('is created and expires by the clock of the database', async () => {
    setClock(24 * hourMs);
    const created = await server.graphql(
      'mutation { createApiKey(input: { userId: 1, expiresIn: "1h" }) { key apiKey { id state } } }',
    );
    const { key, apiKey } = created.body.data.createApiKey;

    expect(apiKey.state).toBe('ACTIVE');
    expect(await status(key)).toBe(200);
    expect(Math.abs(await msFromNow('created_at', apiKey.id))).toBeLessThan(minuteMs);
    expect(Math.abs((await msFromNow('expires_at', apiKey.id)) - hourMs)).toBeLessThan(minuteMs);
  });

  it('is rotated with overlap and expiry by the clock of the database', async () => {
    const { id } = await cachedKey('overlapped');
    await expireIn('2 days', id);
    setClock(-24 * hourMs);
    const rotated = await server.graphql(
      `mutation { rotateApiKey(id: ${id}, input: { overlap: "1h" }) { apiKey { id } } }`,
    );

    expect(Math.abs((await msFromNow('expires_at', id)) - hourMs)).toBeLessThan(minuteMs);
    const replacement = rotated.body.data.rotateApiKey.apiKey.id;
    expect(Math.abs((await msFromNow('expires_at', replacement)) - 48 * hourMs)).toBeLessThan(minuteMs);
  });

  it('completes its subscriptions at an instance whose clock is an hour behind', async () => {
    const { key, id } = await cachedKey('subscribed');
    setClock(-hourMs);
    const stream = await subscribe(server, 'subscription { catalogChanged { cursor } }', { key });
    await expireIn('300 ms', id);

    expect(await stream.rest()).toEqual([{ event: 'complete', id: undefined, data: '' }]);
  });

  it('does not end its subscriptions at an instance whose clock is an hour ahead', async () => {
    const { key, id } = await cachedKey('subscribed early');
    await expireIn('30 minutes', id);
    setClock(hourMs);
    const stream = await subscribe(server, 'subscription { catalogChanged { cursor } }', { key });
    // A changed key triggers revalidation of every subscriber.
    await server.makeKey({ user: 'somebody else' });
    await server.rest('post', '/api/academics/programs').send({ name: 'A', duration: 'B' });

    expect(await stream.result()).toEqual({ data: { catalogChanged: { cursor: expect.any(String) } } });
  });
});

describe('stored timestamps', () => {
  it('of users, keys, last use and the audit log come from the clock of the database', async () => {
    setClock(24 * hourMs);
    const { key, id } = await cachedKey('noted');
    await server.graphql('mutation { createUser(input: { name: "written", role: GUEST }) { id } }');

    await within(10_000, async () => expect(await msFromNow('coalesce(last_used_at, now())', id)).not.toBe(0));
    expect(Math.abs(await msFromNow('last_used_at', id))).toBeLessThan(2 * minuteMs);
    expect(await status(key)).toBe(200);
    const late = await database.query(
      `SELECT 'user' FROM users WHERE created_at > now() UNION ALL SELECT 'entry' FROM audit_entries WHERE at > now()`,
    );
    expect(late).toEqual([]);
  });

  it('of updated, deleted and restored programs and branches come from the clock of the database', async () => {
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
});
