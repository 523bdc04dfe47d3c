import { describe, expect, it } from 'vitest';
import { limitedJson } from '../src/limits/response-tally.ts';
import { useBookServer } from './support/server.ts';

const server = useBookServer();

/** Requests that are rejected before a resolver runs: a name, the request, its only error. */
const invalidRequests = [
  [
    'cannot be parsed',
    { query: '{' },
    { message: 'Syntax Error: Expected Name, found <EOF>.', code: 'GRAPHQL_PARSE_FAILED' },
  ],
  ['is empty', { query: '' }, { message: 'Syntax Error: Unexpected <EOF>.', code: 'GRAPHQL_PARSE_FAILED' }],
  [
    'selects an unknown field',
    { query: '{ nothing }' },
    { message: 'Cannot query field "nothing" on type "Query".', code: 'GRAPHQL_VALIDATION_FAILED' },
  ],
  [
    'exceeds a limit',
    { query: `{ ping { ${'status '.repeat(21)} } }` },
    {
      message: 'The field "status" is repeated more than 20 times in one place. Select it once.',
      code: 'GRAPHQL_VALIDATION_FAILED',
    },
  ],
  [
    'has a literal of the wrong type',
    { query: '{ book(id: 2147483648) { id } }' },
    {
      message: 'Int cannot represent non 32-bit signed integer value: 2147483648',
      code: 'GRAPHQL_VALIDATION_FAILED',
    },
  ],
  [
    'has a variable of the wrong type',
    { query: 'query ($id: Int!) { book(id: $id) { id } }', variables: { id: '1' } },
    {
      message: 'Variable "$id" got invalid value "1"; Int cannot represent non-integer value: "1"',
      code: 'BAD_USER_INPUT',
    },
  ],
  [
    'has a long variable of the wrong type',
    { query: 'query ($id: Int!) { book(id: $id) { id } }', variables: { id: 'x y'.repeat(2_000) } },
    {
      message: `Variable "$id" got invalid value "${'x y'.repeat(33)}x…"; Int cannot represent non-integer value: "${'x y'.repeat(33)}x…"`,
      code: 'BAD_USER_INPUT',
    },
  ],
  [
    'has a literal of many digits',
    { query: `{ book(id: ${'9'.repeat(5_000)}) { id } }` },
    {
      message: `Int cannot represent non 32-bit signed integer value: ${'9'.repeat(100)}…`,
      code: 'GRAPHQL_VALIDATION_FAILED',
    },
  ],
  [
    'is missing a variable',
    { query: 'query ($id: Int!) { book(id: $id) { id } }' },
    { message: 'Variable "$id" of required type "Int!" was not provided.', code: 'BAD_USER_INPUT' },
  ],
  [
    'has null for a variable with a default',
    { query: 'query ($id: Int = 1) { book(id: $id) { id } }', variables: { id: null } },
    { message: 'Argument "id" of non-null type "Int!" must not be null.', code: 'BAD_USER_INPUT' },
  ],
  [
    'names no operation of its document',
    { query: 'query A { ping { status } }', operationName: 'B' },
    { message: 'Could not determine what operation to execute.', code: 'BAD_USER_INPUT' },
  ],
  [
    'does not name one of several operations',
    { query: 'query A { ping { status } } query B { ping { status } }' },
    { message: 'Could not determine what operation to execute.', code: 'BAD_USER_INPUT' },
  ],
] as const;

/** Accept headers, the status of a rejected request, and the content type of the response. */
const acceptCases = [
  [undefined, 400, 'application/json'],
  ['*/*', 400, 'application/json'],
  ['application/json', 200, 'application/json'],
  ['Application/JSON; charset=utf-8', 200, 'application/json'],
  ['application/json, application/json;q=0.5', 200, 'application/json'],
  ['application/graphql-response+json', 400, 'application/graphql-response+json'],
  ['application/graphql-response+json, application/json;q=0.9', 400, 'application/graphql-response+json'],
  ['application/json, application/graphql-response+json', 400, 'application/json'],
  ['application/json, */*', 400, 'application/json'],
  ['text/event-stream', 400, 'application/json'],
  ['application/json, application/graphql-response+json;q=0', 200, 'application/json'],
  ['application/json;q=0.1, application/graphql-response+json', 400, 'application/graphql-response+json'],
  ['application/json;q=0, */*', 400, 'application/graphql-response+json'],
  ['application/graphql-response+json;q=0.5, */*', 400, 'application/json'],
  ['text/event-stream, application/json;q=0', 400, 'application/json'],
] as const;

