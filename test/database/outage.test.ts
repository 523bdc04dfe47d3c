import { setTimeout as delay } from 'node:timers/promises';
import supertest, { type Test } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeApiKey } from '../../src/auth/api-key.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { lockTable } from '../support/table-lock.ts';

/** A request is answered in this time, whatever the database does; once that is back, all works within the other. */
const answeredWithinMs = 3_000;
const backWithinMs = 5_000;

const message = 'The service is temporarily unavailable. Please try again.';
const restRefusal = { status: 503, retryAfter: '2', body: { message } };
const graphqlRefusal = {
  status: 503,
  retryAfter: '2',
  body: { errors: [{ message, extensions: { code: 'UNAVAILABLE' } }] },
};

let database: TestDatabase;
let proxy: DatabaseProxy;
let server: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openDatabaseProxy(database.url);
  server = await startTestServer(
    { DATABASE_URL: proxy.url, JWT_SECRET: 'a-secret-of-at-least-32-characters!' },
    database,
  );
});

afterAll(async () => {
  await server.close();
  await proxy.close();
  await database.close();
});

beforeEach(async () => {
  await proxy.restore();
  await works();
});

const newProgram = { name: 'Physics', duration: '4 Years' };
const mutation = 'mutation { createProgram(input: { name: "Physics", duration: "4 Years" }) { id } }';

/** One request of each kind to REST, and to GraphQL. */
const rest: Readonly<Record<string, () => Test>> = {
  'a list': () => server.rest('get', '/api/academics/programs'),
  'a read': () => server.rest('get', '/api/academics/branches/1'),
  'a create': () => server.rest('post', '/api/academics/programs').send(newProgram),
  'a create with an idempotency key': () =>
    server.rest('post', '/api/academics/programs').set('Idempotency-Key', 'the-same').send(newProgram),
  'a key that nobody has seen': () => server.rest('get', '/ping', makeApiKey()),
};
const graphql: Readonly<Record<string, () => Test>> = {
  'a query': () => server.graphql('{ programs { items { id } } }'),
  'a mutation': () => server.graphql(mutation),
  'a query with a key that nobody has seen': () => server.graphql('{ ping { status } }', {}, makeApiKey()),
};

interface Timed {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: unknown;
  readonly inTime: boolean;
}

async function timed(test: Test): Promise<Timed> {
  const began = performance.now();
  const { status, headers, body } = await test;
  return { status, retryAfter: headers['retry-after'], body, inTime: performance.now() - began < answeredWithinMs };
}

/** The answers to one request of each kind, all sent at once. */
async function answersTo(kinds: Readonly<Record<string, () => Test>>): Promise<Record<string, Timed>> {
  const answers = Object.entries(kinds).map(async ([kind, send]) => [kind, await timed(send())] as const);
  return Object.fromEntries(await Promise.all(answers));
}

function allOf(kinds: Readonly<Record<string, unknown>>, answer: object): Record<string, object> {
  return Object.fromEntries(Object.keys(kinds).map((kind) => [kind, { ...answer, inTime: true }]));
}

const ready = () => supertest(server.url).get('/readyz');

/** Waits until everything works: reading, writing, readiness, and hearing of what others change. */
async function works(): Promise<void> {
  await vi.waitFor(
    async () => {
      expect((await ready()).status).toBe(200);
      expect((await server.rest('post', '/api/academics/programs').send(newProgram)).status).toBe(201);
      // A key is remembered, and takes no statement, only while changes of it are heard of.
      server.statements.length = 0;
      expect((await server.rest('get', '/ping')).status).toBe(200);
      expect(server.statements).toEqual([]);
    },
    { timeout: backWithinMs, interval: 50 },
  );
}

describe('while the database refuses connections', () => {
  it('answers every request with 503, in the form of its surface', async () => {
    await proxy.cut();

    expect(await answersTo(rest)).toEqual(allOf(rest, restRefusal));
    expect(await answersTo(graphql)).toEqual(allOf(graphql, graphqlRefusal));
  });

  it('is alive and not ready', async () => {
    await proxy.cut();

    const { status, headers, body } = await ready();

    expect({ status, body }).toEqual({ status: 503, body: { message: 'The database cannot be reached.' } });
    expect(headers['retry-after']).toBe('2');
    expect((await supertest(server.url).get('/livez')).status).toBe(200);
  });
});

