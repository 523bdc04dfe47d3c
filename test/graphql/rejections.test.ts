import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** What is refused before a resolver runs: a name, the request, its one error. */
const refusals = [
  [
    'cannot be parsed',
    { query: '{' },
    { message: 'Syntax Error: Expected Name, found <EOF>.', code: 'GRAPHQL_PARSE_FAILED' },
  ],
  ['is empty', { query: '' }, { message: 'Syntax Error: Unexpected <EOF>.', code: 'GRAPHQL_PARSE_FAILED' }],
  [
    'asks for an unknown field',
    { query: '{ nothing }' },
    { message: 'Cannot query field "nothing" on type "Query".', code: 'GRAPHQL_VALIDATION_FAILED' },
  ],
  [
    'is past a limit',
    { query: `{ ping { ${'status '.repeat(21)} } }` },
    {
      message: 'The field "status" is repeated more than 20 times in one place. Ask for it once.',
      code: 'GRAPHQL_VALIDATION_FAILED',
    },
  ],
  [
    'has a literal of the wrong type',
    { query: '{ program(id: 2147483648) { id } }' },
    {
      message: 'Int cannot represent non 32-bit signed integer value: 2147483648',
      code: 'GRAPHQL_VALIDATION_FAILED',
    },
  ],
  [
    'has a variable of the wrong type',
    { query: 'query ($id: Int!) { program(id: $id) { id } }', variables: { id: '1' } },
    {
      message: 'Variable "$id" got invalid value "1"; Int cannot represent non-integer value: "1"',
      code: 'BAD_USER_INPUT',
    },
  ],
  [
    'lacks a variable',
    { query: 'query ($id: Int!) { program(id: $id) { id } }' },
    { message: 'Variable "$id" of required type "Int!" was not provided.', code: 'BAD_USER_INPUT' },
  ],
  [
    'gives null where a default was meant',
    { query: 'query ($id: Int = 1) { program(id: $id) { id } }', variables: { id: null } },
    { message: 'Argument "id" of non-null type "Int!" must not be null.', code: 'BAD_USER_INPUT' },
  ],
  [
    'names no operation of its document',
    { query: 'query A { ping { status } }', operationName: 'B' },
    { message: 'Could not determine what operation to execute.', code: 'BAD_USER_INPUT' },
  ],
  [
    'does not say which of its operations',
    { query: 'query A { ping { status } } query B { ping { status } }' },
    { message: 'Could not determine what operation to execute.', code: 'BAD_USER_INPUT' },
  ],
] as const;

/** Media types that a caller accepts, the status of a refusal, and the type of the answer. */
const accepted = [
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
  ['multipart/mixed', 400, 'application/json'],
  ['text/html', 400, 'application/json'],
  ['application/json, application/graphql-response+json;q=0', 200, 'application/json'],
  ['application/json;q=0.1, application/graphql-response+json', 400, 'application/graphql-response+json'],
  ['application/json;q=0, */*', 400, 'application/graphql-response+json'],
  ['application/graphql-response+json;q=0.5, */*', 400, 'application/json'],
  ['text/event-stream, application/json;q=0', 400, 'application/json'],
] as const;

const ask = (request: object, accept: string | undefined) => {
  const test = server.graphql('').send(request);
  return accept === undefined ? test : test.set('Accept', accept);
};

describe('a request that is refused before a resolver runs', () => {
  it.each(refusals)('because it %s has a status that fits what its caller accepts', async (_why, request, refusal) => {
    const { message, code } = refusal;
    // Twice: Yoga remembers documents and their errors, and an answer must not depend on who asked before.
    for (const [accept, status, type] of [...accepted, ...accepted]) {
      const answer = await ask(request, accept);

      expect({ accept, status: answer.status, type: answer.headers['content-type'] }).toEqual({
        accept,
        status,
        type: `${type}; charset=utf-8`,
      });
      expect(JSON.parse(answer.text)).toEqual({ errors: [expect.objectContaining({ message, extensions: { code } })] });
    }
  });
});

describe('a request whose execution has begun', () => {
  it.each([
    ['an error of a field', '{ program(id: 42) { id } }', { program: null }, 'NOT_FOUND'],
    ['a required field that has failed', '{ programs(page: 0) { count } }', null, 'VALIDATION_FAILED'],
    [
      'a directive without its argument',
      'query ($no: Boolean = true) { ping @skip(if: $no) { status } }',
      null,
      'BAD_USER_INPUT',
    ],
  ])('is answered with 200 for %s', async (_what, query, data, code) => {
    for (const [accept, , type] of accepted.filter(([each]) => !each?.startsWith('text/event-stream'))) {
      const answer = await ask({ query, variables: query.includes('$no') ? { no: null } : {} }, accept);

      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`);
      expect(JSON.parse(answer.text)).toEqual({
        data,
        errors: [expect.objectContaining({ extensions: expect.objectContaining({ code }) })],
      });
    }
  });

  it.each(['text/event-stream', 'text/event-stream, application/json;q=0', 'text/event-stream, */*;q=0'])(
    'is answered as server-sent events where only those are accepted: %s',
    async (accept) => {
      const answer = await ask({ query: '{ ping { status } }' }, accept);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('text/event-stream');
      expect(answer.text).toContain('event: next\ndata: {"data":{"ping":{"status":"ok"}}}\n\nevent: complete');
    },
  );
});
