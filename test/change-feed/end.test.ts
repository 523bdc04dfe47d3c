import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { lockTable } from '@service/postgres/testing/table-lock';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Role } from '../../src/validation/permissions.ts';
import { secret, secretToken } from '../support/credentials/tokens.ts';
import { openSubscriptions, subscribe } from '../support/event-stream.ts';
import { runningTime, within } from '../support/running-time.ts';
import { adminKey, startTestServer, useServer } from '../support/server.ts';

const server = useServer({ JWT_SECRET: secret });
const { database } = server;

const body = JSON.stringify({ query: 'subscription { catalogChanged { cursor program { branches { name } } } }' });

interface Subscription {
  readonly key?: string;
  readonly accept?: string;
}

const request = ({ key = adminKey, accept = 'text/event-stream' }: Subscription = {}): string =>
  [
    'POST /graphql HTTP/1.1',
    'Host: localhost',
    `x-api-key: ${key}`,
    'Content-Type: application/json',
    `Accept: ${accept}`,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');

/** Opens a connection and sends a text; closed when the test ends at the latest. */
async function send(text: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(text, resolve));
  return socket;
}

const sendMany = (count: number, text: string): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => send(text)));

/** Closes, resets or half-closes each connection, one after the other. */
function disconnect(sockets: readonly Socket[]): void {
  for (const [index, socket] of sockets.entries()) {
    if (index % 3 === 0) socket.destroy();
    else if (index % 3 === 1) socket.resetAndDestroy();
    else socket.end();
  }
}

/** Expects no open subscription; a later one makes sure that the earlier ones were set up. */
async function expectAllReleased(): Promise<void> {
  const later = await subscribe(server, 'subscription { catalogChanged { cursor } }');
  await within(5_000, async () => expect(await openSubscriptions(server)).toBe(1));
  later.close();
  await within(5_000, async () => expect(await openSubscriptions(server)).toBe(0));
}

describe('a subscription is released when its client disconnects', () => {
  it('right after sending the request', async () => {
    disconnect(await sendMany(40, request()));

    await expectAllReleased();
  });

  it('within a second, and holds no slot until then', async () => {
    const streams = await Promise.all(
      Array.from({ length: 60 }, () => subscribe(server, 'subscription { catalogChanged { cursor } }')),
    );
    // More than the concurrency limit.
    expect(await openSubscriptions(server)).toBe(60);
    expect((await server.rest('get', '/ping')).status).toBe(200);
    for (const stream of streams) stream.close();

    await within(1_000, async () => expect(await openSubscriptions(server)).toBe(0));
  });

  it.each([
    ['authenticated', 'api_keys'],
    ['set up', 'change_log'],
  ])('while it is being %s', async (_state, table) => {
    const key = await server.makeKey({ user: `leaves ${Math.random()}` });
    const lock = await lockTable(database, table, 'ACCESS EXCLUSIVE');
    const sockets = await sendMany(10, request({ key }));
    await lock.waitUntilBlocking();
    disconnect(sockets);
    await lock.release();

    await expectAllReleased();
  });

  it('while it replays missed events', async () => {
    const start = await subscribe(server, 'subscription { catalogChanged { cursor } }');
    await server.make.program();
    const seen = await start.next();
    start.close();
    // More events than the replay buffer holds.
    await database.query(
      `DO $$ BEGIN FOR i IN 1..1200 LOOP INSERT INTO programs (name, duration) VALUES ('Physics', '4 Years'); END LOOP; END $$`,
    );
    const resumed = request().replace('\r\n\r\n', `\r\nLast-Event-ID: ${seen?.id}\r\n\r\n`);
    const sockets = await sendMany(6, resumed);
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    disconnect(sockets);

    await expectAllReleased();
  });

  it('while an event is executed', async () => {
    const sockets = await sendMany(10, request());
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    const lock = await lockTable(database, 'branches', 'ACCESS EXCLUSIVE');
    await database.query(`INSERT INTO programs (name, duration) VALUES ('Physics', '4 Years')`);
    await lock.waitUntilBlocking();
    disconnect(sockets);
    await lock.release();

    await expectAllReleased();
  });
});

describe('a subscription is released when it', () => {
  it('has its key revoked while it is being set up', async () => {
    const key = await server.makeKey({ user: 'revoked meanwhile' });
    expect((await server.rest('get', '/ping', key)).status).toBe(200);
    const lock = await lockTable(database, 'change_log', 'ACCESS EXCLUSIVE');
    await sendMany(10, request({ key }));
    await lock.waitUntilBlocking();
    const revoking = database.query(
      `UPDATE api_keys SET revoked_at = now() FROM users WHERE users.id = user_id AND users.name = 'revoked meanwhile'`,
    );
    await lock.release();
    await revoking;

    await expectAllReleased();
  });

  it('cannot be set up', async () => {
    const lock = await lockTable(database, 'change_log', 'ACCESS EXCLUSIVE');
    const sockets = await sendMany(10, request());
    const responses = await Promise.all(sockets.map((socket) => once(socket, 'data')));
    expect(responses.join()).toContain('UNAVAILABLE');
    await lock.release();

    await expectAllReleased();
  });
});

it('requests pipelined behind a subscription hold no slot', async () => {
  const ping = ['GET /v1/ping HTTP/1.1', 'Host: localhost', `x-api-key: ${adminKey}`, '', ''].join('\r\n');
  const socket = await send(request() + ping.replace('ping', 'api/academics/programs/1').repeat(50));
  await once(socket, 'data');

  await within(1_000, async () => expect((await server.rest('post', '/api/academics/programs')).status).toBe(400));
  socket.destroy();
  await expectAllReleased();
  expect((await server.rest('get', '/api/academics/programs/1')).status).toBe(200);
});

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
