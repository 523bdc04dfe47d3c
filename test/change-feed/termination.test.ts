import { describe, expect, it } from 'vitest';
import type { Role } from '../../src/operations/permissions.ts';
import { subscribe } from '../support/event-stream.ts';
import { runningTime } from '../support/running-time.ts';
import { startTestServer, useServer } from '../support/server.ts';
import { secret, secretToken } from '../support/tokens.ts';

const server = useServer({ JWT_SECRET: secret });
const { database } = server;

const query = 'subscription { catalogChanged { cursor } }';
const complete = { event: 'complete', id: undefined, data: '' };

/** Subscribes as a new user. */
async function subscribeAs(name: string, fields: { role?: Role; expiresAt?: Date } = {}) {
  const key = await server.makeKey({ user: name, role: 'viewer', ...fields });
  return subscribe(server, query, { key });
}

describe('a subscription is completed when its caller', () => {
  it.each([
    ['has a revoked key', `UPDATE api_keys SET revoked_at = now() WHERE user_id = $1`],
    ['has a deleted key', 'DELETE FROM api_keys WHERE user_id = $1'],
    ['loses the permission', `UPDATE users SET role = 'guest' WHERE id = $1`],
    ['is disabled', 'UPDATE users SET disabled = true WHERE id = $1'],
    ['has an expired key', `UPDATE api_keys SET expires_at = now() + interval '300 ms' WHERE user_id = $1`],
  ])('%s', async (name, sql) => {
    const stream = await subscribeAs(name);
    const [user] = await database.query('SELECT id FROM users WHERE name = $1', [name]);
    await database.query(sql, [user?.['id']]);

    expect(await stream.rest()).toEqual([complete]);
  });

  it('has an expired token, after the clock tolerance', async () => {
    const exp = Math.floor(Date.now() / 1_000) - 3;
    const stream = await subscribe(server, query, { key: secretToken({ sub: 'a token', roles: ['viewer'], exp }) });

    expect(await stream.rest()).toEqual([complete]);
  });

  it('has a token whose user is disabled', async () => {
    const exp = Math.floor(Date.now() / 1_000) + 60;
    const stream = await subscribe(server, query, { key: secretToken({ sub: 'shut out', roles: ['viewer'], exp }) });
    await database.query(`INSERT INTO users (name, role, disabled) VALUES ('shut out', 'viewer', true)`);

    expect(await stream.rest()).toEqual([complete]);
  });
});

describe('a subscription stays open', () => {
  it('when other users and keys change', async () => {
    const stream = await subscribeAs('undisturbed');
    await subscribeAs('somebody else');
    await database.query(`UPDATE users SET role = 'admin' WHERE name = 'somebody else'`);
    await server.make.program();

    expect(await stream.result()).toEqual({ data: { catalogChanged: { cursor: expect.any(String) } } });
  });
});

describe('a subscription is closed without a complete event, so that its client reconnects,', () => {
  it('when its caller is promoted', async () => {
    const stream = await subscribeAs('promoted');
    await database.query(`UPDATE users SET role = 'editor' WHERE name = 'promoted'`);

    expect(await stream.rest()).toEqual([]);
  });

  it('when the service stops, which takes less than five seconds', async () => {
    const stopping = await startTestServer({}, database);
    const streams = await Promise.all(Array.from({ length: 20 }, () => subscribe(stopping, query)));
    const start = runningTime();
    await stopping.close();

    expect(await Promise.all(streams.map((stream) => stream.rest()))).toEqual(streams.map(() => []));
    expect(runningTime() - start).toBeLessThan(5_000);
  });
});
