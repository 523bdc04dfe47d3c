import { once } from 'node:events';
import { connect } from 'node:net';
import type { ErrorRequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { createByteBudget } from '../../src/bodies/byte-budget.ts';
import { createJsonBodyReader } from '../../src/bodies/json-body.ts';
import { exchange } from '../support/raw.ts';
import { useTinyServer } from '../support/tiny-server.ts';

const notHttp = 'The request is not valid HTTP.';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const sendBadRequest: ErrorRequestHandler = (_problem, _request, response, _next) => void response.sendStatus(400);
const server = useTinyServer((app) => {
  const readBody = createJsonBodyReader(1_000, createByteBudget(10_000));
  app.post('/orders', async (request, response) => {
    await readBody(request, response);
    response.send('ordered');
  });
  app.get('/slow', (_request, response) => {
    setTimeout(() => response.send('slow'), 50);
  });
  app.use(({ headers }, response) => {
    if (headers['x-key'] === 'key') response.json({ status: 'ok' });
    else response.sendStatus(401);
  });
  app.use(sendBadRequest);
});

const withKey = (request: string, ...headers: string[]): string =>
  [request, 'Host: localhost', 'x-key: key', ...headers, '', ''].join('\r\n');
const reply = (status: number, message: string) => ({
  status,
  headers: {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(JSON.stringify({ message }))),
    'x-request-id': expect.stringMatching(uuid),
    'x-error-code': 'BAD_USER_INPUT',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  },
  body: JSON.stringify({ message }),
});

describe('malformed HTTP', () => {
  it.each([
    'GARBAGE\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n',
    'GET /pi ng HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /ping HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n',
    'POST /ping HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'POST /ping HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'BREW /ping HTTP/1.1\r\nHost: a\r\n\r\n',
  ])('gets a 400 in JSON: %j', async (request) => {
    expect(await exchange(server.url, request)).toEqual([reply(400, notHttp)]);
  });

  it('gets a 431 when its headers or its URL are too long', async () => {
    const tooLarge = [reply(431, 'The request line and the headers are too large.')];
    expect(await exchange(server.url, withKey('GET /ping HTTP/1.1', `x: ${'x'.repeat(20_000)}`))).toEqual(tooLarge);
    expect(await exchange(server.url, withKey(`GET /${'x'.repeat(20_000)} HTTP/1.1`))).toEqual(tooLarge);
    expect(await exchange(server.url, withKey('GET /ping HTTP/1.1', 'x: y\r\n'.repeat(50_000)))).toEqual(tooLarge);
  });

  it('gets its 400 after the response to an earlier request', async () => {
    const responses = await exchange(server.url, withKey('GET /livez HTTP/1.1'), 'GARBAGE\r\n\r\n');
    expect(responses.at(-1)).toEqual(reply(400, notHttp));
  });

  it.each(['/ping', '/slow'])('gets its 400 after the response to %s, with which it arrived', async (path) => {
    const responses = await exchange(
      server.url,
      `${withKey(`GET ${path} HTTP/1.1`)}GARBAGE\r\n\r\n`,
      'MORE OF IT\r\n\r\n',
    );
    expect(responses).toEqual([expect.objectContaining({ status: 200 }), reply(400, notHttp)]);
  });

  it('gets a 400 in the middle of a chunked body', async () => {
    const head = withKey('POST /orders HTTP/1.1', 'Transfer-Encoding: chunked');
    expect(await exchange(server.url, `${head}GARBAGE\r\n`)).toEqual([reply(400, notHttp)]);
  });

  it('does not stop the service', async () => {
    const { hostname, port } = new URL(server.url);
    const rude = connect(Number(port), hostname);
    await once(rude, 'connect');
    rude.write(withKey('CONNECT localhost:1 HTTP/1.1'), () => rude.resetAndDestroy());
    await once(rude, 'close');

    expect((await exchange(server.url, withKey('GET /ping HTTP/1.1', 'Connection: close')))[0]?.status).toBe(200);
  });
});

