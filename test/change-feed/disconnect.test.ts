import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openSubscriptions, subscribe } from '../support/event-stream.ts';
import { factoriesFor } from '../support/factories.ts';
import { makeKey } from '../support/keys.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';
import { lockTable } from '../support/table-lock.ts';

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer({}, database);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const body = JSON.stringify({ query: 'subscription { catalogChanged { id program { branches { name } } } }' });

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

/** A connection on which something has been sent; it is closed at the latest when the test ends. */
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

/** The ways in which a client can go. */
const goodbyes: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['closes its connection', (socket) => socket.destroy()],
  ['resets its connection', (socket) => socket.resetAndDestroy()],
  ['half-closes its connection', (socket) => socket.end()],
];

/** Whoever was set up before a subscriber who stays has been set up when that one has. */
async function onlyOneIsLeft(): Promise<void> {
  const stays = await subscribe(server, 'subscription { catalogChanged { id } }');
  await expect.poll(() => openSubscriptions(server), { timeout: 5_000 }).toBe(1);
  stays.close();
  await expect.poll(() => openSubscriptions(server), { timeout: 5_000 }).toBe(0);
}

describe.each(goodbyes)('a subscription is released whose client %s', (_how, leave) => {
  it('as soon as it has sent the request', async () => {
    for (const socket of await sendMany(40, request())) leave(socket);

    await onlyOneIsLeft();
  });

  it.each([
    ['authenticated', 'api_keys'],
    ['set up', 'change_log'],
  ])('while it is being %s', async (_state, table) => {
    const key = await makeKey(database, { user: `leaves ${Math.random()}` });
    const held = await lockTable(database, table, 'ACCESS EXCLUSIVE');
    const sockets = await sendMany(10, request({ key }));
    await held.waitUntilBlocking();
    for (const socket of sockets) leave(socket);
    await held.release();

    await onlyOneIsLeft();
  });

  it('while it catches up', async () => {
    const start = await subscribe(server, 'subscription { catalogChanged { id } }');
    await factoriesFor(server).program();
    const seen = await start.next();
    start.close();
    // More events than are retained for those who are not far behind.
    await database.query(
      `DO $$ BEGIN FOR i IN 1..1200 LOOP INSERT INTO programs (name, duration) VALUES ('Physics', '4 Years'); END LOOP; END $$`,
    );
    const resumed = request().replace('\r\n\r\n', `\r\nLast-Event-ID: ${seen?.id}\r\n\r\n`);
    const sockets = await sendMany(10, resumed);
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    for (const socket of sockets) leave(socket);

    await onlyOneIsLeft();
  });

  it('in the middle of an event', async () => {
    const sockets = await sendMany(10, request());
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    const held = await lockTable(database, 'branches', 'ACCESS EXCLUSIVE');
    await database.query(`INSERT INTO programs (name, duration) VALUES ('Physics', '4 Years')`);
    await held.waitUntilBlocking();
    for (const socket of sockets) leave(socket);
    await held.release();

    await onlyOneIsLeft();
  });

  it('while another answer on the same connection goes on', async () => {
    const sockets = await sendMany(10, request().repeat(3));
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    for (const socket of sockets) leave(socket);

    await onlyOneIsLeft();
  });
});

describe('a subscription is released that', () => {
  it('accepts no events', async () => {
    await sendMany(10, request({ accept: 'image/png' }));

    await onlyOneIsLeft();
  });

  it('has a key that is revoked while it is being set up', async () => {
    const key = await makeKey(database, { user: 'revoked meanwhile' });
    expect((await server.rest('get', '/ping', key)).status).toBe(200);
    const held = await lockTable(database, 'change_log', 'ACCESS EXCLUSIVE');
    await sendMany(10, request({ key }));
    await held.waitUntilBlocking();
    const revoking = database.query(
      `UPDATE api_keys SET revoked_at = now() FROM users WHERE users.id = user_id AND users.name = 'revoked meanwhile'`,
    );
    await held.release();
    await revoking;

    await onlyOneIsLeft();
  });

  it('cannot be set up', async () => {
    const held = await lockTable(database, 'change_log', 'ACCESS EXCLUSIVE');
    const sockets = await sendMany(10, request());
    const answers = await Promise.all(sockets.map((socket) => once(socket, 'data')));
    expect(answers.join()).toContain('UNAVAILABLE');
    await held.release();

    await onlyOneIsLeft();
  });
});

it('requests that wait behind an answer without an end take no place from others', async () => {
  const ping = ['GET /v1/ping HTTP/1.1', 'Host: localhost', `x-api-key: ${adminKey}`, '', ''].join('\r\n');
  const socket = await send(request() + ping.replace('ping', 'api/academics/programs/1').repeat(50));
  await once(socket, 'data');

  await vi.waitFor(async () => expect((await server.rest('post', '/api/academics/programs')).status).toBe(400));
  socket.destroy();
  await onlyOneIsLeft();
  expect((await server.rest('get', '/api/academics/programs/1')).status).toBe(200);
});
