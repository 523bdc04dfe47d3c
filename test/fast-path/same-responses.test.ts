import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { within } from '../support/running-time.ts';
import { adminKey, type TestServer, useServer } from '../support/server.ts';
import { comparable, onTheLongWay, requestsIn, send, type Wire } from './raw-http.ts';

const database = useDatabase();
const uncached = useServer({ RESPONSE_CACHE_MAX_BYTES: '0' }, database);
const caching = useServer({}, database);
const keys: Record<string, string> = {};

beforeAll(async () => {
  for (const name of ['Physics', 'Chemistry', 'Žluťoučký 🦄']) {
    const { id } = await uncached.make.program({ name });
    await uncached.make.branch(id, { name: `Branch of ${name}` });
  }
  keys['viewer'] = await caching.makeKey({ role: 'viewer' });
  keys['guest'] = await caching.makeKey({ role: 'guest' });
  keys['readOnly'] = await caching.makeKey({ user: 'reader', role: 'editor', readOnly: true });
  keys['disabled'] = await caching.makeKey({ user: 'gone', role: 'admin', disabled: true });
  keys['revoked'] = await caching.makeKey({ user: 'former', role: 'admin', revokedAt: new Date(0) });
});

/**
 * Sends a request on the long way, through Express and Yoga, and twice as it is to each server: without a cache it is
 * executed on the short way, if that knows it, and with one the second response may be a cache hit.
 */
async function expectSame(wire: Wire): Promise<string> {
  const expected = comparable(await send(uncached, onTheLongWay(wire)));
  for (const server of [uncached, caching]) {
    for (const time of ['first', 'second']) {
      const response = await send(server, wire);
      expect(comparable(response), `the ${time} response to ${JSON.stringify(wire)}`).toBe(expected);
    }
  }
  return send(caching, wire);
}

const key = `x-api-key: ${adminKey}`;
const programs = '/v1/api/academics/programs';
const branches = '/v1/api/academics/branches';
const document = encodeURIComponent('{ programs(size: 2) { items { id name branches { name } } count } }');

const addresses = [
  ...['/', '/v1', '/v1/', '/v1/ping', '/v1/ping/', '/v1/ping?', '/v1/ping?x=1', '/V1/ping', '//v1/ping', '/v1//ping'],
  ...[
    '',
    '?',
    '?page=2&size=1',
    '?size=1&page=2',
    '?page=%32',
    '?page=2&page=2',
    '?page=0',
    '?size=500',
    '?page=1.0',
  ].map((query) => programs + query),
  ...['/', '/1', '/1/', '/1?x=1', '/01', '/0', '/%31', '/%zz', '/1%2f', '/x', '/-1', '/2147483648', '/404', '/1/x'].map(
    (id) => programs + id,
  ),
  ...['', '/1', '/2?page=1', '/404', '/:id'].map((id) => branches + id),
  ...['', '?', `?query=${document}`, `?query=${document}&variables={}`, '?query={ping}', '?query=mutation{ping}'].map(
    (query) => `/graphql${query}`,
  ),
  'http://localhost/v1/ping',
];

describe('a cached REST response is byte for byte the same as an uncached one', () => {
  it.each(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])('for %s of every path', async (method) => {
    for (const address of addresses) await expectSame({ method, address, headers: [key, 'X-Request-Id: mine'] });
  });

  it('for every form of header', async () => {
    const forms = [
      [],
      ['x-api-key:'],
      ['x-api-key: wrong'],
      [`x-api-key: Bearer ${adminKey}`],
      [`x-api-key: bearer   ${adminKey}  `],
      [`Authorization: Bearer ${adminKey}`],
      [`Authorization: Basic ${adminKey}`],
      [key, key],
      [key, 'Authorization: Bearer wrong'],
      ['x-api-key: wrong', `Authorization: Bearer ${adminKey}`],
      ...Object.values(keys).map((other) => [`x-api-key: ${other}`]),
      ...['*', '"x"', 'W/"x"', '"x", *', ''].map((tags) => [key, `If-None-Match: ${tags}`]),
      ...['text/html', 'text/html, */*;q=0.8', 'image/png', '*/*', ''].map((accept) => [key, `Accept: ${accept}`]),
      ...['mine', 'not mine', 'x'.repeat(129), ''].map((id) => [key, `X-Request-Id: ${id}`]),
      [key, 'Origin: https://other.example'],
      [key, 'Accept-Encoding: gzip, br'],
      [key, 'Cache-Control: no-cache', 'Pragma: no-cache'],
      [key, 'Range: bytes=0-3'],
      [key, 'If-Match: "x"', 'If-Modified-Since: Sat, 21 Nov 2026 00:00:00 GMT'],
      [key, 'Idempotency-Key: one'],
      [key, 'Content-Length: 0'],
      [key, 'Upgrade: h2c'],
      [key, 'X-Forwarded-For: 10.0.0.1'],
    ];
    for (const address of ['/v1/ping', `${programs}/1`, programs, `${branches}/1`, `/graphql?query=${document}`]) {
      for (const headers of forms) await expectSame({ address, headers });
    }
  });

  it('for conditional requests', async () => {
    for (const address of [`${programs}/1`, programs, `/graphql?query=${document}`]) {
      const [, tag = ''] = /^etag: (.*)\r$/im.exec(await expectSame({ address, headers: [key] })) ?? [];
      expect(tag).toMatch(/^"[\w-]{27}"$/);
      for (const tags of [tag, `W/${tag}`, `"x", ${tag}`, `"x",${tag} , "y"`]) {
        for (const method of ['GET', 'HEAD']) {
          await expectSame({ method, address, headers: [key, `If-None-Match: ${tags}`] });
        }
      }
    }
  });

  it('for a GET with a body', async () => {
    await expectSame({ address: `${programs}/1`, headers: [key, 'Content-Length: 2'], body: '{}' });
    await expectSame({
      address: `${programs}/1`,
      headers: [key, 'Transfer-Encoding: chunked'],
      body: '2\r\n{}\r\n0\r\n\r\n',
    });
  });

  it('over HTTP/1.0', async () => {
    await expectSame({ version: '1.0', address: `${programs}/1`, headers: [key] });
  });
});

