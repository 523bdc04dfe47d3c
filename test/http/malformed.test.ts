import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { trackConnections } from '../../src/http/connections.ts';
import { handleMalformed } from '../../src/http/malformed.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';
import { exchange } from './raw.ts';

const notHttp = 'The request is not valid HTTP.';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const withKey = (request: string, ...headers: string[]): string =>
  [request, 'Host: localhost', `x-api-key: ${adminKey}`, ...headers, '', ''].join('\r\n');
const answer = (status: number, message: string) => ({
  status,
  headers: {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(JSON.stringify({ message }))),
    'x-request-id': expect.stringMatching(uuid),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  },
  body: JSON.stringify({ message }),
});

/** A server whose patience is as short as a test's, closed when the test ends. */
async function listening(own: Server, handler: RequestListener = () => undefined): Promise<string> {
  const connections = trackConnections(own);
  own.on('request', connections.inTurn(handler));
  handleMalformed(own, connections);
  own.listen(0, '127.0.0.1');
  await once(own, 'listening');
  onTestFinished(() => {
    own.closeAllConnections();
    own.close();
  });
  const address = own.address();
  if (typeof address !== 'object' || address === null) throw new Error('There is no port.');
  return `http://127.0.0.1:${address.port}`;
}

describe('what is no request', () => {
  it.each([
    'GARBAGE\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n',
    '{"name":"Physics"}\r\n\r\n',
    'GET\r\n\r\n',
    'GET /v1/ping HTTP/9.9\r\nHost: a\r\n\r\n',
    'NONSENSE /v1/ping HTTP/1.1\r\nHost: a\r\n\r\n',
    'get /v1/ping HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /v1/pi ng HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /v1/ping HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n',
    'GET /v1/ping HTTP/1.1\r\nHost: a\r\nx y: z\r\n\r\n',
    'GET /v1/ping HTTP/1.1\r\nHost: a\r\nx: \u0000\r\n\r\n',
    'POST /v1/ping HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
    'POST /v1/ping HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'POST /v1/ping HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ])('is answered 400 in JSON: %j', async (request) => {
    expect(await exchange(server.url, request)).toEqual([answer(400, notHttp)]);
  });

  it('is answered 431 when its headers, or its address, have no end', async () => {
    const tooLarge = [answer(431, 'The request line and the headers are too large.')];
    expect(await exchange(server.url, withKey('GET /v1/ping HTTP/1.1', `x: ${'x'.repeat(20_000)}`))).toEqual(tooLarge);
    expect(await exchange(server.url, withKey(`GET /v1/${'x'.repeat(20_000)} HTTP/1.1`))).toEqual(tooLarge);
    expect(await exchange(server.url, withKey('GET /v1/ping HTTP/1.1', 'x: y\r\n'.repeat(50_000)))).toEqual(tooLarge);
  });

  it('is answered 408 when it does not arrive in time', async () => {
    const url = await listening(createServer({ headersTimeout: 50, connectionsCheckingInterval: 20 }));
    expect(await exchange(url, 'GET /v1/ping HTTP/1.1\r\n')).toEqual([
      answer(408, 'The request did not arrive in time.'),
    ]);
  });

  it('does not break into an answer that has begun', async () => {
    const url = await listening(createServer(), (_request, response) => {
      response.setHeader('Content-Length', '10');
      response.write('half ');
    });
    const answers = await exchange(url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'GARBAGE\r\n\r\n');
    expect(JSON.stringify(answers)).not.toContain(notHttp);
  });

  it('comes after a request that was answered', async () => {
    const answers = await exchange(server.url, withKey('GET /v1/livez HTTP/1.1'), 'GARBAGE\r\n\r\n');
    expect(answers.at(-1)).toEqual(answer(400, notHttp));
  });

  it.each(['/v1/ping', '/v1/api/academics/programs'])(
    'comes after the answer to %s, which it arrived with',
    async (path) => {
      const answers = await exchange(
        server.url,
        `${withKey(`GET ${path} HTTP/1.1`)}GARBAGE\r\n\r\n`,
        'MORE OF IT\r\n\r\n',
      );
      expect(answers).toEqual([expect.objectContaining({ status: 200 }), answer(400, notHttp)]);
    },
  );

  it('does not wait for a request that never ends', async () => {
    const head = withKey('POST /v1/api/academics/programs HTTP/1.1', 'Transfer-Encoding: chunked');
    expect(await exchange(server.url, `${head}GARBAGE\r\n`)).toEqual([answer(400, notHttp)]);
  });

  it('leaves the service as it was', async () => {
    const { hostname, port } = new URL(server.url);
    const rude = connect(Number(port), hostname);
    await once(rude, 'connect');
    rude.write(withKey('CONNECT localhost:1 HTTP/1.1'), () => rude.resetAndDestroy());
    await once(rude, 'close');

    expect((await server.rest('get', '/ping')).status).toBe(200);
  });
});

describe('an address that is none', () => {
  it.each(['http://[/graphql', 'http://[/v1/ping', 'http://localhost:99999/v1/ping', 'http://a^b/'])(
    'is answered 400 in JSON: %s',
    async (address) => {
      const answers = await exchange(server.url, withKey(`GET ${address} HTTP/1.1`));
      expect(answers).toMatchObject([answer(400, notHttp)]);
    },
  );

  it('is one that CONNECT asks for', async () => {
    const answers = await exchange(server.url, withKey('CONNECT localhost:1 HTTP/1.1'));
    expect(answers).toEqual([answer(400, 'CONNECT is not supported.')]);
  });
});

describe('a request without a host', () => {
  it('is answered 400 in JSON', async () => {
    const [refusal, ...others] = await exchange(server.url, `GET /v1/ping HTTP/1.1\r\nx-api-key: ${adminKey}\r\n\r\n`);
    expect(others).toEqual([]);
    expect(refusal).toMatchObject(answer(400, 'The Host header is missing.'));
  });

  it('is one of HTTP/1.0, which had none', async () => {
    const answers = await exchange(server.url, `GET /v1/ping HTTP/1.0\r\nx-api-key: ${adminKey}\r\n\r\n`);
    expect(answers).toMatchObject([{ status: 200, body: '{"status":"ok"}' }]);
  });
});

describe('a request that is odd but whole', () => {
  it.each([
    ['has an address with a host', 'GET http://example.org/v1/ping HTTP/1.1', 'Connection: close'],
    ['expects what nobody knows', 'GET /v1/ping HTTP/1.1', 'Connection: close\r\nExpect: miracles'],
    ['would rather speak another protocol', 'GET /v1/ping HTTP/1.1', 'Connection: Upgrade, close\r\nUpgrade: h2c'],
    ['has its headers in capitals', 'GET /v1/ping HTTP/1.1', 'CONNECTION: CLOSE'],
  ])('%s and is answered', async (_what, line, headers) => {
    expect(await exchange(server.url, withKey(line, headers))).toMatchObject([
      { status: 200, body: '{"status":"ok"}' },
    ]);
  });
});
