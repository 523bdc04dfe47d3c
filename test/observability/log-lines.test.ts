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
  await vi.waitFor(() => expect(server.logged.at(-1)).toContain('"msg":"request"'));
  logged = server.logged.length;
});

/** The next line of a request; it comes when its answer has gone. */
function nextRequestLine(): Promise<object> {
  return vi.waitFor(() => {
    const line = server.logged.slice(logged).find((text) => text.includes('"msg":"request"'));
    return JSON.parse(line ?? 'none yet');
  });
}

const programs = '/api/academics/programs';
const change = (field: string) => server.graphql(`mutation { ${field} { id } }`);
const createOnce = () =>
  server.rest('post', programs).set('Idempotency-Key', 'once').send({ name: 'Once', duration: '1 Year' });

describe('the line of a request', () => {
  it.each([
    ['a read by REST', 200, debug, () => server.rest('get', programs)],
    ['the same read, kept', 200, debug, () => server.rest('get', programs)],
    ['a read by GraphQL', 200, debug, () => server.graphql('{ catalogStats { programs } }')],
    ['a refusal', 401, debug, () => server.rest('get', programs, null)],
    ['a create by REST', 201, info, () => server.rest('post', programs).send({ name: 'Optics', duration: '1 Year' })],
    ['a create that is refused', 400, debug, () => server.rest('post', programs).send({})],
    ['a write with an Idempotency-Key', 201, info, createOnce],
    ['its repeat, which writes nothing', 201, debug, createOnce],
    ['a create by GraphQL', 200, info, () => change('createProgram(input: { name: "Waves", duration: "1 Year" })')],
    ['an update', 200, info, () => change(`updateProgram(id: ${programId}, input: { name: "Light" })`)],
    ['an update that is refused', 200, debug, () => change('updateProgram(id: 0, input: { name: "Light" })')],
    ['a deletion', 200, info, () => change(`deleteProgram(id: ${programId})`)],
    ['a restoration', 200, info, () => change(`restoreProgram(id: ${programId})`)],
    ['a change of users', 200, info, () => change('createUser(name: "ada", role: viewer)')],
  ] as const)('has, for %s, the status %i and the level %i', async (_what, status, level, ask) => {
    await ask();

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

  it('is at the level info when the service failed', async () => {
    const held = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    const answer = server.rest('get', `${programs}/12345`).then();
    await held.waitUntilBlocking();
    await held.terminateBlocked();

    expect((await answer).status).toBe(503);
    expect(await nextRequestLine()).toMatchObject({ level: info, status: 503 });
  });

  it('is at the level info when it took long', async () => {
    await server.database.query('ALTER TABLE programs RENAME TO real_programs');
    await server.database.query('CREATE VIEW programs AS SELECT real_programs.* FROM real_programs, pg_sleep(1.1)');
    onTestFinished(async () => {
      await server.database.query('DROP VIEW programs');
      await server.database.query('ALTER TABLE real_programs RENAME TO programs');
    });

    await server.rest('get', `${programs}/${programId}`);

    expect(await nextRequestLine()).toMatchObject({ level: info, status: 200 });
  });

  it('has the status 499 when the client left before there was an answer', async () => {
    const held = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    const request = http.get(`${server.url}/v1${programs}/54321`, { headers: { 'x-api-key': adminKey } });
    await held.waitUntilBlocking();
    request.destroy();
    await Promise.allSettled([once(request, 'error')]);

    expect(await nextRequestLine()).toMatchObject({ level: debug, status: 499 });
  });
});
