import { type DocumentNode, print } from 'graphql';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as operations from '../../src/generated/operations.ts';
import { factoriesFor } from '../support/factories.ts';
import { makeKey } from '../support/keys.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const { id } = await factoriesFor(server).program();
  await factoriesFor(server).branch(id);
  await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
});
afterAll(() => server.close());

const programs = '/api/academics/programs';
const branches = '/api/academics/branches';

interface Same {
  /** REST: a path is read, a body is sent. */
  readonly path: string;
  readonly body?: object;
  readonly document: DocumentNode;
  readonly variables?: object;
  readonly status: number;
  readonly code: string;
}

const retrieveProgram = (id: number) => ({
  path: `${programs}/${id}`,
  document: operations.RetrieveProgramDocument,
  variables: { id },
});
const retrieveBranch = (id: number) => ({
  path: `${branches}/${id}`,
  document: operations.RetrieveBranchDocument,
  variables: { id },
});
const list = (page: number, size: number) => ({
  path: `${programs}?page=${page}&size=${size}`,
  document: operations.ListProgramsDocument,
  variables: { page, size },
});
const createProgram = (body: object) => ({
  path: programs,
  body,
  document: operations.CreateProgramDocument,
  variables: { input: body },
});
const createBranch = (body: object) => ({
  path: branches,
  body,
  document: operations.CreateBranchDocument,
  variables: { input: body },
});
const notFound = { status: 404, code: 'NOT_FOUND' };
const invalid = { status: 400, code: 'VALIDATION_FAILED' };
const sound = { name: 'Physics', duration: '4 Years' };
const soundBranch = { programId: 99_999, name: 'Optics', years: 3 };

const ofAnyone: [string, Same][] = [
  ['a program that never was', { ...retrieveProgram(99_999), ...notFound }],
  ['program 0', { ...retrieveProgram(0), ...notFound }],
  ['a program that was deleted', { ...retrieveProgram(1), ...notFound }],
  ['a branch that never was', { ...retrieveBranch(99_999), ...notFound }],
  ['a branch that was deleted with its program', { ...retrieveBranch(1), ...notFound }],
  ['a new branch of a program that never was', { ...createBranch(soundBranch), ...notFound }],
  ['a new branch of a program that was deleted', { ...createBranch({ ...soundBranch, programId: 1 }), ...notFound }],
  ['a page and a size of nothing', { ...list(0, 0), ...invalid }],
  ['a program without words', { ...createProgram({ name: '', duration: ' \u00a0' }), ...invalid }],
  [
    'a program with too many',
    { ...createProgram({ name: 'x'.repeat(256), duration: 'x'.repeat(101), code: 'x'.repeat(51) }), ...invalid },
  ],
  [
    'a program of control characters',
    { ...createProgram({ name: 'a\u0000', duration: 'a\u0085b', code: 'a\u2029b' }), ...invalid },
  ],
  ['half a character', { ...createProgram({ name: 'a\ud800', duration: '\udc00' }), ...invalid }],
  [
    'a branch with everything wrong',
    {
      ...createBranch({
        programId: -1,
        name: '\t',
        years: 0,
        codePrefix: 'x'.repeat(21),
        description: `${'x'.repeat(2_000)}\u0000`,
      }),
      ...invalid,
    },
  ],
  ['a branch with too many years', { ...createBranch({ ...soundBranch, years: 11 }), ...invalid }],
];

const callers = {
  guest: { role: 'guest' },
  'a reader with a read-only key': { role: 'editor', user: 'reader', readOnly: true },
  'somebody disabled': { role: 'admin', user: 'gone', disabled: true },
} as const;
const forbidden = { status: 403, code: 'FORBIDDEN' };
const unauthenticated = { status: 401, code: 'UNAUTHENTICATED' };

const ofSome: [keyof typeof callers, string, Same][] = [
  ['guest', 'a program', { ...retrieveProgram(1), ...forbidden }],
  ['guest', 'a list', { ...list(1, 20), ...forbidden }],
  ['guest', 'a new program', { ...createProgram(sound), ...forbidden }],
  ['guest', 'a new program that is wrong', { ...createProgram({ name: '', duration: '' }), ...forbidden }],
  ['a reader with a read-only key', 'a new program', { ...createProgram(sound), ...forbidden }],
  ['a reader with a read-only key', 'a new branch', { ...createBranch(soundBranch), ...forbidden }],
  ['somebody disabled', 'a program', { ...retrieveProgram(1), ...unauthenticated }],
  ['somebody disabled', 'a branch', { ...retrieveBranch(1), ...unauthenticated }],
  ['somebody disabled', 'a new branch', { ...createBranch(soundBranch), ...unauthenticated }],
];

/** Asks both surfaces: the message, and the problems by field, must be the same. */
async function expectSame(
  { path, body, document, variables = {}, status, code }: Same,
  key: string | null,
): Promise<void> {
  const rest = await (body === undefined ? server.rest('get', path, key) : server.rest('post', path, key).send(body));
  const graphql = await server.graphql(print(document), variables, key);

  expect(rest.status).toBe(status);
  const [error, ...others] = graphql.body.errors;
  expect(others).toEqual([]);
  expect(error.extensions.code).toBe(code);
  const { message, extensions } = error;
  expect(rest.body).toEqual({ message, ...(extensions.errors && { errors: extensions.errors }) });
}

describe('an error', () => {
  it.each(ofAnyone)('is the same on both surfaces for %s', (_what, same) => expectSame(same, adminKey));

  it.each(ofSome)('is the same on both surfaces for %s who asks for %s', async (who, _what, same) => {
    await expectSame(same, await makeKey(server.database, callers[who]));
  });

  it.each([null, '', 'uas_wrong', 'a.b.c'])('is the same on both surfaces for the key %j', async (key) => {
    const rest = await server.rest('get', '/ping', key);
    const graphql = await server.graphql('{ ping { status } }', {}, key);
    expect({ status: graphql.status, message: graphql.body.errors[0].message }).toEqual({
      status: 401,
      message: rest.body.message,
    });
  });

  it.each([
    ['application/json', '{"name":'],
    ['application/json', '[]'],
    ['application/json', ''],
    ['text/plain', '{}'],
    ['application/json', JSON.stringify({ query: 'x'.repeat(102_400) })],
  ])('is the same on both surfaces for a body of type %s that cannot be read', async (type, body) => {
    const rest = await server.rest('post', programs).type(type).send(body);
    const graphql = await supertest(server.url).post('/graphql').set('x-api-key', adminKey).type(type).send(body);
    const { message, extensions } = graphql.body.errors[0];
    expect(graphql.status).toBe(rest.status);
    expect(rest.body).toEqual({ message, errors: extensions.errors });
  });
});
