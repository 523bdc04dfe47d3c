import { lockTable } from '@service/postgres/testing/table-lock';
import { afterEach, describe, expect, it } from 'vitest';
import { emptyCatalog } from '../support/database.ts';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer();
afterEach(() => server.database.query(`${emptyCatalog}; DELETE FROM idempotency_records`));

/** Sends the request now: supertest sends only when awaited. */
const send = async (document: string, variables: object = {}) =>
  server.graphql(document, variables).set('Idempotency-Key', 'a-key');
const program = (alias: string) => `${alias}: createProgram(input: { name: "${alias}", duration: "4 Years" }) { name }`;
const branchOf = (programId: number) =>
  `createBranch(input: { programId: ${programId}, name: "Optics", years: 1 }) { name }`;
const names = async () =>
  (await server.database.query('SELECT name FROM programs ORDER BY id')).map(({ name }) => name);
const recorded = async () => (await server.database.query('SELECT id FROM idempotency_records')).length;

const errorAt = (path: string | null, code: string, message: string) => ({
  message,
  extensions: { code },
  ...(path !== null && { path: [path], locations: expect.any(Array) }),
});
/** The whole document was rolled back. */
const errorOf = (...error: Parameters<typeof errorAt>) => ({ data: null, errors: [errorAt(...error)] });

describe('a mutation with an Idempotency-Key whose second field', () => {
  it('is rejected keeps the effects of the others, as without a key, and is replayed with what was done', async () => {
    const document = `mutation { ${program('a')} ${branchOf(2_000_000_000)} ${program('b')} }`;
    const outcome = {
      data: { a: { name: 'a' }, createBranch: null, b: { name: 'b' } },
      errors: [
        {
          ...errorAt('createBranch', 'NOT_FOUND', 'Program 2000000000 does not exist.'),
          extensions: { code: 'NOT_FOUND', rule: 'MISSING', details: { kind: 'Program', id: '2000000000' } },
        },
      ],
    };

    const first = await send(document);
    const afterFirst = await names();
    const second = await send(document);

    expect(first.body).toEqual(outcome);
    expect(afterFirst).toEqual(['a', 'b']);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers).toMatchObject({ 'idempotency-replayed': 'true' });
    expect(await names()).toEqual(['a', 'b']);
    expect((await server.graphql(document)).body).toMatchObject(outcome);
    expect(await names()).toEqual(['a', 'b', 'a', 'b']);
  });

  it('fails with CONFLICT after a change rolls back only that field', async () => {
    const administrators = `SELECT id, name FROM users WHERE role = 'admin' AND NOT disabled`;
    const [{ id, name } = {}, ...others] = await server.database.query(administrators);

    const create = 'createUser(input: { name: "Noether", role: VIEWER }) { name }';
    const response = await send(`mutation { ${create} updateUser(id: ${id}, input: { disabled: true }) { id } }`);

    expect(others).toEqual([]);
    expect(response.body).toMatchObject({
      data: { createUser: { name: 'Noether' }, updateUser: null },
      errors: [{ extensions: { code: 'CONFLICT' }, path: ['updateUser'] }],
    });
    expect(await server.database.query(administrators)).toEqual([{ id, name }]);
  });

  it('changes users after one of the catalog is rejected: all keys are locked until it ends', async () => {
    const create = 'createUser(input: { name: "Hilbert", role: VIEWER }) { name }';
    const user = `mutation { ${create} }`;
    expect((await send(`mutation { ${program('a')} ${create} }`)).body).toMatchObject({
      data: null,
      errors: [{ extensions: { code: 'VALIDATION_FAILED' } }],
    });
    expect(await names()).toEqual([]);
    expect((await send(user)).body).toEqual({ data: { createUser: { name: 'Hilbert' } } });
  });

  it('is not executed, is forbidden, or is of many records too, makes the transaction no longer', async () => {
    const { id } = await server.make.program({ name: 'Physics' });
    const bulk = `updatePrograms(ids: [${id}], dryRun: true, input: { duration: "2" }) { changed }`;
    const apiKey = await server.makeKey({ user: 'Emmy', role: 'guest' });
    const branch = `createBranch(input: { programId: ${id}, name: "Optics", years: 1 }) { name }`;
    const lock = await lockTable(server.database, 'branches', 'ACCESS EXCLUSIVE');
    let ended = 0;
    const keyed = (key: string, document: string, by = apiKey) =>
      server
        .graphql(document, {}, by)
        .set('Idempotency-Key', key)
        .send({ operationName: 'A' })
        .then(({ body }) => {
          ended += 1;
          return body;
        });
    const documents = [
      keyed('one', `mutation A { ${branch} } mutation B { ${bulk} }`),
      keyed('two', `mutation A { ${bulk} ${branch} }`),
      keyed('three', `mutation A { ${bulk} deletePrograms(ids: [${id}]) { changed } }`, adminKey),
    ];
    // Each waits for a lock as long as an ordinary write.
    for (const name of ['first', 'second', 'third']) {
      await server.graphql(`mutation { ${name}: ${branch} }`).expect(200, /UNAVAILABLE/);
    }
    expect(ended).toBe(3);
    await lock.release();
    for (const body of await Promise.all(documents)) {
      expect(body.errors).toContainEqual(expect.objectContaining({ extensions: { code: 'UNAVAILABLE' } }));
    }
  });

  it('has warnings that cannot be read is done without them', async () => {
    await server.database.query('ALTER TABLE programs RENAME COLUMN sorted_name TO other_name');
    const response = await send(`mutation { ${program('a')} ${program('b')} }`);
    await server.database.query('ALTER TABLE programs RENAME COLUMN other_name TO sorted_name');

    expect(response.body).toEqual({ data: { a: { name: 'a' }, b: { name: 'b' } } });
    expect(server.logged.filter((line) => line.includes('the warnings of a mutation'))).toHaveLength(2);
    expect(await names()).toEqual(['a', 'b']);
  });

  it('fails is rolled back and can be retried', async () => {
    const { id } = await server.make.program({ name: 'Physics' });
    const document = `mutation { ${program('a')} ${branchOf(id)} ${program('b')} }`;

    await server.database.query('ALTER TABLE branches ADD CONSTRAINT rejecting CHECK (false) NOT VALID');
    const failed = await send(document);
    await server.database.query('ALTER TABLE branches DROP CONSTRAINT rejecting');

    expect(failed.body).toEqual({
      data: null,
      errors: ['createBranch', 'b'].map((path) => errorAt(path, 'INTERNAL_SERVER_ERROR', 'Internal server error.')),
    });
    expect([await names(), await recorded()]).toEqual([['Physics'], 0]);
    expect((await send(document)).body.data).toEqual({
      a: { name: 'a' },
      createBranch: { name: 'Optics' },
      b: { name: 'b' },
    });
    expect([await names(), await recorded()]).toEqual([['Physics', 'a', 'b'], 1]);
  });
});

