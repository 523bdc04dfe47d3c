import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();

describe('a request without a valid key', () => {
  const unknownKey = `uas_${'0'.repeat(38)}`;
  it.each([
    ['no key', {}, 'API_KEY_MISSING', 'API key is missing.'],
    ['a blank key', { 'x-api-key': ' ' }, 'API_KEY_MISSING', 'API key is missing.'],
    ['a scheme alone', { 'x-api-key': 'Bearer' }, 'API_KEY_MISSING', 'API key is missing.'],
    ['another scheme', { authorization: 'Basic abc' }, 'API_KEY_MISSING', 'API key is missing.'],
    ['an unknown key', { 'x-api-key': unknownKey }, 'API_KEY_INVALID', 'API key is invalid.'],
    ['an unknown bearer token', { authorization: `Bearer ${unknownKey}` }, 'API_KEY_INVALID', 'API key is invalid.'],
  ] as const)('gets a 401: %s', async (_what, headers, code, message) => {
    const rejected = { errors: [{ message, extensions: { code } }] };
    for (const accept of ['*/*', 'application/json', 'application/graphql-response+json', 'text/event-stream']) {
      for (const response of [
        await supertest(server.url)
          .post('/graphql')
          .set(headers)
          .set('Accept', accept)
          .send({ query: '{ ping { status } }' }),
        await supertest(server.url)
          .post('/graphql')
          .set(headers)
          .set('Accept', accept)
          .send({ query: '{ __schema { types { name } } }' }),
        await supertest(server.url).post('/graphql').set(headers).set('Accept', accept).type('text/plain').send('{'),
        await supertest(server.url).get('/graphql?query=%7B__typename%7D').set(headers).set('Accept', accept),
        await supertest(server.url).delete('/graphql').set(headers).set('Accept', accept),
      ]) {
        expect(response.status).toBe(401);
        expect(response.headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'www-authenticate': expect.stringMatching(/^Bearer realm="academic-structure"/),
          'cache-control': 'private, no-cache',
        });
        expect(response.body).toEqual(rejected);
      }
    }
    const rest = await supertest(server.url).get('/v1/ping').set(headers);
    expect(rest.body).toEqual({ message });
  });
});

/** API keys by the name of their caller. */
const callers = {
  guest: { role: 'guest' },
  viewer: { role: 'viewer' },
  editor: { role: 'editor' },
  admin: { role: 'admin' },
  'an editor with a read-only key': { role: 'editor', user: 'reader', readOnly: true },
  'a disabled administrator': { role: 'admin', user: 'gone', disabled: true },
} as const;

const needs = (permission: string) => ['FORBIDDEN', `You need the permission ${permission}.`] as const;
const readOnly = ['FORBIDDEN', 'This API key is read-only.'] as const;
const unauthenticated = ['UNAUTHENTICATED', 'User is not authenticated.'] as const;
type ExpectedError = readonly [code: string, message: string] | null;

/** The errors in the order of `callers`; `null` is none. */
const read: ExpectedError[] = [needs('programs:read'), null, null, null, null, unauthenticated];
const needsWrite = needs('programs:write');
const write: ExpectedError[] = [needsWrite, needsWrite, null, null, readOnly, unauthenticated];
const notFound = ['NOT_FOUND', 'Program 99999 does not exist.'] as const;
const changeId = '018f4f5e-0000-7000-8000-000000000000';
const noChange = ['NOT_FOUND', `Change ${changeId} does not exist, or is no longer in the audit log.`] as const;
const anyUser: ExpectedError[] = [null, null, null, null, null, unauthenticated];

