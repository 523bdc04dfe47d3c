import { lockTable } from '@service/postgres/testing/table-lock';
import { afterEach, describe, expect, it } from 'vitest';
import type { Role } from '../../src/validation/permissions.ts';
import { userIdOf } from '../support/credentials/keys.ts';
import { emptyCatalog } from '../support/database.ts';
import { useSharedServer } from '../support/server.ts';

const createProgram = `mutation Create($name: String!) {
  createProgram(input: { name: $name, duration: "4 Years" }) { id name version branches { id } }
}`;
const physics = { name: 'Physics' };
const replayed = { 'idempotency-replayed': 'true' };

const server = useSharedServer();
afterEach(() => server.database.query(`${emptyCatalog}; DELETE FROM idempotency_records`));

interface SendOptions {
  readonly key?: string;
  readonly apiKey?: string;
  readonly operationName?: string;
}

/** Sends the request now: supertest sends only when awaited. */
const send = async (document: string, variables: object = {}, { key = 'a-key', apiKey, ...more }: SendOptions = {}) =>
  server.graphql(document, variables, apiKey).set('Idempotency-Key', key).send(more);

const rowsOf = async (table: string) => (await server.database.query(`SELECT id FROM ${table}`)).length;

const errorAt = (path: string, message: string, extensions: object) => ({
  data: { [path]: null },
  errors: [{ message, path: [path], locations: expect.any(Array), extensions: expect.objectContaining(extensions) }],
});
const conflict = (path: string, message: string) => errorAt(path, message, { code: 'CONFLICT' });
const invalidKey = ['Idempotency-Key must be 1 to 255 visible ASCII characters, quoted or bare.'];

describe('a mutation that is retried with its Idempotency-Key', () => {
  it('gets the first response again, byte for byte, and changes nothing', async () => {
    const first = await send(createProgram, physics);
    const second = await send(createProgram, physics, { key: '"a-key"' });

    expect(first.body).toEqual({
      data: { createProgram: { id: expect.any(Number), name: 'Physics', version: 1, branches: [] } },
    });
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers).toMatchObject({ ...replayed, 'content-type': first.headers['content-type'] });
    expect(await rowsOf('programs')).toBe(1);
  });

  it('is recognized whatever the formatting of its document and the order of its variables', async () => {
    const document = `mutation ($name: String!, $duration: String!) {
      createProgram(input: { name: $name, duration: $duration }) { id }
    }`;
    const first = await send(document, { name: 'Physics', duration: '4 Years' });

    const again = await send(document.replaceAll('{', '{  # a comment\n'), { duration: '4 Years', name: 'Physics' });

    expect(again.text).toBe(first.text);
  });
});

describe('a mutation with an Idempotency-Key', () => {
  it('reads its own writes', async () => {
    const { id } = (await send(createProgram, physics)).body.data.createProgram;
    const branch = (name: string) => `createBranch(input: { programId: ${id}, name: "${name}", years: 1 })
      { years { code } program { branches { name } } }`;

    const response = await send(`mutation { first: ${branch('Optics')} second: ${branch('Waves')} }`);

    const years = [{ code: '1' }];
    expect(response.body.data).toEqual({
      first: { years, program: { branches: [{ name: 'Optics' }] } },
      second: { years, program: { branches: [{ name: 'Optics' }, { name: 'Waves' }] } },
    });
  });
});