describe('a mutation with an Idempotency-Key', () => {
  it.each([
    ['a rejected field', `mutation { ${branchOf(2_000_000_000)} }`, 200],
    ['a variable of the wrong type', `mutation ($n: Int!) { ${program('a')} __typename @skip(if: $n) }`, 400],
    ['nothing to do', 'mutation { __typename }', 200],
  ])('does not use up the key after %s', async (_what, document, status) => {
    const first = await send(document);
    const second = await send(document);

    expect([first.status, second.status]).toEqual([status, status]);
    expect(second.headers).not.toHaveProperty('idempotency-replayed');
    expect(await recorded()).toBe(0);
  });

  it('is rolled back when its record cannot be written, and can be retried', async () => {
    const document = `mutation { ${program('a')} }`;
    await server.database.query('ALTER TABLE idempotency_records ADD CONSTRAINT rejecting CHECK (false) NOT VALID');
    const failed = await send(document);
    await server.database.query('ALTER TABLE idempotency_records DROP CONSTRAINT rejecting');

    expect(failed.body).toEqual(errorOf(null, 'INTERNAL_SERVER_ERROR', 'Internal server error.'));
    expect(server.logged.filter((line) => line.includes('request failed'))).not.toEqual([]);
    expect(await names()).toEqual([]);
    expect((await send(document)).body).toEqual({ data: { a: { name: 'a' } } });
  });
});