interface Records {
  readonly program: number;
  readonly branch: number;
}
const fields: [string, (records: Records) => string, ExpectedError[]][] = [
  ['ping', () => '{ ping { status } }', [null, null, null, null, null, null]],
  ['program', ({ program }) => `{ program(id: ${program}) { id } }`, read],
  ['programs', () => '{ programs { count } }', read],
  ['programsConnection', () => '{ programsConnection { totalCount } }', read],
  ['branch', ({ branch }) => `{ branch(id: ${branch}) { id years { code } } }`, anyUser],
  ['the program of a branch', ({ branch }) => `{ branch(id: ${branch}) { id program { id } } }`, read],
  ['createProgram', () => 'mutation { createProgram(input: { name: "P", duration: "1" }) { id } }', write],
  ['updateProgram', ({ program }) => `mutation { updateProgram(id: ${program}, input: { name: "P" }) { id } }`, write],
  ['deleteProgram', ({ program }) => `mutation { deleteProgram(id: ${program}) { id } }`, write],
  ['copyProgram', ({ program }) => `mutation { copyProgram(id: ${program}, input: {}) { id } }`, write],
  ['restoreProgram', ({ program }) => `mutation { restoreProgram(id: ${program}) { id } }`, write],
  [
    'createBranch',
    ({ program }) => `mutation { createBranch(input: { programId: ${program}, name: "B", years: 1 }) { id } }`,
    [null, null, null, null, readOnly, unauthenticated],
  ],
  ['updateBranch', ({ branch }) => `mutation { updateBranch(id: ${branch}, input: { name: "B" }) { id } }`, write],
  ['deleteBranch', ({ branch }) => `mutation { deleteBranch(id: ${branch}) { id } }`, write],
  ['restoreBranch', ({ branch }) => `mutation { restoreBranch(id: ${branch}) { id } }`, write],
  ['createPrograms', () => 'mutation { createPrograms(items: [{ name: "P", duration: "1" }]) { id } }', write],
  [
    'createBranches',
    ({ program }) => `mutation { createBranches(items: [{ programId: ${program}, name: "B", years: 1 }]) { id } }`,
    [null, null, null, null, readOnly, unauthenticated],
  ],
  ['updatePrograms', ({ program }) => `mutation { updatePrograms(ids: [${program}], input: {}) { changed } }`, write],
  ['deleteBranches', ({ branch }) => `mutation { deleteBranches(ids: [${branch}]) { changed } }`, write],
  ['catalogHistory', () => '{ catalogHistory { totalCount } }', [...write.slice(0, 4), null, unauthenticated]],
  [
    'undoChange',
    () => `mutation { undoChange(changeId: "${changeId}") { undone } }`,
    [needsWrite, needsWrite, noChange, noChange, readOnly, unauthenticated],
  ],
  [
    'an id that does not exist',
    () => 'mutation { deleteProgram(id: 99999) { id } }',
    [needsWrite, needsWrite, notFound, notFound, readOnly, unauthenticated],
  ],
];

describe.each(Object.entries(callers).map(([caller, key], index) => [caller, key, index] as const))(
  '%s',
  (_who, fieldsOfKey, index) => {
    let records: Records;
    let key: string;
    beforeAll(async () => {
      const { id } = await server.make.program();
      records = { program: id, branch: (await server.make.branch(id)).id };
      key = await server.makeKey(fieldsOfKey);
    });

    it.each(fields.map(([field, query, expectedErrors]) => [field, expectedErrors[index] ?? null, query] as const))(
      'querying %s gets the error %j',
      async (_field, expectedError, query) => {
        const { status, body } = await server.graphql(query(records), {}, key);

        expect(status).toBe(200);
        if (expectedError === null) expect(body).toMatchObject({ data: expect.any(Object) });
        else {
          const [code, message] = expectedError;
          expect(body.errors).toMatchObject([{ message, extensions: { code } }]);
          expect(body.errors).toHaveLength(1);
        }
      },
    );
  },
);

describe('a caller without permission', () => {
  it('changes nothing', async () => {
    const program = await server.make.program({ name: 'Here' });
    const branch = await server.make.branch(program.id);
    for (const key of [
      callers.guest,
      callers.viewer,
      callers['an editor with a read-only key'],
      callers['a disabled administrator'],
    ]) {
      const apiKey = await server.makeKey(key);
      for (const [name, query] of fields) {
        if (!name.startsWith('createBranch'))
          await server.graphql(query({ program: program.id, branch: branch.id }), {}, apiKey);
      }
    }
    const { body } = await server.graphql(`{ program(id: ${program.id}) { name version branches { name version } } }`);
    expect(body.data.program).toEqual({ name: 'Here', version: 1, branches: [{ name: 'Optics', version: 1 }] });
  });

  it('gets FORBIDDEN before the input is validated', async () => {
    const viewer = await server.makeKey(callers.viewer);
    const { body } = await server.graphql('mutation { updateProgram(id: -1, input: { name: "" }) { id } }', {}, viewer);
    expect(body.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('still gets the fields that are allowed: a guest reads a branch but not its program', async () => {
    const branch = await server.make.branch((await server.make.program()).id);
    const guest = await server.makeKey(callers.guest);
    const { body } = await server.graphql(
      `{ a: branch(id: ${branch.id}) { id } b: branch(id: ${branch.id}) { program { id } } }`,
      {},
      guest,
    );
    expect(body).toEqual({
      data: { a: { id: branch.id }, b: null },
      errors: [
        expect.objectContaining({
          message: 'You need the permission programs:read.',
          path: ['b', 'program'],
          extensions: expect.objectContaining({ code: 'FORBIDDEN' }),
        }),
      ],
    });
  });

  it('may introspect the schema', async () => {
    for (const key of [callers.guest, callers['a disabled administrator']]) {
      const { body } = await server.graphql('{ __schema { queryType { name } } }', {}, await server.makeKey(key));
      expect(body).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
    }
  });
});
