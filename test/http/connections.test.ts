import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { exchange } from '@service/http/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { within } from '../support/running-time.ts';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer();

interface Request {
  readonly line?: string;
  readonly key?: string;
  readonly type?: string;
  readonly body?: string;
  readonly chunked?: boolean;
}

const programs = 'POST /v1/api/academics/programs';
const large = 'x'.repeat(300_000);

function raw({
  line = programs,
  key = adminKey,
  type = 'application/json',
  body = '',
  chunked = false,
}: Request): string {
  return [
    `${line} HTTP/1.1`,
    'Host: localhost',
    `x-api-key: ${key}`,
    `Content-Type: ${type}`,
    chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
    '',
    chunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body,
  ].join('\r\n');
}

const ping = ['GET /v1/ping HTTP/1.1', 'Host: localhost', `x-api-key: ${adminKey}`, 'Connection: close', '', ''].join(
  '\r\n',
);

describe('a connection', () => {
  it.each([
    [401, { key: 'nonsense', body: large }],
    [404, { line: 'POST /v1/nothing', body: large }],
    [405, { line: 'PUT /v1/ping', body: large }],
    [413, { body: large }],
    [413, { body: large, chunked: true }],
    [415, { type: 'text/plain', body: large }],
    [415, { type: 'text/plain', body: large, chunked: true }],
    [400, { body: '{' }],
    [200, { line: 'GET /v1/ping', body: large }],
  ])('stays usable after a %i response whose request body was not read: %j', async (status, request: Request) => {
    const responses = await exchange(server.url, raw(request), ping);

    expect(responses.map((response) => response.status)).toEqual([status, 200]);
    expect(responses[1]?.body).toBe('{"status":"ok"}');
  });

  it('responds to pipelined requests in order', async () => {
    const create = raw({ body: '{"name":"Physics","duration":"4 Years"}' });
    const list = raw({ line: 'GET /v1/api/academics/programs?size=0' });
    const responses = await exchange(server.url, create, list, create, ping);
    expect(responses.map((response) => response.status)).toEqual([201, 400, 201, 200]);
  });

  it('is closed when too many requests are pipelined on it', async () => {
    const responses = await exchange(server.url, raw({ line: 'GET /v1/ping' }).repeat(2_000));
    expect(responses.length).toBeLessThan(100);
    expect((await server.rest('get', '/ping')).status).toBe(200);
  });

  it('creates nothing and logs no failure when it is cut in the middle of a body', async () => {
    const count = async () => (await server.rest('get', '/api/academics/programs')).body.count;
    const before = await count();
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => {
      socket.write(raw({ body: '{"name":"Physics","duration":"4 Years"}' }).slice(0, -1), () => socket.destroy());
    });
    const requestId = /"path":"\/v1\/api\/academics\/programs"/;
    await within(1_000, () => expect(server.logged.filter((line) => requestId.test(line)).length).toBeGreaterThan(0));

    expect(await count()).toBe(before);
    expect(server.logged.filter((line) => line.includes('request failed'))).toEqual([]);
  });
});

const websocket = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];

function head(line: string, ...fields: string[]): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n');
}

interface HalfOpen {
  readonly socket: Socket;
  readonly received: () => string;
}

/** A client that does not end its half of a connection when the service has: it goes on to send. */
async function openAndSend(text: string): Promise<HalfOpen> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let received = '';
  socket
    .on('error', () => undefined)
    .on('data', (part: Buffer) => {
      received += part.toString();
    });
  await once(socket, 'connect');
  socket.once('end', () => {
    const timer = setInterval(() => socket.write('x'), 20);
    socket.once('close', () => clearInterval(timer));
  });
  onTestFinished(() => void socket.destroy());
  socket.write(text);
  return { socket, received: () => received };
}

const closed = (clients: readonly HalfOpen[]): Promise<void> =>
  within(10_000, () => expect(clients.filter(({ socket }) => !socket.destroyed)).toEqual([]));

describe('a connection whose upgrade is not granted', () => {
  it.each([
    ['to another protocol', 200, head('GET /livez', 'Connection: Upgrade, close', 'Upgrade: h2c')],
    ['on another path', 200, head('GET /livez', 'Connection: Upgrade, close', ...websocket)],
    ['without the subprotocol', 400, head('GET /graphql', 'Connection: Upgrade, close', ...websocket)],
    ['with another method', 401, head('POST /graphql', 'Connection: Upgrade, close', ...websocket)],
    [
      'without a valid key of the handshake',
      400,
      head('GET /graphql', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Protocol: graphql-transport-ws'),
    ],
    ['by CONNECT', 400, head('CONNECT localhost:80')],
  ])('is closed with its response, though the client does not close it: %s', async (_what, status, request) => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => openAndSend(request)));

    await closed(clients);

    for (const { received } of clients) expect(received()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('is closed though the client asks to keep it: what comes behind the request is lost', async () => {
    const ping = head('GET /v1/ping', `x-api-key: ${adminKey}`, 'Connection: Upgrade, keep-alive', 'Upgrade: h2c');
    const client = await openAndSend(ping + ping);

    await closed([client]);
    expect(client.received().match(/"status":"ok"/g)).toHaveLength(1);
  });

  it('is closed when it comes before the response to an earlier request', async () => {
    const page = head('GET /openapi.json');
    const upgrade = head(
      'GET /graphql',
      'Connection: Upgrade',
      ...websocket,
      'Sec-WebSocket-Protocol: graphql-transport-ws',
    );
    const client = await openAndSend(page + upgrade);

    await closed([client]);
    expect(client.received()).not.toContain('101 Switching');
  });
});
