import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ServiceError } from '@service/errors';
import type { ErrorRequestHandler } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createByteBudget } from '../../src/bodies/byte-budget.ts';
import { createJsonBodyReader } from '../../src/bodies/json-body.ts';
import { currentTurn } from '../../src/limits/turns.ts';
import { methodNotAllowed, sendError, sendMethodNotAllowed } from '../../src/responses/errors.ts';
import { exchange } from '../support/raw.ts';
import { useTinyServer } from '../support/tiny-server.ts';

const sendServiceError: ErrorRequestHandler = (problem, _request, response, _next) =>
  sendError(response, problem instanceof ServiceError ? problem : new ServiceError('INTERNAL_SERVER_ERROR', 'No.'));
let waiting = 0;
const waitingForever = (): number => waiting;
/** The turns of the event loop in which responses of `/never` were closed. */
const closedIn: number[] = [];
const server = useTinyServer((app) => {
  const readBody = createJsonBodyReader(1_000, createByteBudget(1_000_000));
  app.post('/orders', async (request, response) => {
    if (request.headers['x-key'] !== 'key') throw new ServiceError('API_KEY_INVALID', 'API key is invalid.');
    await readBody(request, response);
    response.status(201).json({ ordered: true });
  });
  app.all('/orders', (request, response) =>
    sendMethodNotAllowed(response, request.method, 'POST', { message: methodNotAllowed(request.method, 'POST') }),
  );
  app.get('/ping', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/never', (_request, response) => {
    waiting += 1;
    response.once('close', () => {
      waiting -= 1;
      closedIn.push(currentTurn());
    });
  });
  app.get('/page', (_request, response) => void response.send('x'.repeat(100_000)));
  app.use(() => {
    throw new ServiceError('NOT_FOUND', 'There is no such path.');
  });
  app.use(sendServiceError);
});

interface Request {
  readonly line?: string;
  readonly key?: string;
  readonly type?: string;
  readonly body?: string;
  readonly chunked?: boolean;
}

const large = 'x'.repeat(300_000);
const head = (line: string, ...fields: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n');

function raw({ line = 'POST /orders', key = 'key', type = 'application/json', body = '', chunked = false }: Request) {
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  const sent = chunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  return head(line, `x-key: ${key}`, `Content-Type: ${type}`, length) + sent;
}
const ping = head('GET /ping', 'Connection: close');

describe('a connection', () => {
  it.each([
    [401, { key: 'nonsense', body: large }],
    [404, { line: 'POST /nothing', body: large }],
    [405, { line: 'PUT /orders', body: large }],
    [413, { body: large }],
    [413, { body: large, chunked: true }],
    [415, { type: 'text/plain', body: large }],
    [415, { type: 'text/plain', body: large, chunked: true }],
    [400, { body: '{' }],
    [200, { line: 'GET /ping', body: large }],
  ])('stays usable after a %i response whose request body was not read: %j', async (status, request: Request) => {
    const responses = await exchange(server.url, raw(request), ping);
    expect(responses.map((response) => response.status)).toEqual([status, 200]);
    expect(responses[1]?.body).toBe('{"status":"ok"}');
  });

  it('responds to pipelined requests in order, and is closed when there are too many', async () => {
    const order = raw({ body: '{"name":"Lens"}' });
    const responses = await exchange(server.url, order, raw({ line: 'GET /nothing' }), order, ping);
    expect(responses.map(({ status }) => status)).toEqual([201, 404, 201, 200]);
    expect((await exchange(server.url, head('GET /ping').repeat(2_000))).length).toBeLessThan(100);
  });

  it('that is closed has none of its further pipelined requests parsed', async () => {
    let parsed = 0;
    const count = (): void => {
      parsed += 1;
    };
    subscribe('http.server.request.start', count);
    onTestFinished(() => void unsubscribe('http.server.request.start', count));
    await exchange(server.url, head('GET /never') + head('GET /ping').repeat(2_000));
    expect(parsed).toBeGreaterThan(10);
    expect(parsed).toBeLessThan(100);
  });

  it('may have any number of pipelined requests in the course of time', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    let received = '';
    socket.on('data', (part: Buffer) => (received += part.toString()));
    for (const count of [40, 80, 120]) {
      socket.write(head('GET /ping').repeat(40));
      await expect.poll(() => received.match(/"status":"ok"/g)?.length).toBe(count);
    }
  });

  /** Opens connections that send a request without a response and 60 more. @returns how many are closed by now. */
  async function closedOf(count: number, ...fields: string[]): Promise<() => number> {
    const { hostname, port } = new URL(server.url);
    const sockets: Socket[] = [];
    while (sockets.length < count) {
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined).resume();
      await once(socket, 'connect');
      socket.write(head('GET /never') + head('GET /ping', ...fields).repeat(60));
      sockets.push(socket);
    }
    return () => sockets.filter((socket) => socket.closed).length;
  }

  it('is closed when all have too many pipelined requests together, while others stay open', async () => {
    const closed = await closedOf(200);
    // Each request counts as 8 kB, of 64 MB.
    await expect.poll(closed).toBeGreaterThan(60);
    expect(closed()).toBeLessThan(150);
  });

  it('is closed sooner when these requests have thousands of short headers', async () => {
    const closed = await closedOf(4, ...Array.from({ length: 3_000 }, () => 'a:'));
    // Each counts as 370 kB for 12 kB that were sent: three connections have 66 MB.
    await expect.poll(closed).toBeGreaterThan(0);
    expect(closed()).toBeLessThan(4);
  });
});

