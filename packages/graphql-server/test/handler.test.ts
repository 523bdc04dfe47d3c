import { exchange } from '@service/http/testing';
import { describe, expect, it } from 'vitest';
import { useBookServer } from './support/server.ts';

const server = useBookServer();

const pong = { data: { ping: { status: 'ok' } } };
const inputError = (message: string) => ({ errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] });
const noBatches =
  'The body must be one operation: an array of them is not served. Send each in a request of its own (Apollo: HttpLink, not BatchHttpLink), or several fields in one document.';
const bodyError = (problem: string) => ({
  errors: [
    {
      message: 'The request has an invalid body.',
      extensions: { code: 'VALIDATION_FAILED', errors: { body: [problem] } },
    },
  ],
});

const get = (search: string) => server.request('get', `/graphql${search}`);
const post = (type: string, body: string) => server.request('post', '/graphql').set('Content-Type', type).send(body);
const parameters = (fields: Record<string, string>) => `?${new URLSearchParams(fields)}`;

describe('GET /graphql', () => {
  it('accepts variables and an operation name', async () => {
    const response = await get(
      parameters({
        query: 'query A { ping { status } } query B($id: Int!) { book(id: $id) { name } }',
        variables: '{"id":1}',
        operationName: 'B',
        extensions: '{}',
        other: 'x',
      }),
    );
    expect(response.body).toEqual({ data: { book: null } });
    expect(server.reads).toEqual(['book']);
  });

  it('rejects mutations', async () => {
    for (const search of [
      parameters({ query: 'mutation { createBook(input: { name: "x", price: "1" }) { id } }' }),
      parameters({
        query: 'query A { ping { status } } mutation B { createBook(input: { name: "x", price: "1" }) { id } }',
        operationName: 'B',
      }),
    ]) {
      const response = await get(search).set('Accept', 'application/json');
      expect(response.status).toBe(405);
      expect(response.headers).toMatchObject({ allow: 'POST', 'content-type': 'application/json; charset=utf-8' });
      expect(response.body).toEqual(inputError('Can only perform a mutation operation from a POST request.'));
    }
    expect(server.reads).toEqual([]);
  });

  const once = 'Parameters may be given once, and variables and extensions must be JSON.';
  it.each([
    ['no query', '', 'Must provide query string.'],
    ['an empty query', '?query=', 'Must provide query string.'],
    ['variables that are not JSON', '?query=%7Bping%7Bstatus%7D%7D&variables=x', once],
    ['extensions that are not JSON', '?query=%7Bping%7Bstatus%7D%7D&extensions=%7B', once],
    ['two queries', '?query=%7Bping%7Bstatus%7D%7D&query=%7Bping%7Bstatus%7D%7D', once],
    ['variables twice', '?query=%7Bping%7Bstatus%7D%7D&variables=%7B%7D&variables=%7B%7D', once],
    [
      'a list of variables',
      '?query=%7Bping%7Bstatus%7D%7D&variables=[]',
      'Expected "variables" param to be empty or an object, but given array.',
    ],
  ])('rejects %s', async (_what, search, message) => {
    for (const accept of ['*/*', 'application/json']) {
      const response = await get(search).set('Accept', accept);
      expect(response.status).toBe(400);
      expect(response.headers).not.toHaveProperty('allow');
      expect(response.body).toEqual(inputError(message));
    }
  });
});

describe('POST /graphql', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/json ; x=y'])(
    'accepts a body of type %s',
    async (type) => {
      expect((await post(type, '{"query":"{ ping { status } }"}')).body).toEqual(pong);
    },
  );

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'text/plain; application/json',
    'application/graphql',
    'application/jsonx',
  ])('rejects a body of type %s, which another site could send without a preflight', async (type) => {
    const response = await post(type, '{"query":"{ ping { status } }"}');
    expect(response.status).toBe(415);
    expect(response.body).toEqual(bodyError('The body must be sent as Content-Type: application/json.'));
  });

  const noQuery = inputError('The body must have a string under "query".');
  it.each([
    ['a batch', '[{"query":"{ ping { status } }"}]', bodyError(noBatches)],
    ['an empty object', '{}', noQuery],
    ['a query that is null', '{"query":null}', noQuery],
    ['a query that is not a string', '{"query":{"a":1}}', noQuery],
    [
      'a list of variables',
      '{"query":"{ ping { status } }","variables":[]}',
      inputError('Expected "variables" param to be empty or an object, but given array.'),
    ],
    [
      'variables in a string',
      '{"query":"{ ping { status } }","variables":"{}"}',
      inputError('Expected "variables" param to be empty or an object, but given string.'),
    ],
    [
      'an operation name that is not a string',
      '{"query":"query A { ping { status } }","operationName":1}',
      inputError('The body must have a string under "operationName", if any.'),
    ],
    [
      'an unknown parameter',
      '{"query":"{ ping { status } }","__proto__":{"x":1}}',
      inputError('Unexpected parameter "__proto__" in the request body.'),
    ],
  ])('rejects %s', async (_what, body, expected) => {
    for (const accept of ['*/*', 'application/json']) {
      const response = await post('application/json', body).set('Accept', accept);
      expect(response.status).toBe(400);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(response.body).toEqual(expected);
    }
  });
});

describe('other methods', () => {
  it.each(['patch', 'delete', 'options'] as const)('%s is not allowed', async (method) => {
    const response = await server.request(method, '/graphql');
    expect(response.status).toBe(405);
    expect(response.headers).toMatchObject({ allow: 'GET, POST', 'content-type': 'application/json; charset=utf-8' });
    expect(response.body).toEqual(inputError(`${method.toUpperCase()} is not allowed here; use GET, POST.`));
  });
});

it('a client that reserves a single connection gets a hint at distinct ones', async () => {
  const { status, text } = await exchange(
    server.url,
    'PUT /graphql HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n',
  ).then(([response]) => ({ status: response?.status, text: response?.body ?? '' }));
  const message =
    'PUT is not allowed here; use GET, POST. Of GraphQL over SSE, distinct connections are served: set singleConnection to false.';
  expect([status, JSON.parse(text)]).toEqual([405, inputError(message)]);
});

describe('an unusual but valid request', () => {
  const body = '{"query":"{ ping { status } }"}';
  const rest = 'Connection: close\r\n';
  const sent = `${rest}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  it.each(['a b', '[::1', 'http://x/', 'a:99999', '@', '?', '#'])(
    'is served with the invalid host %s',
    async (host) => {
      const [response] = await exchange(server.url, `POST /graphql HTTP/1.1\r\nHost: ${host}\r\n${sent}`);
      expect(response).toMatchObject({ status: 200, body: JSON.stringify(pong) });
    },
  );

  it('is served with an absolute URL', async () => {
    const target = 'http://elsewhere/graphql?query=%7Bping%7Bstatus%7D%7D';
    const [response] = await exchange(server.url, `GET ${target} HTTP/1.1\r\nHost: elsewhere\r\n${rest}\r\n`);
    expect(response).toMatchObject({ status: 200, body: JSON.stringify(pong) });
  });
});