describe('a cached GraphQL response is byte for byte the same as an uncached one', () => {
  const query = (text: string, variables?: object) => JSON.stringify({ query: text, variables });
  const one = query('query ($id: Int!) { program(id: $id) { name branches { years { code } } } }', { id: 1 });
  const json = 'Content-Type: application/json';
  const post = (body: string | Buffer, ...headers: string[]): Wire => ({
    method: 'POST',
    address: '/graphql',
    headers: [key, `Content-Length: ${Buffer.byteLength(body)}`, ...headers],
    body,
  });

  it.each([
    ['a query', one],
    ['the same query with surrounding whitespace', ` ${one} `],
    ['introspection', query('{ __schema { queryType { name } } }')],
    ['__typename', query('{ __typename }')],
    ['names outside ASCII', query('{ program(id: 3) { name } }')],
    ['a record that does not exist', query('{ program(id: 404) { name } }')],
    ['a field that does not exist', query('{ program(id: 1) { colour } }')],
    ['an incomplete document', query('{ program(id: 1)')],
    ['variables of the wrong type', query('query ($id: Int!) { program(id: $id) { name } }', { id: 'one' })],
    [
      'an operation by name',
      JSON.stringify({ query: 'query A { ping { status } } query B { ping { status } }', operationName: 'B' }),
    ],
    ['an unknown operation', JSON.stringify({ query: 'query A { ping { status } }', operationName: 'C' })],
    ['extensions', JSON.stringify({ query: '{ ping { status } }', extensions: { a: 1 } })],
    ['a field for administrators', query('{ users { name role } }')],
    ['a mutation that is rejected', query('mutation { updateProgram(id: 404, input: {}) { name } }')],
    ['a subscription to an unknown field', query('subscription { nothing }')],
    ['no query', '{}'],
    ['a list', '[]'],
    ['invalid JSON', '{'],
    ['no body', ''],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['a body over the size limit', query(`{ ping { status } } #${'x'.repeat(110_000)}`)],
  ])('for %s', async (_what, body) => {
    await expectSame(post(body, json));
  });

  it('for every form of header', async () => {
    const forms = [
      ['Content-Type: application/json; charset=utf-8'],
      ['Content-Type: Application/JSON;charset=UTF-8'],
      ['Content-Type: application/json; charset=latin1'],
      ['Content-Type: text/plain'],
      [],
      [json, 'Content-Encoding: identity'],
      [json, 'Content-Encoding: gzip'],
      [json, 'Idempotency-Key: one'],
      [json, 'Idempotency-Key: not one'],
      [json, 'Origin: https://other.example'],
      [json, 'If-None-Match: *'],
      [json, 'Expect: 100-continue'],
      [json, 'Expect: something'],
      ...[
        '*/*',
        'application/json',
        'application/graphql-response+json',
        'application/graphql-response+json, application/json;q=0.9',
        'application/json;q=0.1, application/graphql-response+json',
        'multipart/mixed, application/json',
        'text/html,application/xhtml+xml',
        'image/png',
        '',
      ].map((accept) => [json, `Accept: ${accept}`]),
    ];
    for (const headers of forms) await expectSame(post(one, ...headers));
  });

  it('for every caller', async () => {
    for (const other of ['', 'wrong', ...Object.values(keys)]) {
      const { headers = [], ...wire } = post(one, json);
      await expectSame({ ...wire, headers: [`x-api-key: ${other}`, ...headers.slice(1)] });
    }
  });

  it('for a chunked body, and for a query in the URL', async () => {
    const chunked = `${one.length.toString(16)}\r\n${one}\r\n0\r\n\r\n`;
    await expectSame({
      method: 'POST',
      address: '/graphql',
      headers: [key, json, 'Transfer-Encoding: chunked'],
      body: chunked,
    });
    await expectSame({ ...post(one, json), address: `/graphql?query=${document}` });
    await expectSame({ ...post(one, json), address: '/graphql/' });
  });
});

it('logs cached requests as uncached ones', async () => {
  const kinds = (server: TestServer) => [...new Set(requestsIn(server.logged))].toSorted();
  await within(1_000, () =>
    expect(kinds(caching)).toEqual(kinds(uncached).filter((line) => !line.includes('"status":201'))),
  );
});

it('counts cached requests in the metrics as uncached ones', async () => {
  const requestTotals = async (server: TestServer) =>
    (await (await fetch(`${server.url}/metrics`)).text())
      .split('\n')
      .filter((line) => line.startsWith('http_requests_total'));
  const creates = /route="\/v1\/api\/academics\/(programs|branches)",method="POST",status="201"/;
  expect((await requestTotals(caching)).toSorted()).toEqual(
    (await requestTotals(uncached)).filter((line) => !creates.test(line)).toSorted(),
  );
});
