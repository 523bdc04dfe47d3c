import fc from 'fast-check';
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/doors/graphql/schema.ts';
import { secret, secretToken } from '../support/credentials/tokens.ts';
import { useServer } from '../support/server.ts';
import { expectContract, send } from './invariants.ts';

/** A fixed seed; fewer runs when they do not fit into the time. */
const bounded = { seed: 20_261_121, interruptAfterTimeLimit: 3_000, numRuns: 200 } as const;

/** A token has no row that a mutation could disable or revoke. */
const token = secretToken({ sub: 'fuzzer', roles: ['admin'], exp: 4_102_444_800 });

const server = useServer({ LOG_LEVEL: 'warn', JWT_SECRET: secret });
beforeAll(async () => {
  for (const name of ['Physics', 'Law']) {
    await server.rest('post', '/api/academics/programs').send({ name, duration: '4 Years' });
  }
  await server.rest('post', '/api/academics/branches').send({ programId: 1, name: 'Optics', years: 3 });
});
afterAll(async () => {
  expect((await server.rest('get', '/ping', token)).status).toBe(200);
  // Unforeseen errors are logged.
  expect(server.logged.slice(0, 3)).toEqual([]);
});

/** Makes the same choices for the same numbers. */
interface Chooser {
  below(limit: number): number;
  one<Item>(items: readonly Item[]): Item;
}

function createChooser(numbers: readonly number[]): Chooser {
  let at = 0;
  const below = (limit: number): number => (numbers[at++ % numbers.length] ?? 0) % limit;
  return {
    below,
    one: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There is nothing to choose from.');
      return item;
    },
  };
}

const unusualValues = [
  'null',
  '-1',
  '0',
  '1',
  '3',
  '101',
  '2147483648',
  '1e400',
  '0.5',
  '""',
  '"x"',
  '"""block"""',
  'true',
  'NOPE',
  '[]',
  '{}',
  '[[1]]',
  '$v',
  '"\\u0000"',
  '"\\uD800"',
  '"\u{1F9EC}"',
  '{a: {b: [null]}}',
];

/** How rarely something is invalid, so that most documents are valid. */
const invalidOneIn = 60;

/** A value of a type, now and then an invalid one. */
function valueFor(type: GraphQLInputType, choose: Chooser, depth: number): string {
  const inner = getNullableType(type);
  if (depth > 3 || choose.below(invalidOneIn) === 0) return choose.one(unusualValues);
  if (isListType(inner)) return `[${valueFor(inner.ofType, choose, depth + 1)}]`;
  if (isEnumType(inner)) return choose.one(inner.getValues()).name;
  if (isInputObjectType(inner)) {
    const fields = Object.values(inner.getFields()).filter(
      (field) => isRequiredInputField(field) || choose.below(2) > 0,
    );
    return `{${fields.map((field) => `${field.name}: ${valueFor(field.type, choose, depth + 1)}`).join(', ')}}`;
  }
  return choose.one(valuesByScalar[inner.toString()] ?? unusualValues);
}

/** Values of scalars; a few of them match existing records. */
const valuesByScalar: Readonly<Record<string, readonly string[]>> = {
  Int: ['1', '1', '1', '2', '2', '3', '0', '-1', '101', '2147483647'],
  String: ['"Physics"', '"4 Years"', '""', '"\\u0000"', '"\\n"', '"admin"', '"90d"', '"MQ=="', '"%_\\\\"'],
  Boolean: ['true', 'false'],
  DateTime: ['"2026-01-01T00:00:00Z"', '"0000-01-01"', '"x"', '"9999-12-31T23:59:59.999Z"'],
};

function fieldOf(field: GraphQLField<unknown, unknown>, choose: Chooser, depth: number): string {
  const args = field.args
    .filter((argument) => isRequiredArgument(argument) || choose.below(3) === 0)
    .map((argument) => `${argument.name}: ${valueFor(argument.type, choose, 0)}`);
  const directive = choose.below(invalidOneIn) === 0 ? choose.one(directives) : '';
  const value = args.length === 0 ? '' : `(${args.join(', ')})`;
  return `${field.name}${value}${directive}${selectionOf(getNamedType(field.type), choose, depth + 1)}`;
}

