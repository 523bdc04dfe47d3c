import { connect } from 'node:net';
import { exchange } from '@service/http/testing';
import { expect, it } from 'vitest';
import { within } from '../support/running-time.ts';
import { adminKey, useSharedServer } from '../support/server.ts';

// What becomes of connections is tested in packages/http; here, that the service serves them so.

const server = useSharedServer();
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const head = (line: string, ...fields: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', `x-api-key: ${adminKey}`, ...fields, '', ''].join('\r\n');
const create = (type: string, body: string) =>
  head('POST /v1/api/academics/programs', `Content-Type: ${type}`, `Content-Length: ${body.length}`) + body;
const ping = head('GET /v1/ping', 'Connection: close');

it.each([
  ['malformed HTTP', 400, 'GARBAGE\r\n\r\n'],
  ['too large headers', 431, head('GET /v1/ping', `x: ${'x'.repeat(20_000)}`)],
  ['two Host headers', 400, head('GET /v1/ping', 'hOST: example.org')],
])('%s gets a %i in JSON, with an id', async (_what, status, request) => {
  const responses = await exchange(server.url, request);
  const headers = {
    'x-request-id': expect.stringMatching(uuid),
    'x-error-code': 'BAD_USER_INPUT',
    connection: 'close',
  };
  expect(responses).toMatchObject([{ status, headers }]);
  expect(JSON.parse(responses[0]?.body ?? '')).toEqual({ message: expect.any(String) });
});

it.each([
  [413, 'application/json', 'x'.repeat(300_000)],
  [415, 'text/plain', 'x'.repeat(300_000)],
  [201, 'application/json', '{"name":"Physics","duration":"4 Years"}'],
])('a connection stays usable after a %i to %s', async (status, type, body) => {
  const responses = await exchange(server.url, create(type, body), ping);
  expect(responses.map((response) => response.status)).toEqual([status, 200]);
});

it('a request with more headers than Node counts by default, or garbage behind it, is served', async () => {
  const many = Array.from({ length: 2_500 }, () => 'a:b').join('\r\n');
  expect(await exchange(server.url, head('GET /v1/ping', many, 'Connection: close'))).toMatchObject([{ status: 200 }]);
  const path = '/v1/api/academics/programs';
  const responses = await exchange(server.url, `${head(`GET ${path}`)}GARBAGE\r\n\r\n`, 'MORE OF IT\r\n\r\n');
  expect(responses.map(({ status }) => status)).toEqual([200, 400]);
});

it('a request that is cut in the middle of its body creates nothing, and logs no failure', async () => {
  const count = async () => (await server.rest('get', '/api/academics/programs')).body.count;
  const before = await count();
  const seen = server.logged.length;
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname, () => {
    const request = create('application/json', '{"name":"Physics","duration":"4 Years"}');
    socket.write(request.slice(0, -1), () => socket.destroy());
  });
  const isLogged = (line: string): boolean => line.includes('"method":"POST"');
  await within(1_000, () => expect(server.logged.slice(seen).filter(isLogged)).not.toEqual([]));

  expect(await count()).toBe(before);
  expect(server.logged.filter((line) => line.includes('request failed'))).toEqual([]);
});