describe('a used key', () => {
  it.each([
    ['another value of a variable', { name: 'Chemistry' }],
    ['an additional variable', { ...physics, colour: 'red' }],
  ])('is rejected with %s', async (_what, variables) => {
    await send(createProgram, physics);

    const response = await send(createProgram, variables);

    expect(response.status).toBe(200);
    expect(response.body).toEqual(conflict('createProgram', 'This Idempotency-Key was used before with another body.'));
    expect(await rowsOf('programs')).toBe(1);
  });

  it('is rejected while the first request is in flight', async () => {
    const held = await lockTable(server.database, 'programs');
    const first = send(createProgram, physics);
    await held.waitUntilBlocking();

    const early = await send(createProgram, physics);
    await held.release();
    const { text } = await first;

    expect(early.body).toEqual(
      conflict('createProgram', 'The first request with this Idempotency-Key is still running.'),
    );
    expect(early.headers['retry-after']).toBe('1');
    expect((await send(createProgram, physics)).text).toBe(text);
    expect(await rowsOf('programs')).toBe(1);
  });

  it('returns FORBIDDEN, not a replay, to a caller without permission', async () => {
    const user = 'Grace';
    await send(createProgram, physics, { apiKey: await server.makeKey({ user, role: 'editor' }) });
    const viewer = await server.makeKey({ user, role: 'viewer' });
    const forbidden = errorAt('createProgram', 'You need the permission programs:write.', { code: 'FORBIDDEN' });

    expect((await send(createProgram, physics, { apiKey: viewer })).body).toEqual(forbidden);
    expect((await send(createProgram, physics, { apiKey: viewer, key: 'a b' })).body).toEqual(forbidden);
  });

  it('is replayed only to a caller who may still call each of its fields, in a document of several', async () => {
    const { id } = (await server.graphql(createProgram, physics)).body.data.createProgram;
    const document = `mutation {
      createProgram(input: { name: "Chemistry", duration: "4 Years" }) { name }
      createBranch(input: { programId: ${id}, name: "Optics", years: 1 }) { name }
    }`;
    const keyOf = (user: string, role: Role) => server.makeKey({ user, role });
    const executed = { message: 'This request has been executed before.', extensions: { code: 'CONFLICT' } };

    await send(document, {}, { apiKey: await keyOf('an editor', 'editor') });
    const demoted = await send(document, {}, { apiKey: await keyOf('an editor', 'viewer') });
    const first = await send(document, {}, { apiKey: await keyOf('a viewer', 'viewer') });
    const again = await send(document, {}, { apiKey: await keyOf('a viewer', 'viewer') });

    expect(demoted.body).toMatchObject({
      data: { createProgram: null, createBranch: null },
      errors: [{ extensions: { code: 'FORBIDDEN' } }, executed],
    });
    expect(first.body).toMatchObject({
      data: { createProgram: null, createBranch: { name: 'Optics' } },
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
    expect([again.text, again.headers]).toMatchObject([first.text, replayed]);
    expect(await rowsOf('branches')).toBe(2);
  });

  it('shows no nested field that its caller may no longer see, in whatever spelling', async () => {
    const { id } = (await server.graphql(createProgram, physics)).body.data.createProgram;
    const create = (fields: string) =>
      `mutation { createBranch(input: { programId: ${id}, name: "Optics", years: 1 }) { id ${fields} } }`;
    const documents = [
      create('program { name }'),
      create('... { of: program { name } }'),
      `${create('...shown')} fragment shown on Branch { years { code } ... on Branch { program { branches { id } } } }`,
      create('program @include(if: true) { __typename }'),
    ];
    const keyOf = (role: Role) => server.makeKey({ user: 'a reader', role, readOnly: false });
    const firsts = [];
    for (const [key, document] of documents.entries())
      firsts.push((await send(document, {}, { apiKey: await keyOf('viewer'), key: `n${key}` })).text);
    const plain = await send(create(''), {}, { apiKey: await keyOf('viewer'), key: 'plain' });
    const guest = await keyOf('guest');

    for (const [key, document] of documents.entries()) {
      const { body, headers } = await send(document, {}, { apiKey: guest, key: `n${key}` });
      expect([document, body, headers]).toMatchObject([
        document,
        { data: { createBranch: null }, errors: [{ extensions: { code: 'CONFLICT' } }] },
        expect.not.objectContaining(replayed),
      ]);
    }
    expect((await send(create(''), {}, { apiKey: guest, key: 'plain' })).text).toBe(plain.text);
    // What it was not shown at first it is not shown again either.
    const hidden = await send(create('program { name }'), {}, { apiKey: guest, key: 'hidden' });
    const repeated = await send(create('program { name }'), {}, { apiKey: guest, key: 'hidden' });
    expect([repeated.text, repeated.headers]).toMatchObject([hidden.text, replayed]);
    const viewer = await keyOf('viewer');
    for (const [key, document] of documents.entries())
      expect((await send(document, {}, { apiKey: viewer, key: `n${key}` })).text).toBe(firsts[key]);
  });

  it('neither replays a secret nor creates another', async () => {
    await server.makeKey({ user: 'Linus' });
    const userId = await userIdOf(server.database, 'Linus');
    const createKey = `mutation { createApiKey(input: { userId: ${userId} }) { ...made } } fragment made on NewApiKey { key }`;
    const { key } = (await send(createKey)).body.data.createApiKey;

    const again = await send(createKey);

    expect(again.body).toEqual(
      conflict(
        'createApiKey',
        'This request was executed before; its response had a secret, which is shown only once.',
      ),
    );
    expect(await server.database.query('SELECT outcome FROM idempotency_records')).toEqual([{ outcome: null }]);
    expect((await server.graphql('{ ping { status } }', {}, key)).status).toBe(200);
    const keys = `SELECT api_keys.id FROM api_keys JOIN users ON users.id = user_id WHERE users.name = 'Linus'`;
    expect(await server.database.query(keys)).toHaveLength(2);
  });
});

describe('an invalid Idempotency-Key', () => {
  it('is reported together with the problems of the arguments', async () => {
    const responses = [
      await send(createProgram, physics, { key: 'a b' }),
      await send(createProgram, { name: '' }, { key: '' }),
    ];

    const invalid = (errors: object) =>
      errorAt('createProgram', 'The request has invalid input.', { code: 'VALIDATION_FAILED', errors });
    expect(responses.map((response) => response.body)).toEqual([
      invalid({ 'Idempotency-Key': invalidKey }),
      invalid({ name: ['name must not be blank.'], 'Idempotency-Key': invalidKey }),
    ]);
    expect(await rowsOf('programs')).toBe(0);
  });

  it('is ignored by a query', async () => {
    expect((await send('{ ping { status } }', {}, { key: 'a b' })).body).toEqual({ data: { ping: { status: 'ok' } } });
  });
});

describe('a long outcome', () => {
  const document =
    'mutation ($id: Int!) { createBranch(input: { programId: $id, name: "B", years: 1 }) { program { branches { description } } } }';
  const withBranches = async (count: number) => {
    const { id } = await server.make.program();
    await server.database.query(
      `INSERT INTO branches (program_id, name, description) SELECT $1, 'B', repeat('x', 2000) FROM generate_series(1, ${count})`,
      [id],
    );
    return id;
  };
  const stored = () => server.database.query('SELECT octet_length(outcome) AS bytes FROM idempotency_records');

  it('of more than a megabyte is an error in its place, which its repeat gets too', async () => {
    const id = await withBranches(510);
    const first = await send(document, { id });
    expect(first.body).toEqual({
      data: null,
      errors: [expect.objectContaining({ extensions: { code: 'RESPONSE_TOO_LARGE' } })],
    });
    const again = await send(document, { id });
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
    expect(await stored()).toEqual([{ bytes: first.text.length }]);
    expect((await server.graphql(document, { id })).body.data.createBranch.program.branches).toHaveLength(512);
  });
});