const post = (request: object, accept: string | undefined) => {
  const test = server.graphql('').send(request);
  return accept === undefined ? test : test.set('Accept', accept);
};

describe('a request that is rejected before a resolver runs', () => {
  it.each(invalidRequests)(
    'because it %s gets the status and content type of its Accept header',
    async (_why, request, expected) => {
      const { message, code } = expected;
      // Twice: Yoga caches documents and their errors, and a response must not depend on earlier requests.
      for (const [accept, status, type] of [...acceptCases, ...acceptCases]) {
        const response = await post(request, accept);

        expect({ accept, status: response.status, type: response.headers['content-type'] }).toEqual({
          accept,
          status,
          type: `${type}; charset=utf-8`,
        });
        expect(JSON.parse(response.text)).toEqual({
          errors: [expect.objectContaining({ message, extensions: { code } })],
        });
      }
    },
  );
});

it('a message has at most a thousand characters, its ellipsis included, and quotes a hundred of a name', async () => {
  const messageOf = async (request: object) => JSON.parse((await post(request, undefined)).text).errors[0].message;
  expect(await messageOf({ query: `{ ${'x'.repeat(3_000)} }` })).toBe(
    `Cannot query field "${'x'.repeat(100)}…" on type "Query".`,
  );

  const id = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x${at}`, at]));
  const message = await messageOf({ query: 'query ($id: Int!) { book(id: $id) { id } }', variables: { id } });
  expect(message).toHaveLength(1_000);
  expect(message).toMatch(/^Variable "\$id" got invalid value \{ x0: 0, .*…$/);
});

describe('a request whose execution has begun', () => {
  it.each([
    ['an error of a field', '{ book(id: 42) { id } }', { book: null }, 'NOT_FOUND'],
    ['an error of a non-null field', '{ books(page: 0) { count } }', null, 'VALIDATION_FAILED'],
    [
      'a directive without its argument',
      'query ($no: Boolean = true) { ping @skip(if: $no) { status } }',
      null,
      'BAD_USER_INPUT',
    ],
  ])('gets a 200 with %s', async (_what, query, data, code) => {
    for (const [accept, , type] of acceptCases.filter(([each]) => !each?.startsWith('text/event-stream'))) {
      const response = await post({ query, variables: query.includes('$no') ? { no: null } : {} }, accept);

      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe(`${type}; charset=utf-8`);
      expect(JSON.parse(response.text)).toEqual({
        data,
        errors: [expect.objectContaining({ extensions: expect.objectContaining({ code }) })],
      });
    }
  });

  it.each([
    'text/event-stream',
    'text/event-stream, application/json;q=0',
    'text/event-stream, */*;q=0',
    'text/html, text/event-stream',
  ])('gets server-sent events when only those are accepted: %s', async (accept) => {
    const response = await post({ query: '{ ping { status } }' }, accept);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'private, no-cache',
    });
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.text).toContain('event: next\ndata: {"data":{"ping":{"status":"ok"}}}\n\nevent: complete');
  });
});

describe('a request that accepts no type of response', () => {
  it.each(['text/html', 'multipart/mixed', 'image/*', '*/*;q=0', 'application/json;q=0', 'text/event-stream;q=0'])(
    'gets a 406, and is not executed: %s',
    async (accept) => {
      const query = 'mutation { createBook(input: { name: "Physics", price: "1" }) { id } }';
      const response = await post({ query }, accept);

      expect([response.status, response.headers['content-type']]).toEqual([406, 'application/json; charset=utf-8']);
      expect(response.body).toEqual({
        errors: [
          {
            message:
              'The header Accept must allow application/json, application/graphql-response+json or, for events, text/event-stream.',
            extensions: { code: 'BAD_USER_INPUT' },
          },
        ],
      });
      expect(server.reads).toEqual([]);
    },
  );
});

it('a response is as long as its bytes, which are more than its characters', () => {
  const json = '{"data":"é"}';
  expect(limitedJson(json, 13)).toBe(json);
  expect(limitedJson(json, 12)).toContain('RESPONSE_TOO_LARGE');
});