describe('while the database hangs', () => {
  it('answers requests that were let in before it was noticed', async () => {
    proxy.hang();

    expect(await answersTo(rest)).toEqual(allOf(rest, restRefusal));
  });

  it('tells by the error of a field that GraphQL had begun to resolve', async () => {
    await server.rest('get', '/ping'); // From now on the key is known, and takes no statement.
    proxy.hang();

    const { status, body } = await server.graphql('{ programs { items { id } } }');

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: null,
        errors: [
          { message, path: ['programs'], locations: [{ line: 1, column: 3 }], extensions: { code: 'UNAVAILABLE' } },
        ],
      },
    });
  });

  it('answers each of many requests in time, and so those that come later', async () => {
    proxy.hang();
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [n, () => server.rest('get', '/ping', makeApiKey())]),
    );

    const answers = await answersTo(many);

    const tally = Object.values(answers).map(({ status, inTime }) => `${status} ${inTime ? 'in time' : 'late'}`);
    expect(new Set(tally)).toEqual(new Set(['503 in time']));
    expect(await answersTo(graphql)).toEqual(allOf(graphql, graphqlRefusal));
    expect((await ready()).status).toBe(503);
    expect((await supertest(server.url).get('/livez')).status).toBe(200);
  });
});

describe('when the database crashes in the midst of a statement', () => {
  const unavailable = expect.objectContaining({ message, extensions: { code: 'UNAVAILABLE' } });
  const create = () => server.rest('post', '/api/academics/programs').send(newProgram);
  const withKey = (test: Test) => test.set('Idempotency-Key', 'in-the-midst');

  it.each<[string, string, () => Test, object]>([
    ['a read', 'programs', () => server.rest('get', '/api/academics/programs/7'), { status: 503, body: { message } }],
    ['a create', 'programs', create, { status: 503, body: { message } }],
    ['a create with a key', 'idempotency_records', () => withKey(create()), { status: 503, body: { message } }],
    [
      'a mutation with a key',
      'idempotency_records',
      () => withKey(server.graphql(mutation)),
      { status: 200, body: { data: null, errors: [unavailable] } },
    ],
    [
      'statistics',
      'programs',
      () => server.graphql('{ catalogStats { programs } }'),
      { status: 200, body: { data: null, errors: [unavailable] } },
    ],
  ])('answers that it is away: %s', async (_kind, table, send, expected) => {
    const held = await lockTable(database, table, 'ACCESS EXCLUSIVE');
    const sent = send().then(({ status, body }) => ({ status, body }));
    await held.waitUntilBlocking();

    proxy.reset();

    expect(await sent).toEqual(expected);
    await held.release();
  });
});

describe('while the database does not let the service in', () => {
  it.each([
    [
      'it has another name',
      (name: string) => `${name} RENAME TO ${name}_away`,
      (name: string) => `${name}_away RENAME TO ${name}`,
    ],
    [
      'it allows no connections',
      (name: string) => `${name} ALLOW_CONNECTIONS false`,
      (name: string) => `${name} ALLOW_CONNECTIONS true`,
    ],
  ])('answers every request with 503, because %s', async (_reason, away, back) => {
    const name = new URL(database.url).pathname.slice(1);
    const other = await createTestDatabase(null);
    const alter = (change: string) => other.query(`ALTER DATABASE ${change}`);
    await proxy.cut();
    // The ends of broken connections are noticed a little later.
    await vi.waitFor(() => alter(away(name)), backWithinMs);
    await proxy.restore();

    const answers = await answersTo({ ...rest, ...graphql });

    await alter(back(name));
    await other.close();
    expect(answers).toEqual({ ...allOf(rest, restRefusal), ...allOf(graphql, graphqlRefusal) });
  });
});

describe('when the database is back', () => {
  it.each(['refused', 'hung'])('works again although it %s, without a restart', async (trouble) => {
    if (trouble === 'hung') proxy.hang();
    else await proxy.cut();
    await answersTo({ ...rest, ...graphql });

    await proxy.restore();

    await works();
  });

  it('works again at once after a stutter in which nobody asked', async () => {
    await proxy.cut();
    await delay(0);
    await proxy.restore();

    await works();
  });

  it('has no transaction left open, and nothing half-written', async () => {
    proxy.hang();
    await answersTo({
      'a create': () => server.rest('post', '/api/academics/programs').send({ ...newProgram, name: 'Half' }),
    });
    await proxy.restore();
    await works();

    const open = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`;
    await vi.waitFor(async () => expect(await database.query(open)).toEqual([]), backWithinMs);
    expect(await database.query(`SELECT 1 FROM programs WHERE name = 'Half'`)).toEqual([]);
  });
});
