import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { lockTable } from '@service/postgres/testing/table-lock';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { within } from '../support/running-time.ts';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer({ RESPONSE_CACHE_MAX_BYTES: '0' });

/** A connection that is closed when the test ends, and what has been received on it. */
interface RawConnection {
  readonly socket: Socket;
  readonly received: () => string;
}

async function open(): Promise<RawConnection> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
  });
  await once(socket, 'connect');
  return { socket, received: () => text };
}

const openMany = (count: number) => Promise.all(Array.from({ length: count }, open));

const head = (line: string, ...headers: string[]) => headOf(adminKey, line, ...headers);
const headOf = (key: string, line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: localhost', `x-api-key: ${key}`, ...headers, '', ''].join('\r\n');

const list = '/api/academics/programs';

const rest = (key: string, id: number | undefined): string => headOf(key, `GET /v1${list}/${id}`);
const graphql = (key: string, id: number | undefined): string => {
  const body = JSON.stringify({ query: `{ program(id: ${id}) { name } }` });
  return headOf(key, 'POST /graphql', 'Content-Type: application/json', `Content-Length: ${body.length}`) + body;
};

describe('an overloaded service', () => {
  it('sheds load with 503, stays alive, and recovers', async () => {
    const clients = await openMany(1_100);
    // Those that are not shed wait for the lock, at most as long as a statement may take.
    const { release } = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    for (const { socket } of clients) socket.write(head(`GET /v1${list}`));
    const responses = () => clients.map(({ received }) => received());
    const shed =
      /^HTTP\/1\.1 503 .*\r\nRetry-After: 1\r\nX-Error-Code: UNAVAILABLE\r\n.*"The service is overloaded\. Please try again\."/s;
    await within(10_000, () => expect(responses()).toContainEqual(expect.stringMatching(shed)), 5);
    const [alive] = await Promise.all([supertest(server.url).get('/livez'), release()]);

    expect(alive.status).toBe(200);
    // Read on a new connection, maybe before the last of those that were there.
    await within(10_000, async () => {
      const { text } = await supertest(server.url).get('/metrics');
      expect(text).toMatch(/^http_requests_rejected_total\{reason="overloaded"\} [1-9]/m);
      expect(text).toMatch(/^http_requests_rejected_total\{reason="stopping"\} 0$/m);
    });
    const statuses = () => responses().map((response) => /^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);
    await within(10_000, () => expect(statuses()).not.toContain(undefined));
    expect(new Set(statuses())).toEqual(new Set(['200', '503']));
    expect((await server.rest('get', list)).status).toBe(200);
  });

  it('counts the requests of clients that have disconnected, as long as the database works for them', async () => {
    await server.database.query(`INSERT INTO programs (name, duration) SELECT n, '1' FROM generate_series(1, 50) n`);
    await server.database.query('ALTER TABLE programs RENAME TO real_programs');
    await server.database.query('CREATE VIEW programs AS SELECT real_programs.* FROM real_programs, pg_sleep(1.9)');
    onTestFinished(async () => {
      await server.database.query('DROP VIEW programs');
      await server.database.query('ALTER TABLE real_programs RENAME TO programs');
    });
    const ids = (await server.database.query('SELECT id FROM real_programs')).map(({ id }) => Number(id));
    const clients = await openMany(50);
    // Of any number of callers: few leave slots to others.
    const keys = await Promise.all(clients.map((_, index) => server.makeKey({ user: `caller ${index}` })));
    for (const [index, { socket }] of clients.entries()) {
      const send = index % 2 === 0 ? rest : graphql;
      socket.write(send(keys[index] ?? '', ids[index]));
    }
    await within(5_000, async () => {
      const sleeping = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
      expect(await server.database.query(sleeping)).not.toEqual([]);
      expect((await supertest(server.url).get('/livez')).status).toBe(200);
    });
    for (const { socket } of clients) socket.destroy();

    const { status, body } = await server.rest('get', '/api/academics/branches/1');

    expect({ status, body }).toEqual({
      status: 503,
      body: { message: 'The service is overloaded. Please try again.' },
    });
  });
});

/** More than have slots at the same time. */
const slowMax = 60;

it('slow clients do not block others, whether they are slow with headers, bodies or reading responses', async () => {
  const headers = await openMany(slowMax);
  for (const { socket } of headers) socket.write('GET /v1/ping HTTP/1.1\r\nHost: loc');
  const bodies = await openMany(slowMax);
  const post = head(`POST /v1${list}`, 'Content-Type: application/json', 'Content-Length: 100');
  for (const { socket } of bodies) socket.write(`${post}{"name": "Phy`);
  const readers = await openMany(3);
  for (const { socket } of readers) {
    socket.pause();
    socket.write(head('GET /openapi.json').repeat(20));
  }

  expect((await server.rest('get', list)).status).toBe(200);
  expect((await server.rest('post', list).send({ name: 'Physics', duration: '4 Years' })).status).toBe(201);
});
