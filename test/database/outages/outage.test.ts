import { setTimeout as delay } from 'node:timers/promises';
import { type DatabaseProxy, openDatabaseProxy } from '@service/postgres/testing/database-proxy';
import { lockTable } from '@service/postgres/testing/table-lock';
import supertest, { type Test } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeApiKey } from '../../../src/validation/api-key-form.ts';
import { createTestDatabase, useDatabase } from '../../support/database.ts';
import { within } from '../../support/running-time.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

/** The time to recover after an outage. */
const backWithinMs = 5_000;

const message = 'The service is temporarily unavailable. Please try again.';
const restRejection = { status: 503, retryAfter: '2', body: { message } };
const graphqlRejection = {
  status: 503,
  retryAfter: '2',
  body: { errors: [{ message, extensions: { code: 'UNAVAILABLE' } }] },
};

const database = useDatabase();
let proxy: DatabaseProxy;
let server: TestServer;

beforeAll(async () => {
  proxy = await openDatabaseProxy(database.url);
  server = await startTestServer(
    { DATABASE_URL: proxy.url, JWT_SECRET: 'a-secret-of-at-least-32-characters!' },
    database,
  );
});

afterAll(async () => {
  await server.close();
  await proxy.close();
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

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: unknown;
}

async function answerTo(test: Test): Promise<Answer> {
  const { status, headers, body } = await test;
  return { status, retryAfter: headers['retry-after'], body };
}

/** Sends one request of each kind concurrently. During an outage all are answered before it ends: no test ends it sooner. */
async function responsesTo(kinds: Readonly<Record<string, () => Test>>): Promise<Record<string, Answer>> {
  const responses = Object.entries(kinds).map(async ([kind, send]) => [kind, await answerTo(send())] as const);
  return Object.fromEntries(await Promise.all(responses));
}

function allOf(kinds: Readonly<Record<string, unknown>>, response: object): Record<string, object> {
  return Object.fromEntries(Object.keys(kinds).map((kind) => [kind, response]));
}

const ready = () => supertest(server.url).get('/readyz');

/** Waits until reads, writes, readiness and change notifications work. */
async function works(): Promise<void> {
  await within(
    backWithinMs,
    async () => {
      expect((await ready()).status).toBe(200);
      expect((await server.rest('post', '/api/academics/programs').send(newProgram)).status).toBe(201);
      // A key is served from the cache, without SQL, only while the listener is live.
      server.statements.length = 0;
      expect((await server.rest('get', '/ping')).status).toBe(200);
      expect(server.statements).toEqual([]);
    },
    50,
  );
}

describe('while the database rejects connections', () => {
  it('responds to every request with 503, in the error format of its API', async () => {
    await proxy.cut();

    expect(await responsesTo(rest)).toEqual(allOf(rest, restRejection));
    expect(await responsesTo(graphql)).toEqual(allOf(graphql, graphqlRejection));
  });

  it('is alive and not ready', async () => {
    await proxy.cut();

    const { status, headers, body } = await ready();

    expect({ status, body }).toEqual({ status: 503, body: { message: 'The database cannot be reached.' } });
    expect(headers).toMatchObject({ 'retry-after': '2', 'x-error-code': 'UNAVAILABLE' });
    expect((await supertest(server.url).get('/livez')).status).toBe(200);
  });
});

describe('while the database hangs', () => {
  it('responds, before it ends, to requests that were admitted before it was noticed', async () => {
    proxy.hang();

    expect(await responsesTo(rest)).toEqual(allOf(rest, restRejection));
  });

  it('reports an error on a GraphQL field that was being resolved', async () => {
    await server.rest('get', '/ping'); // Caches the key, which then needs no SQL.
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

  it('responds, before it ends, to many requests, and to later ones', async () => {
    proxy.hang();
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [n, () => server.rest('get', '/ping', makeApiKey())]),
    );

    const responses = await responsesTo(many);

    expect(new Set(Object.values(responses).map(({ status }) => status))).toEqual(new Set([503]));
    expect(await responsesTo(graphql)).toEqual(allOf(graphql, graphqlRejection));
    expect((await ready()).status).toBe(503);
    expect((await supertest(server.url).get('/livez')).status).toBe(200);
  });
});

describe('when the database crashes during a statement', () => {
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
  ])('responds that it is unavailable: %s', async (_kind, table, send, expected) => {
    const lock = await lockTable(database, table, 'ACCESS EXCLUSIVE');
    const sent = send().then(({ status, body }) => ({ status, body }));
    await lock.waitUntilBlocking();

    proxy.reset();

    expect(await sent).toEqual(expected);
    await lock.release();
  });
});

describe('while the database does not accept the service', () => {
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
  ])('responds to every request with 503, because %s', async (_reason, away, back) => {
    const name = new URL(database.url).pathname.slice(1);
    const other = await createTestDatabase(null);
    const alter = (change: string) => other.query(`ALTER DATABASE ${change}`);
    await proxy.cut();
    // Broken connections are noticed a little later.
    await within(backWithinMs, () => alter(away(name)));
    await proxy.restore();

    const responses = await responsesTo({ ...rest, ...graphql });

    await alter(back(name));
    await other.close();
    expect(responses).toEqual({ ...allOf(rest, restRejection), ...allOf(graphql, graphqlRejection) });
  });
});

describe('when the database is available again', () => {
  it.each(['rejected connections', 'hung'])('recovers without a restart after it %s', async (trouble) => {
    if (trouble === 'hung') proxy.hang();
    else await proxy.cut();
    await responsesTo({ ...rest, ...graphql });

    await proxy.restore();

    await works();
  });

  it('recovers at once after a cut that no request has noticed', async () => {
    await proxy.cut();
    await delay(0);
    await proxy.restore();

    await works();
  });

  it('has no open transaction and no partial write', async () => {
    proxy.hang();
    await responsesTo({
      'a create': () => server.rest('post', '/api/academics/programs').send({ ...newProgram, name: 'Half' }),
    });
    await proxy.restore();
    await works();

    const open = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`;
    await within(backWithinMs, async () => expect(await database.query(open)).toEqual([]));
    expect(await database.query(`SELECT 1 FROM programs WHERE name = 'Half'`)).toEqual([]);
  });
});
