import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../http/raw.ts';
import { factoriesFor } from '../support/factories.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const pong = { data: { ping: { status: 'ok' } } };
const badInput = (message: string) => ({ errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] });
const badBody = (problem: string) => ({
  errors: [
    {
      message: 'The request has an invalid body.',
      extensions: { code: 'VALIDATION_FAILED', errors: { body: [problem] } },
    },
  ],
});

const get = (search: string, key: string | null = adminKey) => {
  const test = supertest(server.url).get(`/graphql${search}`);
  return key === null ? test : test.set('x-api-key', key);
};
const post = (type: string, body: string) =>
  supertest(server.url).post('/graphql').set('x-api-key', adminKey).set('Content-Type', type).send(body);
const parameters = (fields: Record<string, string>) => `?${new URLSearchParams(fields)}`;

describe('GET /graphql', () => {
  it('answers queries', async () => {
    const answer = await get(parameters({ query: '{ ping { status } }' }));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(pong);
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'x-api-key, authorization' });
  });

  it('takes variables and the name of an operation', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Logic' });
    const answer = await get(
      parameters({
        query: 'query A { ping { status } } query B($id: Int!) { program(id: $id) { name } }',
        variables: JSON.stringify({ id }),
        operationName: 'B',
        extensions: '{}',
        other: 'x',
      }),
    );
    expect(answer.body).toEqual({ data: { program: { name: 'Logic' } } });
  });

  it('does not carry out mutations', async () => {
    const { id } = await factoriesFor(server).program();
    for (const search of [
      parameters({ query: `mutation { deleteProgram(id: ${id}) { id } }` }),
      parameters({
        query: `query A { ping { status } } mutation B { deleteProgram(id: ${id}) { id } }`,
        operationName: 'B',
      }),
    ]) {
      const answer = await get(search).set('Accept', 'application/json');
      expect(answer.status).toBe(405);
      expect(answer.headers).toMatchObject({ allow: 'POST', 'content-type': 'application/json; charset=utf-8' });
      expect(answer.body).toEqual(badInput('Can only perform a mutation operation from a POST request.'));
    }
    expect((await server.rest('get', `/api/academics/programs/${id}`)).status).toBe(200);
  });

  const once = 'Parameters may be given once, and variables and extensions must be JSON.';
  it.each([
    ['no query', '', 'Must provide query string.'],
    ['an empty query', '?query=', 'Must provide query string.'],
    ['variables that are no JSON', '?query=%7Bping%7Bstatus%7D%7D&variables=x', once],
    ['extensions that are no JSON', '?query=%7Bping%7Bstatus%7D%7D&extensions=%7B', once],
    ['two queries', '?query=%7Bping%7Bstatus%7D%7D&query=%7Bping%7Bstatus%7D%7D', once],
    ['variables twice', '?query=%7Bping%7Bstatus%7D%7D&variables=%7B%7D&variables=%7B%7D', once],
    [
      'a list of variables',
      '?query=%7Bping%7Bstatus%7D%7D&variables=[]',
      'Expected "variables" param to be empty or an object, but given array.',
    ],
  ])('refuses %s', async (_what, search, message) => {
    for (const accept of ['*/*', 'application/json']) {
      const answer = await get(search).set('Accept', accept);
      expect(answer.status).toBe(400);
      expect(answer.headers).not.toHaveProperty('allow');
      expect(answer.body).toEqual(badInput(message));
    }
  });
});

describe('POST /graphql', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/json ; x=y'])(
    'takes a body of type %s',
    async (type) => {
      expect((await post(type, '{"query":"{ ping { status } }"}')).body).toEqual(pong);
    },
  );

  it('takes null for what is optional', async () => {
    const body = { query: '{ ping { status } }', variables: null, operationName: null, extensions: null };
    expect((await server.graphql('').send(body)).body).toEqual(pong);
  });

  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/plain; application/json',
    'application/graphql',
    'application/jsonx',
  ])('refuses a body of type %s, which a foreign page could send', async (type) => {
    const answer = await post(type, '{"query":"{ ping { status } }"}');
    expect(answer.status).toBe(415);
    expect(answer.body).toEqual(badBody('The body must be sent as Content-Type: application/json.'));
  });

  const noQuery = badInput('The body must have a string under "query".');
  it.each([
    ['no body', '', badBody('A JSON object is required.')],
    ['malformed JSON', '{"query":', badBody('The body is not valid JSON.')],
    ['a text', '"{ ping { status } }"', badBody('The body must be a JSON object.')],
    ['a batch', '[{"query":"{ ping { status } }"}]', badBody('The body must be a JSON object.')],
    ['an empty object', '{}', noQuery],
    ['a query that is null', '{"query":null}', noQuery],
    ['a query that is no text', '{"query":{"a":1}}', noQuery],
    [
      'a list of variables',
      '{"query":"{ ping { status } }","variables":[]}',
      badInput('Expected "variables" param to be empty or an object, but given array.'),
    ],
    [
      'variables in a text',
      '{"query":"{ ping { status } }","variables":"{}"}',
      badInput('Expected "variables" param to be empty or an object, but given string.'),
    ],
    [
      'a name of an operation that is no text',
      '{"query":"query A { ping { status } }","operationName":1}',
      badInput('Could not determine what operation to execute.'),
    ],
    [
      'an unknown parameter',
      '{"query":"{ ping { status } }","__proto__":{"x":1}}',
      badInput('Unexpected parameter "__proto__" in the request body.'),
    ],
  ])('refuses %s', async (_what, body, expected) => {
    const answer = await post('application/json', body);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual(expected);
  });

  it('refuses a body of more than 102,400 bytes', async () => {
    const frame = JSON.stringify({ query: '{ ping { status } }', variables: { x: '' } });
    const bodyOf = (bytes: number) => frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
    expect((await post('application/json', bodyOf(102_400))).body).toEqual(pong);

    const answer = await post('application/json', bodyOf(102_401));
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual(badBody('The body must be at most 102400 bytes long.'));
  });
});

describe('other methods', () => {
  it.each(['put', 'patch', 'delete', 'options'] as const)('%s is not allowed', async (method) => {
    const answer = await supertest(server.url)[method]('/graphql').set('x-api-key', adminKey);
    expect(answer.status).toBe(405);
    expect(answer.headers).toMatchObject({ allow: 'GET, POST', 'content-type': 'application/json; charset=utf-8' });
    expect(answer.body).toEqual(badInput(`${method.toUpperCase()} is not allowed here; use GET, POST.`));
  });
});

describe('a request that is odd but understood', () => {
  const body = '{"query":"{ ping { status } }"}';
  const rest = `x-api-key: ${adminKey}\r\nConnection: close\r\n`;
  const sent = `${rest}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  it.each(['a b', '[::1', 'http://x/', 'a:99999', '@', '?', '#'])('is answered though its host is %s', async (host) => {
    const [answer] = await exchange(server.url, `POST /graphql HTTP/1.1\r\nHost: ${host}\r\n${sent}`);
    expect(answer).toMatchObject({ status: 200, body: JSON.stringify(pong) });
  });

  it('is answered though its target is a whole address', async () => {
    const target = 'http://elsewhere/graphql?query=%7Bping%7Bstatus%7D%7D';
    const [answer] = await exchange(server.url, `GET ${target} HTTP/1.1\r\nHost: elsewhere\r\n${rest}\r\n`);
    expect(answer).toMatchObject({ status: 200, body: JSON.stringify(pong) });
  });
});
