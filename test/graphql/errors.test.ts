import { type DocumentNode, print } from 'graphql';
import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/doors/graphql/schema.ts';
import { documents } from '../support/documents.ts';
import { adminKey, useSharedServer } from '../support/server.ts';

const server = useSharedServer();
beforeAll(async () => {
  const { id } = await server.make.program();
  await server.make.branch(id);
  await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
});

const programs = '/api/academics/programs';
const branches = '/api/academics/branches';

interface SameError {
  /** REST: GET of the path, or POST when there is a body. */
  readonly path: string;
  readonly body?: object;
  readonly document: DocumentNode;
  readonly variables?: object;
  readonly status: number;
  readonly code: string;
}

const retrieveProgram = (id: number) => ({
  path: `${programs}/${id}`,
  document: documents.retrieveProgram,
  variables: { id },
});
const retrieveBranch = (id: number) => ({
  path: `${branches}/${id}`,
  document: documents.retrieveBranch,
  variables: { id },
});
const list = (page: number, size: number) => ({
  path: `${programs}?page=${page}&size=${size}`,
  document: documents.listPrograms,
  variables: { page, size },
});
const createProgram = (body: object) => ({
  path: programs,
  body,
  document: documents.createProgram,
  variables: { input: body },
});
const createBranch = (body: object) => ({
  path: branches,
  body,
  document: documents.createBranch,
  variables: { input: body },
});
const notFound = { status: 404, code: 'NOT_FOUND' };
const invalid = { status: 400, code: 'VALIDATION_FAILED' };
const validBranch = { programId: 99_999, name: 'Optics', years: 3 };

const errorsForAdmin: [string, SameError][] = [
  ['a program that does not exist', { ...retrieveProgram(99_999), ...notFound }],
  ['a branch that was deleted with its program', { ...retrieveBranch(1), ...notFound }],
  ['a new branch of a program that does not exist', { ...createBranch(validBranch), ...notFound }],
  ['a page and a size of 0', { ...list(0, 0), ...invalid }],
  [
    'a program with every field invalid',
    { ...createProgram({ name: '\ud800\u0000', duration: 'x'.repeat(101), code: 'a\u2029b' }), ...invalid },
  ],
  [
    'a branch with every field invalid',
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
];

const callers = {
  guest: { role: 'guest' },
  'a reader with a read-only key': { role: 'editor', user: 'reader', readOnly: true },
  'a disabled user': { role: 'admin', user: 'gone', disabled: true },
} as const;
const forbidden = { status: 403, code: 'FORBIDDEN' };
const unauthenticated = { status: 401, code: 'UNAUTHENTICATED' };

const errorsByCaller: [keyof typeof callers, string, SameError][] = [
  ['guest', 'a list', { ...list(1, 20), ...forbidden }],
  ['guest', 'an invalid new program', { ...createProgram({ name: '', duration: '' }), ...forbidden }],
  ['a reader with a read-only key', 'a new branch', { ...createBranch(validBranch), ...forbidden }],
  ['a disabled user', 'a new branch', { ...createBranch(validBranch), ...unauthenticated }],
];

/** Sends the request over REST and GraphQL and expects the same message and problems by field. */
async function expectSame(
  { path, body, document, variables = {}, status, code }: SameError,
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
  it.each(errorsForAdmin)('is the same over REST and GraphQL for %s', (_what, same) => expectSame(same, adminKey));

  it.each(errorsByCaller)('is the same over REST and GraphQL for %s requesting %s', async (caller, _what, same) => {
    await expectSame(same, await server.makeKey(callers[caller]));
  });

  it.each([
    ['application/json', '{"name":'],
    ['application/json', '1'],
    ['application/json', ''],
    ['text/plain', '{}'],
    ['application/json', JSON.stringify({ query: 'x'.repeat(102_400) })],
  ])('is the same over REST and GraphQL for an unreadable body of type %s', async (type, body) => {
    const rest = await server.rest('post', programs).type(type).send(body);
    const graphql = await supertest(server.url).post('/graphql').set('x-api-key', adminKey).type(type).send(body);
    const { message, extensions } = graphql.body.errors[0];
    expect(graphql.status).toBe(rest.status);
    expect(rest.body).toEqual({ message, errors: extensions.errors });
  });
});

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
const ofOneRecord = mutations.filter(({ args }) => args.some(({ name }) => name === 'id'));

it.each(ofOneRecord)(
  '$name fails with NOT_FOUND for a record that does not exist, as its description says',
  async ({ name, args, description }) => {
    const input = args.some((argument) => argument.name === 'input') ? ', input: {}' : '';
    const { body } = await server.graphql(`mutation { ${name}(id: 0${input}) { __typename } }`);
    expect(body).toMatchObject({ data: { [name]: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] });
    expect(description).toContain('`NOT_FOUND`');
  },
);

it.each(ofOneRecord)('$name rejects a negative id', async ({ name, args }) => {
  const input = args.some((argument) => argument.name === 'input') ? ', input: {}' : '';
  const { body } = await server.graphql(`mutation { ${name}(id: -1${input}) { __typename } }`);
  expect(body.errors[0].extensions).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: { id: ['id must not be negative.'] },
  });
});

it.each(mutations)('$name names the codes of its errors', ({ description }) => {
  expect(description).toMatch(/\. Errors: `FORBIDDEN`, `VALIDATION_FAILED`(, `[A-Z_]+`)*\.$/);
});
