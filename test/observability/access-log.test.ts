import { once } from 'node:events';
import http from 'node:http';
import { lockTable } from '@service/postgres/testing/table-lock';
import { SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hashApiKey } from '../../src/accounts/keys/api-key.ts';
import { makeApiKey } from '../../src/validation/api-key-form.ts';
import { within } from '../support/running-time.ts';
import { adminKey, useServer } from '../support/server.ts';

const secret = 'a secret of the test, long enough for HS256';
const token = (claims: object): Promise<string> =>
  new SignJWT({ sub: 'ada', aud: 'here', exp: 4_000_000_000, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(secret));

const debug = 20;
const info = 30;

const server = useServer({ JWT_SECRET: secret, JWT_AUDIENCE: 'here' });
let programId: number;
let logged = 0;

beforeAll(async () => {
  programId = (await server.make.program()).id;
});
beforeEach(async () => {
  // Each test waits for its own line; this is for that of the setup.
  await within(1_000, () => expect(server.logged.some((text) => text.includes('"msg":"request"'))).toBe(true));
  logged = server.logged.length;
});

/** The next request line; it is logged once the response has been sent. */
function nextRequestLine(): Promise<object> {
  return within(1_000, () => {
    const line = server.logged.slice(logged).find((text) => text.includes('"msg":"request"'));
    return JSON.parse(line ?? 'none yet');
  });
}

const programs = '/api/academics/programs';
const mutate = (field: string) => server.graphql(`mutation { ${field} { id } }`);
const createOnce = () =>
  server.rest('post', programs).set('Idempotency-Key', 'once').send({ name: 'Once', duration: '1 Year' });
/** A document with two operations, of which the second is executed. */
const named = {
  query: 'query Nothing { ping { status } } query Everything { programs { count } }',
  operationName: 'Everything',
};

/** Operations, by request. */
const operations: Readonly<Record<string, string>> = {
  'a REST read': 'ListPrograms',
  'the same read from the cache': 'ListPrograms',
  'a rejected request': 'ListPrograms',
  'a rejected HEAD': 'ListPrograms',
  'a REST create': 'CreateProgram',
  'a rejected create': 'CreateProgram',
  'a write with an Idempotency-Key': 'CreateProgram',
  'a replay, which writes nothing': 'CreateProgram',
};

describe('the request line in the log', () => {
  it.each([
    ['a REST read', 200, debug, () => server.rest('get', programs)],
    ['the same read from the cache', 200, debug, () => server.rest('get', programs)],
    ['a GraphQL read', 200, debug, () => server.graphql('{ catalogStats { programs } }')],
    ['a rejected request', 401, debug, () => server.rest('get', programs, null)],
    ['a rejected HEAD', 401, debug, () => server.rest('head', programs, null)],
    ['a REST create', 201, info, () => server.rest('post', programs).send({ name: 'Optics', duration: '1 Year' })],
    ['a rejected create', 400, debug, () => server.rest('post', programs).send({})],
    ['a write with an Idempotency-Key', 201, info, createOnce],
    ['a replay, which writes nothing', 201, debug, createOnce],
    ['a GraphQL create', 200, info, () => mutate('createProgram(input: { name: "Waves", duration: "1 Year" })')],
    ['an update', 200, info, () => mutate(`updateProgram(id: ${programId}, input: { name: "Light" })`)],
    ['a rejected update', 200, debug, () => mutate('updateProgram(id: 0, input: { name: "Light" })')],
    ['a deletion', 200, info, () => mutate(`deleteProgram(id: ${programId})`)],
    ['a restoration', 200, info, () => mutate(`restoreProgram(id: ${programId})`)],
    ['a new user', 200, info, () => mutate('createUser(input: { name: "ada", role: VIEWER })')],
  ] as const)('for %s has status %i and level %i', async (what, status, level, perform) => {
    const operation = operations[what];
    await perform();

    expect(await nextRequestLine()).toEqual({
      level,
      time: expect.any(Number),
      requestId: expect.any(String),
      method: expect.stringMatching(/^(GET|HEAD|POST)$/),
      path: expect.stringMatching(/^\//),
      status,
      durationMs: expect.any(Number),
      ...(status !== 401 && { user: 'admin', keyId: expect.any(Number) }),
      ...(operation !== undefined && { operation }),
      msg: 'request',
    });
  });

  it('has level info for a 503', async () => {
    const held = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    const response = server.rest('get', `${programs}/12345`).then();
    await held.waitUntilBlocking();
    await held.terminateBlocked();

    expect((await response).status).toBe(503);
    expect(await nextRequestLine()).toMatchObject({ level: info, status: 503 });
  });

  it('has level info for a slow request', async () => {
    await server.database.query('ALTER TABLE programs RENAME TO real_programs');
    await server.database.query('CREATE VIEW programs AS SELECT real_programs.* FROM real_programs, pg_sleep(1.1)');
    onTestFinished(async () => {
      await server.database.query('DROP VIEW programs');
      await server.database.query('ALTER TABLE real_programs RENAME TO programs');
    });

    await server.rest('get', `${programs}/${programId}`);

    expect(await nextRequestLine()).toMatchObject({ level: info, status: 200 });
  });

  it('names no credential that a client has put where it does not belong', async () => {
    const key = makeApiKey();
    await server.rest('get', `/${key}/${await token({})}`);
    expect(await nextRequestLine()).toMatchObject({ path: '/v1/[credential]/[credential]' });
    logged = server.logged.length;
    await server.graphql(`query ${key} { ping { status } }`);
    expect(await nextRequestLine()).toMatchObject({ operation: '[credential]' });
  });

  it('names no credential of its request, whatever its form, from the cache either', async () => {
    const chosen = 'chosen_by_an_operator_0123456789';
    await server.database.query(
      `INSERT INTO api_keys (user_id, name, hash, prefix) SELECT user_id, 'chosen', $1, 'chosen_by_' FROM api_keys LIMIT 1`,
      [hashApiKey(chosen)],
    );
    for (const _ of ['uncached', 'cached']) {
      logged = server.logged.length;
      await server.graphql(`query ${chosen} { catalogStats { programs } }`, {}, chosen).expect(200);
      expect(await nextRequestLine()).toMatchObject({ operation: '[credential]' });
    }
    logged = server.logged.length;
    await server.rest('get', `/${chosen}`, chosen);
    expect(await nextRequestLine()).toMatchObject({ path: '/v1/[credential]' });
  });

  it('has status 499 when the client disconnects before the response', async () => {
    await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    server.statements.length = 0;
    const request = http.get(`${server.url}/v1${programs}/54321`, { headers: { 'x-api-key': adminKey } });
    // Not until the lock blocks anything: that may be a count of the background, before the request arrives.
    await within(1_000, () => expect(server.statements).not.toEqual([]));
    request.destroy();
    await Promise.allSettled([once(request, 'error')]);

    expect(await nextRequestLine()).toMatchObject({ level: debug, status: 499 });
  });

  it.each([
    ['by POST', () => server.graphql('query Everything { programs { count } }').then()],
    ['by POST, with several', () => server.graphql('').send(named).then()],
    ['by GET', () => server.get(`/graphql?${new URLSearchParams(named)}`)],
  ])('names the operation of GraphQL, from the cache too: %s', async (_how, perform) => {
    for (const _ of ['uncached', 'cached']) {
      logged = server.logged.length;
      await perform();
      expect(await nextRequestLine()).toMatchObject({ status: 200, operation: 'Everything', user: 'admin' });
    }
  });

  it.each([
    ['with an escape sequence', '\u001b]0;owned\u0007'],
    ['that forges a line', 'x\n20:31:06 POST /graphql deleteProgram 200 1 ms admin'],
    ['that no operation can have', 'a-b'],
    ['that is too long', 'x'.repeat(101)],
  ])('does not repeat an operation name %s', async (_what, operationName) => {
    const query = '{ ping { status } }';
    expect((await server.rest('get', '/ping')).status).toBe(200);
    await nextRequestLine();
    logged = server.logged.length;
    const post = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
      body: JSON.stringify({ query, operationName }),
    });

    expect([200, 400]).toContain(post.status);
    expect(await nextRequestLine()).not.toHaveProperty('operation');
  });
});

describe('a rejected credential', () => {
  it.each<[string, string, () => Promise<string>]>([
    ['an unknown API key', 'unknown API key', async () => 'no-key-of-this-service-0123'],
    ['a revoked API key', 'revoked API key', () => server.makeKey({ revokedAt: new Date() })],
    ['an expired API key', 'expired API key', () => server.makeKey({ expiresAt: new Date(0) })],
    ['an expired token', 'token expired', async () => token({ exp: 1 })],
    ['a token for another audience', 'token for another audience', async () => token({ aud: 'elsewhere' })],
  ])('is logged with its reason, not itself: %s', async (_what, reason, credentialOf) => {
    const credential = await credentialOf();
    await server.rest('get', programs, credential);
    const text = await (await fetch(`${server.url}/metrics`)).text();

    expect(server.logged.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: info, reason, msg: 'credential rejected' }),
    );
    expect(server.logged.join('')).not.toContain(credential);
    expect(text).toContain(`rejected_credentials_total{reason="${reason}"} 1`);
    expect(text).toContain('http_requests_total{route="/v1/api/academics/programs",method="GET",status="401"}');
  });
});
