import { exchange } from '@service/http/testing';
import { expect, it } from 'vitest';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer();
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const programs = '/v1/api/academics/programs';
const withKey = (request: string, ...headers: string[]): string =>
  [request, 'Host: localhost', `x-api-key: ${adminKey}`, ...headers, '', ''].join('\r\n');

it.each([
  ['malformed HTTP', 400, 'GARBAGE\r\n\r\n'],
  ['too large headers', 431, withKey('GET /v1/ping HTTP/1.1', `x: ${'x'.repeat(20_000)}`)],
  ['an invalid URL', 400, withKey('GET http://[/graphql HTTP/1.1')],
  ['two Host headers', 400, withKey('GET /v1/ping HTTP/1.1', 'hOST: example.org')],
  ['an unknown transfer encoding', 501, withKey(`POST ${programs} HTTP/1.1`, 'Transfer-Encoding: gzip, chunked')],
])('%s gets a %i in JSON', async (_what, status, request) => {
  const [response, ...others] = await exchange(server.url, request);

  expect(others).toEqual([]);
  expect(response).toMatchObject({
    status,
    headers: { 'x-request-id': expect.stringMatching(uuid), 'x-error-code': 'BAD_USER_INPUT', connection: 'close' },
  });
  expect(JSON.parse(response?.body ?? '')).toEqual({ message: expect.any(String) });
});

it.each(['/v1/ping', programs])('garbage behind a request to %s gets its 400 after the response', async (path) => {
  const request = `${withKey(`GET ${path} HTTP/1.1`)}GARBAGE\r\n\r\n`;
  const responses = await exchange(server.url, request, 'MORE OF IT\r\n\r\n');
  expect(responses.map(({ status }) => status)).toEqual([200, 400]);
});

it.each([
  ['with more headers than Node counts by default', Array.from({ length: 2_500 }, () => 'a:b').join('\r\n')],
  ['with an unknown expectation', 'Expect: miracles'],
])('a request %s is served', async (_what, headers) => {
  const request = ['GET /v1/ping HTTP/1.1', 'Host: localhost', headers, `x-api-key: ${adminKey}`, 'Connection: close'];
  const responses = await exchange(server.url, [...request, '', ''].join('\r\n'));
  expect(responses).toMatchObject([{ status: 200, body: '{"status":"ok"}' }]);
});