const directives = [' @skip(if: false)', ' @include(if: $v)', ' @nope', ' @defer', ' @skip'];
const extras = ['__typename', '...F', '... { __typename }', '...Nowhere', 'nope', 'id { id }', ''];

function selectionOf(type: GraphQLNamedType, choose: Chooser, depth: number): string {
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields()).filter((field) => depth < 4 || isLeafType(getNamedType(field.type)));
  // Aliased, so that fields do not conflict.
  const chosen = Array.from({ length: 1 + choose.below(5) }, (_, index) => {
    const field = fieldOf(choose.one(fields), choose, depth);
    return index === 0 ? field : `a${index}: ${field}`;
  });
  const extra = choose.below(invalidOneIn) === 0 ? choose.one(extras) : '';
  return ` { ${chosen.join(' ')} ${extra} }`;
}

function documentFrom(numbers: readonly number[]): string {
  const choose = createChooser(numbers);
  const operation = choose.one(['query', 'query', 'mutation']);
  const root = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  const selection = root ? selectionOf(root, choose, 0) : '';
  const header = selection.includes('$v') ? ' Named($v: Int)' : choose.one(['', '', '', ' Named', '($v: Nope!)']);
  const fragment = selection.includes('...F')
    ? choose.one([' fragment F on Program { id ...F }', ' fragment F on Branch { id }'])
    : '';
  return `${operation}${header}${selection}${fragment}`;
}

const numbers = fc.array(fc.nat(9_999), { minLength: 30, maxLength: 120 });
const fromSchema = numbers.map(documentFrom);
/** A document with some characters replaced. */
const corrupted = fc
  .tuple(
    fromSchema,
    fc.nat(),
    fc.nat(6),
    fc.constantFrom('{', '}', '(', '"', '"""', '$', '...', '@', '#', '\n', '\0', '\ufeff', 'query'),
  )
  .map(([document, at, removed, inserted]) => {
    const cut = at % document.length;
    return document.slice(0, cut) + inserted + document.slice(cut + removed);
  });
const hostile = fc.constantFrom(
  `{ ${'ping { status } '.repeat(2_000)} }`,
  `{ ${Array.from({ length: 500 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
  `{ ping ${'@include(if: true) '.repeat(500)} { status } }`,
  `{ program(id: 1) ${'{ branches { program '.repeat(40)} { id } ${'} }'.repeat(40)} }`,
  '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
  '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
  `query (${Array.from({ length: 300 }, (_, n) => `$v${n}: Int`).join(' ')}) { ping { status } }`,
  `{ programs(filter: { ids: [${'1,'.repeat(5_000)}] }) { count } }`,
  `{ programs(filter: { search: "${'x'.repeat(50_000)}" }) { count } }`,
  `${'{'.repeat(20_000)}`,
);

const anything = fc.jsonValue();
const query = fc.oneof(
  { weight: 20, arbitrary: fromSchema },
  { weight: 4, arbitrary: corrupted },
  { weight: 1, arbitrary: hostile },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: anything },
);
const request = fc.oneof(
  { weight: 6, arbitrary: fc.record({ query }) },
  { weight: 2, arbitrary: fc.record({ query, variables: fc.constantFrom({ v: 1 }, { v: 'x' }, {}, null) }) },
  { weight: 1, arbitrary: fc.record({ query, variables: anything, operationName: anything, extensions: anything }) },
);

const accept = fc.constantFrom(
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'text/event-stream, */*',
);

describe('any request to /graphql', () => {
  it('gets a valid response, and every error has a code', async () => {
    await fc.assert(
      fc.asyncProperty(request, accept, fc.nat(3), async (requested, accepted, kind) => {
        const fields = `Host: localhost\r\nConnection: close\r\nx-api-key: ${token}\r\nAccept: ${accepted}\r\n`;
        const body = JSON.stringify(requested);
        const parameters = new URLSearchParams(
          Object.entries(requested).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]),
        ).toString();
        const get = kind === 0 && parameters.length < 10_000;
        const rawRequest = get
          ? `GET /graphql?${parameters} HTTP/1.1\r\n${fields}\r\n`
          : `POST /graphql HTTP/1.1\r\n${fields}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
        const response = await send(server.url, rawRequest, true);
        if (response === undefined) throw new Error('There was no response.');
        expectContract(response, get ? 'GET' : 'POST');
      }),
      bounded,
    );
  });
});