describe('an invalid URL', () => {
  it.each(['http://[/graphql', 'http://[/ping', 'http://localhost:99999/ping', 'http://a^b/'])(
    'gets a 400 in JSON: %s',
    async (address) => {
      const responses = await exchange(server.url, withKey(`GET ${address} HTTP/1.1`));
      expect(responses).toMatchObject([reply(400, notHttp)]);
    },
  );

  it('gets a 400 with CONNECT', async () => {
    const responses = await exchange(server.url, withKey('CONNECT localhost:1 HTTP/1.1'));
    expect(responses).toEqual([reply(400, 'CONNECT is not supported.')]);
  });
});

describe('a request without a Host header', () => {
  it('gets a 400 in JSON', async () => {
    const [rejection, ...others] = await exchange(server.url, `GET /ping HTTP/1.1\r\nx-key: key\r\n\r\n`);
    expect(others).toEqual([]);
    expect(rejection).toMatchObject(reply(400, 'The Host header is missing.'));
  });

  it('is served over HTTP/1.0', async () => {
    const responses = await exchange(server.url, `GET /ping HTTP/1.0\r\nx-key: key\r\n\r\n`);
    expect(responses).toMatchObject([{ status: 200, body: '{"status":"ok"}' }]);
  });
});

describe('a request with two Host headers', () => {
  it('gets a 400 in JSON: two proxies could take it for two different hosts', async () => {
    const responses = await exchange(server.url, withKey('GET /ping HTTP/1.1', 'hOST: example.org'));
    expect(responses).toMatchObject([reply(400, 'The Host header is there twice.')]);
  });
});

describe('a transfer encoding', () => {
  it.each([['gzip, chunked'], ['gzip', 'Chunked'], ['identity, chunked']])(
    'other than chunked gets a 501: %j',
    async (...encodings) => {
      const lines = encodings.map((encoding) => `Transfer-Encoding: ${encoding}`);
      const json = 'Content-Type: application/json';
      const head = withKey('POST /orders HTTP/1.1', json, ...lines);
      const body = '{"name":"Physics"}';
      const unsupported = 'Of transfer encodings, only chunked is supported. Compress a body with Content-Encoding.';
      expect(await exchange(server.url, `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)).toMatchObject([
        reply(501, unsupported),
      ]);
    },
  );

  it('chunked is served, in any case', async () => {
    const head = withKey(
      'POST /orders HTTP/1.1',
      'Content-Type: application/json',
      'Connection: close',
      'Transfer-Encoding: ChunKed ',
    );
    expect(await exchange(server.url, `${head}0\r\n\r\n`)).toMatchObject([{ status: 400 }]);
  });
});

describe('an unusual but valid request', () => {
  it('is served with all of its headers, however many they are', async () => {
    const padding = Array.from({ length: 2_500 }, () => 'a:b').join('\r\n');
    const request = ['GET /ping HTTP/1.1', 'Host: localhost', padding, 'x-key: key', 'Connection: close'];
    expect(await exchange(server.url, [...request, '', ''].join('\r\n'))).toMatchObject([{ status: 200 }]);
  });

  it.each([
    ['with an absolute URL', 'GET http://example.org/ping HTTP/1.1', 'Connection: close'],
    ['with an unknown expectation', 'GET /ping HTTP/1.1', 'Connection: close\r\nExpect: miracles'],
    ['that offers an upgrade to another protocol', 'GET /ping HTTP/1.1', 'Connection: Upgrade, close\r\nUpgrade: h2c'],
    ['with headers in capitals', 'GET /ping HTTP/1.1', 'CONNECTION: CLOSE'],
  ])('%s is served', async (_what, line, headers) => {
    expect(await exchange(server.url, withKey(line, headers))).toMatchObject([
      { status: 200, body: '{"status":"ok"}' },
    ]);
  });
});
