import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { lockTable } from '../support/table-lock.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
afterEach(() => server.database.query('TRUNCATE programs, branches, branch_years, idempotency_records'));

/** Sends the request now, not when its answer is first asked for. */
const send = async (document: string, variables: object = {}) =>
  server.graphql(document, variables).set('Idempotency-Key', 'a-key');
const program = (alias: string) => `${alias}: createProgram(input: { name: "${alias}", duration: "4 Years" }) { name }`;
const branchOf = (programId: number) =>
  `createBranch(input: { programId: ${programId}, name: "Optics", years: 1 }) { name }`;
const names = async () =>
  (await server.database.query('SELECT name FROM programs ORDER BY id')).map(({ name }) => name);
const recorded = async () => (await server.database.query('SELECT id FROM idempotency_records')).length;

const errorOf = (path: string | null, code: string, message: string) => ({
  data: null,
  errors: [{ message, extensions: { code }, ...(path !== null && { path: [path], locations: expect.any(Array) }) }],
});
const unavailable = 'The service is temporarily unavailable. Please try again.';

describe('a document with an Idempotency-Key whose second field', () => {
  it('is refused is kept as it is without a key, and never repeated', async () => {
    const document = `mutation { ${program('a')} ${branchOf(2_000_000_000)} ${program('b')} }`;

    const first = await send(document);
    const responseCache = await names();
    const second = await send(document);

    expect(first.body).toEqual(errorOf('createBranch', 'NOT_FOUND', 'Program 2000000000 does not exist.'));
    expect(responseCache).toEqual(['a']);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers).toMatchObject({ 'idempotency-replayed': 'true' });
    expect(await names()).toEqual(['a']);
    await server.graphql(document);
    expect(await names()).toEqual(['a', 'a']);
  });

  it('is refused in the middle of its work is kept but for that field', async () => {
    const administrators = `SELECT name FROM users WHERE role = 'admin' AND NOT disabled`;
    const [{ name } = {}, ...others] = await server.database.query(administrators);

    const answer = await send(`mutation { ${program('a')} updateUser(name: "${name}", disabled: true) { id } }`);

    expect(others).toEqual([]);
    expect(answer.body.errors).toMatchObject([{ extensions: { code: 'CONFLICT' }, path: ['updateUser'] }]);
    expect(await names()).toEqual(['a']);
    expect(await server.database.query(administrators)).toEqual([{ name }]);
  });

  it('fails is undone: it can be sent again', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Physics' });
    const document = `mutation { ${program('a')} ${branchOf(id)} }`;

    await server.database.query('ALTER TABLE branches ADD CONSTRAINT refusing CHECK (false) NOT VALID');
    const failed = await send(document);
    await server.database.query('ALTER TABLE branches DROP CONSTRAINT refusing');

    expect(failed.body).toEqual(errorOf('createBranch', 'INTERNAL_SERVER_ERROR', 'Internal server error.'));
    expect([await names(), await recorded()]).toEqual([['Physics'], 0]);
    expect((await send(document)).body).toEqual({ data: { a: { name: 'a' }, createBranch: { name: 'Optics' } } });
    expect([await names(), await recorded()]).toEqual([['Physics', 'a'], 1]);
  });

  it('loses its connection is undone: it can be sent again', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Physics' });
    const document = `mutation { ${program('a')} ${branchOf(id)} }`;
    const held = await lockTable(server.database, 'branches');
    const first = send(document);
    await held.waitUntilBlocking();

    await held.terminateBlocked();
    const failed = await first;
    await held.release();

    expect(failed.body).toEqual(errorOf('createBranch', 'UNAVAILABLE', unavailable));
    expect([await names(), await recorded()]).toEqual([['Physics'], 0]);
    expect((await send(document)).body).not.toHaveProperty('errors');
    expect(await names()).toEqual(['Physics', 'a']);
  });
});

describe('a mutation with an Idempotency-Key', () => {
  it.each([
    ['a field that is refused', `mutation { ${branchOf(2_000_000_000)} }`, 200],
    ['a variable of the wrong type', `mutation ($n: Int!) { ${program('a')} __typename @skip(if: $n) }`, 400],
    ['nothing to do', 'mutation { __typename }', 200],
  ])('leaves the key free after %s', async (_what, document, status) => {
    const first = await send(document);
    const second = await send(document);

    expect([first.status, second.status]).toEqual([status, status]);
    expect(second.headers).not.toHaveProperty('idempotency-replayed');
    expect(await recorded()).toBe(0);
  });

  it('leaves nothing when its record cannot be written, and can be sent again', async () => {
    const document = `mutation { ${program('a')} }`;
    await server.database.query('ALTER TABLE idempotency_records ADD CONSTRAINT refusing CHECK (false) NOT VALID');
    const failed = await send(document);
    await server.database.query('ALTER TABLE idempotency_records DROP CONSTRAINT refusing');

    expect(failed.body).toEqual(errorOf(null, 'INTERNAL_SERVER_ERROR', 'Internal server error.'));
    expect(server.logged.filter((line) => line.includes('request failed'))).not.toEqual([]);
    expect(await names()).toEqual([]);
    expect((await send(document)).body).toEqual({ data: { a: { name: 'a' } } });
  });

  it('sent fifty times at once is carried out once', async () => {
    const document = `mutation { ${program('a')} }`;

    const answers = await Promise.all(Array.from({ length: 50 }, () => send(document)));

    const made = JSON.stringify({ data: { a: { name: 'a' } } });
    const others = answers.filter(({ text }) => text !== made).map(({ body }) => body);
    const running = 'The first request with this Idempotency-Key is still running.';
    expect(others).toEqual(others.map(() => errorOf('a', 'CONFLICT', running)));
    expect(
      answers.filter((answer) => answer.text === made && !('idempotency-replayed' in answer.headers)),
    ).toHaveLength(1);
    expect(await names()).toEqual(['a']);
  });
});
