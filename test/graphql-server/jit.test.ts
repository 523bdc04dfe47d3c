import { executeJit, jitEligibleOperation } from '@service/graphql-server/jit';
import fc from 'fast-check';
import {
  execute,
  type GraphQLNamedType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/doors/graphql/schema.ts';
import { useServer } from '../support/server.ts';

const server = useServer({ LOG_LEVEL: 'warn', RESPONSE_CACHE_MAX_BYTES: '0' });
beforeAll(async () => {
  for (const name of ['Physics', 'Law', 'Génie "civil" \\ 中文'])
    await server.make.branch((await server.make.program({ name })).id);
  await server.graphql('mutation { deleteProgram(id: 2) { id } }');
});

/** A query is compiled on its third execution. */
const times = 4;

interface GraphqlResponse {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
  readonly data: unknown;
  readonly errors: readonly unknown[];
}

async function responseTo(query: string, variables: object): Promise<GraphqlResponse> {
  const { status, headers, text, body } = await server.graphql(query, variables);
  return { status, type: headers['content-type'], text, data: body.data, errors: body.errors ?? [] };
}

async function expectTheSameEachTime(query: string, variables: object): Promise<void> {
  const first = await responseTo(query, variables);
  for (let time = 1; time < times; time += 1) {
    const other = await responseTo(query, variables);
    if (haveSeveralErrors(first, other)) {
      expect(other.data, query).toEqual(first.data);
      if (first.data !== null) expect(other.errors, query).toEqual(expect.arrayContaining([...first.errors]));
    } else {
      expect(other, query).toEqual(first);
    }
  }
}

/**
 * With several errors, which of them GraphQL.js reports depends on timing: of those that make `data` null, the first;
 * of others, those that come before it.
 */
function haveSeveralErrors(first: GraphqlResponse, other: GraphqlResponse): boolean {
  const isRejected = first.data === null && other.data === null;
  return Math.max(first.errors.length, other.errors.length) > 1 || (isRejected && first.text !== other.text);
}

/** Valid and invalid values of variables, by type. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  Int: [1, 1, 2, 3, 0, -1, 101, 2_147_483_647, 2_147_483_648, 1.5, '1', true, null, undefined, [1]],
  String: ['Physics', 'l', '', '\0', 'MQ==', '%', 7, null, undefined, {}],
  Boolean: [true, false, 'true', null, undefined],
  ProgramOrder: ['NAME_DESC', 'ID_ASC', 'NOPE', 1, null, undefined],
  ProgramFilter: [
    { search: 'l' },
    { ids: [1, 2, 3], hasBranches: true },
    { ids: 3 },
    { createdSince: '2026-01-01T00:00:00Z' },
    { createdSince: 'yesterday' },
    { ids: [3, null] },
    { ids: null, search: null, hasBranches: false },
    { createdSince: '2026-01-01T00:00:00.0001+05:30' },
    { nope: 1 },
    JSON.parse('{"__proto__": {"search": "l"}, "constructor": 1}'),
    'x',
    {},
    null,
    undefined,
  ],
};

/** Default values of variables, by type, as literals. */
const defaults: Readonly<Record<string, readonly string[]>> = {
  Int: ['1', '2', '0', 'null', '101'],
  Boolean: ['true', 'false', 'null'],
  String: ['null', '"l"'],
  ProgramOrder: ['NAME_DESC', 'ID_ASC', 'null'],
  ProgramFilter: ['{}', '{ ids: [1, 3], hasBranches: true }', '{ ids: 3, search: null }', 'null', '{ search: "l" }'],
};

/** Names of variables; some are inherited by every object. */
const names = [
  'v',
  'V1',
  '_',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__proto__',
  '__typename',
  'then',
];

interface GeneratedRequest {
  readonly query: string;
  readonly variables: object;
}

/** A document that is eligible for the JIT: each argument is a variable. */
function documentFrom(numbers: readonly number[]): GeneratedRequest {
  let at = 0;
  const below = (limit: number): number => (numbers[at++ % numbers.length] ?? 0) % limit;
  const definitions: string[] = [];
  const variables: Record<string, unknown> = {};

  const selection = (type: GraphQLNamedType, depth: number): string => {
    if (!isObjectType(type)) return '';
    const fields = Object.values(type.getFields()).filter((field) => depth < 5 || isLeafType(getNamedType(field.type)));
    const chosen = new Set(Array.from({ length: 1 + below(4) }, () => fields[below(fields.length)]));
    const written = [...chosen].flatMap((field) => {
      if (field === undefined || field.name === 'lastUsedAt') return [];
      const argumentList = field.args
        .filter((argument) => isRequiredArgument(argument) || below(3) === 0)
        .map((argument) => {
          const plain = names[below(names.length)] ?? 'v';
          const name = plain in variables || below(3) > 0 ? `v${definitions.length}` : plain;
          // With a default, a required variable may be left out.
          const fallback = defaults[getNamedType(argument.type).name]?.[below(12)];
          const isPossible = fallback !== undefined && !(fallback === 'null' && String(argument.type).endsWith('!'));
          definitions.push(`$${name}: ${argument.type}${isPossible ? ` = ${fallback}` : ''}`);
          const possible = values[getNamedType(argument.type).name] ?? [null, undefined, 'x'];
          Object.defineProperty(variables, name, {
            value: possible[below(possible.length)],
            enumerable: true,
          });
          return `${argument.name}: $${name}`;
        });
      return [
        `${field.name}${argumentList.length === 0 ? '' : `(${argumentList.join(', ')})`}${selection(getNamedType(field.type), depth + 1)}`,
      ];
    });
    const extra = below(4) === 0 ? ` ... on ${type.name} { __typename }` : '';
    return ` { ${written.length === 0 ? '__typename' : written.join(' ')}${extra} }`;
  };

  const root = schema.getQueryType();
  const body = root ? selection(root, 0) : '';
  return { query: `query Generated${definitions.length === 0 ? '' : `(${definitions.join(', ')})`}${body}`, variables };
}

const generated = fc.array(fc.nat(9_999), { minLength: 20, maxLength: 60 }).map(documentFrom);

describe('a repeated query', () => {
  it('is compiled on its third execution', async () => {
    let executed = 0;
    const request = async (document = parse('{ __typename }')) => {
      const counting: typeof execute = (args) => {
        executed += 1;
        return execute(args);
      };
      return { data: (await executeJit({ schema, document }, counting)).data, executed };
    };
    const document = parse('{ __typename }');
    for (const count of [1, 2, 2, 2])
      expect(await request(document)).toEqual({ data: { __typename: 'Query' }, executed: count });
    // Compiled queries are cached by document object, not by text.
    expect(await request()).toMatchObject({ executed: 3 });
  });

  it.each([
    ['query ($id: Int!) { program(id: $id) { id name branches { name years { code } } } }', { id: 1 }],
    ['query ($id: Int!) { program(id: $id) { id } }', { id: 2 }],
    [
      'query ($id: Int!) { ping { status }\n  program(id: $id) { id } branch(id: $id) { program { name } } }',
      { id: 9 },
    ],
    ['query ($id: Int!) { program(id: $id) { id } }', { id: 'x' }],
    ['query ($id: Int!) { program(id: $id) { id } }', {}],
    ['query ($page: Int) { programs(page: $page) { items { name } } }', { page: 0 }],
    ['query ($page: Int) { programs(page: $page) { items { name code version createdAt } } }', {}],
    ['query ($page: Int! = 1) { programs(page: $page) { items { name } pageNumber } }', {}],
    ['query ($page: Int! = 2) { programs(page: $page) { pageNumber } }', { page: 1 }],
    ['query ($page: Int! = 1) { programs(page: $page) { pageNumber } }', { page: null }],
    ['query ($page: Int = 2) { programs(page: $page) { pageNumber } }', { page: null }],
    ['query ($page: Int = 2, $size: Int = null) { programs(page: $page, size: $size) { pageNumber pageSize } }', {}],
    ['query ($o: ProgramOrder! = NAME_DESC) { programs(orderBy: $o) { items { name } } }', {}],
    ['query ($f: ProgramFilter = { ids: [3, 1], hasBranches: true }) { programs(filter: $f) { count } }', {}],
    ['query ($f: ProgramFilter! = { ids: 3 }) { programs(filter: $f) { items { id } } }', {}],
    ['query ($ids: [Int!] = 3) { programs(filter: { ids: $ids }) { items { id } } }', {}],
    [
      'query ($ids: [Int!] = [1, 3]) { programs(filter: { ids: $ids, hasBranches: true }) { items { id } } }',
      { ids: 1 },
    ],
    ['query ($search: String) { programs(filter: { search: $search }) { count } }', {}],
    ['query ($toString: Int!) { program(id: $toString) { id } }', {}],
    ['query ($hasOwnProperty: Int) { programs(page: $hasOwnProperty) { pageNumber } }', {}],
    ['query ($__proto__: Int = 2) { programs(page: $__proto__) { pageNumber } }', {}],
    ['query { programs { ...P } } fragment P on ProgramPage { items { __typename name } }', {}],
  ])('gets the same response each time: %s %j', async (query, variables) => {
    await expectTheSameEachTime(query, variables);
  });

  it.each([
    ['query ($page: Int! = 2) { programs(page: $page) { pageNumber } }', {}, { programs: { pageNumber: 2 } }],
    ['query ($ids: [Int!] = 3) { programs(filter: { ids: $ids }) { count } }', {}, { programs: { count: 1 } }],
    ['query ($constructor: Int! = 1) { program(id: $constructor) { id } }', {}, { program: { id: 1 } }],
    ['query ($constructor: Int!) { program(id: $constructor) { id } }', { constructor: 3 }, { program: { id: 3 } }],
    ['query ($valueOf: String) { programs(filter: { search: $valueOf }) { count } }', {}, { programs: { count: 2 } }],
    [
      'query ($__proto__: Int!) { program(id: $__proto__) { id } }',
      JSON.parse('{"__proto__": 3}'),
      { program: { id: 3 } },
    ],
  ])('gets the right data each time: %s %j', async (query, variables, data) => {
    for (let time = 0; time < times; time += 1)
      expect(await responseTo(query, variables)).toMatchObject({ status: 200, data });
  });

  it('gets the same response each time, for generated queries', async () => {
    let compiled = 0;
    await fc.assert(
      fc.asyncProperty(generated, async ({ query, variables }) => {
        if (jitEligibleOperation(parse(query)) !== undefined) compiled += 1;
        await expectTheSameEachTime(query, variables);
      }),
      { seed: 20_261_121, numRuns: 150 },
    );
    expect(compiled).toBeGreaterThan(20);
  });
});
