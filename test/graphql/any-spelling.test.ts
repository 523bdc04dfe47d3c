import { beforeAll, expect, inject, it } from 'vitest';
import { schema } from '../../src/doors/graphql/schema.ts';
import { fieldOfResolvers, randomQuery, type Values } from '../support/random-documents.ts';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer({ RESPONSE_CACHE_MAX_BYTES: '0' });

const names = ['Physics', 'Žluťoučký \u{1f984}', '"\\/<&%\u0301\u202e', 'e\u00a0\u3000f', ' % _ ', 'Physics'];
const texts = ['', 'One.\nTwo.\tThree.\r\n\u0001\u001f\u007f\u2028', '\b\f'];
const cursors: string[] = [];
const keys: string[] = [adminKey];

beforeAll(async () => {
  for (const [index, name] of names.entries()) {
    const { id } = await server.make.program({ name, duration: name, ...(index % 2 === 0 && { code: `C"${index}` }) });
    for (const [place, description] of texts.slice(0, index % 4).entries()) {
      await server.make.branch(id, {
        name: `${name} ${place}`,
        description,
        years: place + 1,
        codeIsNumeric: place < 1,
      });
    }
  }
  const set = (kind: string, id: number) =>
    `update${kind}(id: ${id}, input: { attributes: [{ key: "b", value: "1\\"é" }, { key: "aa", value: "x" }, { key: "B", value: "y" }] }) { id }`;
  await server.graphql(
    `mutation { a: ${set('Program', 1)} b: ${set('Branch', 1)} c: deleteProgram(id: 4) { id } d: deleteBranch(id: 2) { id } }`,
  );
  for (const order of ['ID_ASC', 'NAME_DESC', 'UPDATED_ASC']) {
    const { body } = await server.graphql(`{ programsConnection(orderBy: ${order}) { edges { cursor } } }`);
    for (const { cursor } of body.data.programsConnection.edges) cursors.push(cursor);
  }
  for (const role of ['viewer', 'guest'] as const) keys.push(await server.makeKey({ role }));
});

const small = [0, 1, 1, 2, 2, 3, 4, 5, 6];
const values: Values = {
  id: [...small, 7, 99, -1, 2_147_483_647],
  page: [1, 1, 1, 2, 3, 0],
  size: [1, 2, 3, 20, 0],
  first: [0, 1, 2, 3, 20, 101],
  last: [1, 2, 3, -1],
  after: cursors,
  before: cursors,
  search: ['physics', 'Physics 1', 'fyzics', 'c', '', '%'],
  deleted: [true, false, false],
  key: ['b', 'aa', 'none'],
  Int: small,
  String: [...names, 'C"0', 'L1', '1"é', 'x'],
  Boolean: [true, false],
  DateTime: [new Date(0), new Date('2100-01-01')],
};

const queryType = schema.getQueryType() ?? expect.fail('There are no queries.');
const roots = ['program', 'branch', 'programs', 'programsConnection', 'branchesConnection'].flatMap(
  (name) => queryType.getFields()[name] ?? [],
);

const documents = inject('thorough') ? 500 : 80;
const atOnce = 4;

async function send(query: string, variables: object, key: string): Promise<string> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query, variables }),
  });
  return `${response.status} ${await response.text()}`;
}

interface Failure {
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string };
}

/** Records of several fields are found missing in any order. */
function inOrder(text: string): string {
  if (text.split('NOT_FOUND').length <= 2) return text;
  const body: { readonly errors: Failure[] } = JSON.parse(text.slice(text.indexOf('{')));
  body.errors.sort((one, other) => String(one.path).localeCompare(String(other.path)));
  return JSON.stringify(body);
}

const withoutResolvers = (text: string): string =>
  text.replace(/,?"zz":\{"status":"ok"\}/, '').replace(/costs \d+/, '');

/** Of errors of several fields, those count that come before the one that makes all data `null`: a race of resolvers. */
function mayRace(...responses: readonly string[]): boolean {
  if (!responses.every((text) => text.endsWith('"data":null}'))) return false;
  const paths = responses.flatMap((text) => text.match(/"path":\["\w+"/g) ?? []);
  return new Set(paths).size > 1;
}

async function compare(number: number): Promise<void> {
  const { query, resolved, variables } = randomQuery(number, roots, queryType, values);
  const key = keys[number % keys.length] ?? adminKey;
  const [written, given] = await Promise.all([send(query, variables, key), send(resolved, variables, key)]);
  if (mayRace(written, given)) return;
  const message = `${number}: ${query} ${JSON.stringify(variables)} without ${fieldOfResolvers}`;
  expect(inOrder(withoutResolvers(written)), message).toBe(inOrder(withoutResolvers(given)));
}

it('introspection is executed by resolvers, alone and beside fields that PostgreSQL writes', async () => {
  const introspection = '__typename __schema { queryType { name } } __type(name: "Attribute") { kind }';
  const data = { __typename: 'Query', __schema: { queryType: { name: 'Query' } }, __type: { kind: 'OBJECT' } };
  expect((await server.graphql(`{ ${introspection} }`)).body).toEqual({ data });
  expect((await server.graphql(`{ ${introspection} program(id: 1) { id } }`)).body).toEqual({
    data: { ...data, program: { id: 1 } },
  });
});

it(`what PostgreSQL writes of ${documents} documents is byte for byte what resolvers give`, async () => {
  for (let number = 0; number < documents; number += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, index) => compare(number + index)));
}, 1_000_000);
