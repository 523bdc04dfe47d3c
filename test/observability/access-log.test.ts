import { once } from 'node:events';
import http from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';
import { lockTable } from '../support/table-lock.ts';

const debug = 20;
const info = 30;

let server: TestServer;
let programId: number;
let logged = 0;

beforeAll(async () => {
  server = await startTestServer();
  programId = (await factoriesFor(server).program()).id;
});
afterAll(() => server.close());
beforeEach(async () => {
  // Each test waits for its own line; this is for that of the setup.
  await vi.waitFor(() => expect(server.logged.some((text) => text.includes('"msg":"request"'))).toBe(true));
  logged = server.logged.length;
});

/** The next request line; it is logged once the response has been sent. */
function nextRequestLine(): Promise<object> {
  return vi.waitFor(() => {
    const line = server.logged.slice(logged).find((text) => text.includes('"msg":"request"'));
    return JSON.parse(line ?? 'none yet');
  });
}

const programs = '/api/academics/programs';
const mutate = (field: string) => server.graphql(`mutation { ${field} { id } }`);
const createOnce = () =>
  server.rest('post', programs).set('Idempotency-Key', 'once').send({ name: 'Once', duration: '1 Year' });

describe('the request line in the log', () => {
  it.each([
    ['a REST read', 200, debug, () => server.rest('get', programs)],
    ['the same read from the cache', 200, debug, () => server.rest('get', programs)],
    ['a GraphQL read', 200, debug, () => server.graphql('{ catalogStats { programs } }')],
    ['a rejected request', 401, debug, () => server.rest('get', programs, null)],
    ['a REST create', 201, info, () => server.rest('post', programs).send({ name: 'Optics', duration: '1 Year' })],
    ['a rejected create', 400, debug, () => server.rest('post', programs).send({})],
    ['a write with an Idempotency-Key', 201, info, createOnce],
    ['a replay, which writes nothing', 201, debug, createOnce],
    ['a GraphQL create', 200, info, () => mutate('createProgram(input: { name: "Waves", duration: "1 Year" })')],
    ['an update', 200, info, () => mutate(`updateProgram(id: ${programId}, input: { name: "Light" })`)],
    ['a rejected update', 200, debug, () => mutate('updateProgram(id: 0, input: { name: "Light" })')],
    ['a deletion', 200, info, () => mutate(`deleteProgram(id: ${programId})`)],
    ['a restoration', 200, info, () => mutate(`restoreProgram(id: ${programId})`)],
    ['a new user', 200, info, () => mutate('createUser(name: "ada", role: VIEWER)')],
  ] as const)('for %s has status %i and level %i', async (_what, status, level, perform) => {
    await perform();

    expect(await nextRequestLine()).toEqual({
      level,
      time: expect.any(Number),
      requestId: expect.any(String),
      method: expect.stringMatching(/^(GET|POST)$/),
      path: expect.stringMatching(/^\//),
      status,
      durationMs: expect.any(Number),
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

  it('has status 499 when the client disconnects before the response', async () => {
    const held = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    const request = http.get(`${server.url}/v1${programs}/54321`, { headers: { 'x-api-key': adminKey } });
    await held.waitUntilBlocking();
    request.destroy();
    await Promise.allSettled([once(request, 'error')]);

    expect(await nextRequestLine()).toMatchObject({ level: debug, status: 499 });
  });
});