it('many responses whose clients go together are closed in turns', async () => {
  const { hostname, port } = new URL(server.url);
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(head('GET /never'));
      return socket;
    }),
  );
  await expect.poll(waitingForever).toBe(sockets.length);
  closedIn.length = 0;
  for (const socket of sockets) socket.destroy();
  await expect.poll(waitingForever).toBe(0);

  const together = closedIn.map((turn) => closedIn.filter((other) => other === turn).length);
  expect(Math.max(...together)).toBeLessThanOrEqual(100);
});

const websocket = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];

/** A client that does not end its half of a connection when the server has: it goes on to send. */
async function openAndSend(text: string): Promise<{ readonly socket: Socket; readonly received: () => string }> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let received = '';
  socket.on('error', () => undefined).on('data', (part: Buffer) => (received += part.toString()));
  await once(socket, 'connect');
  socket.once('end', () => {
    const timer = setInterval(() => socket.write('x'), 20);
    socket.once('close', () => clearInterval(timer));
  });
  onTestFinished(() => void socket.destroy());
  socket.write(text);
  return { socket, received: () => received };
}

describe('a connection whose upgrade is not granted', () => {
  it.each([
    ['to another protocol', 200, head('GET /ping', 'Connection: Upgrade, close', 'Upgrade: h2c')],
    ['to a WebSocket', 200, head('GET /ping', 'Connection: Upgrade, close', ...websocket)],
    ['with another method', 404, head('POST /nothing', 'Connection: Upgrade, close', ...websocket)],
    ['though the client asks to keep it', 200, head('GET /ping', 'Connection: Upgrade, keep-alive', 'Upgrade: h2c')],
    ['by CONNECT', 400, head('CONNECT localhost:80')],
  ])('is closed with its response, though the client does not close it: %s', async (_what, status, request) => {
    const clients = await Promise.all(Array.from({ length: 10 }, () => openAndSend(request.repeat(2))));
    await expect.poll(() => clients.filter(({ socket }) => !socket.destroyed)).toEqual([]);
    // What comes behind the request is lost.
    for (const { received } of clients) expect(received().match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
  });

  it('is closed when it comes before the response to an earlier request', async () => {
    const client = await openAndSend(head('GET /page') + head('GET /ping', 'Connection: Upgrade', ...websocket));
    await expect.poll(() => client.socket.destroyed).toBe(true);
    expect(client.received()).not.toContain('101 Switching');
  });

  it('keeps the body of its request', async () => {
    const body = '{"name":"Lens"}';
    const fields = ['x-key: key', 'Content-Type: application/json', `Content-Length: ${body.length}`];
    const upgrade = ['Connection: Upgrade, close', 'Upgrade: h2c'];
    const responses = await exchange(server.url, head('POST /orders', ...fields, ...upgrade) + body);
    expect(responses).toMatchObject([{ status: 201, body: '{"ordered":true}' }]);
  });
});
