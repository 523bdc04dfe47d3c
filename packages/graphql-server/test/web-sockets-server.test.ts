import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { exchange } from '@service/http/testing';
import { expectNotBlocked } from '@service/telemetry/testing/event-loop';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { unknownKey, useBookServer } from './support/server.ts';

const server = useBookServer();
const addressOf = (): string => `${server.url.replace('http', 'ws')}/graphql`;

interface Connection {
  readonly socket: WebSocket;
  readonly received: Record<string, unknown>[];
  send(message: object): void;
}

/** A connection whose credential has been accepted. */
async function connect(payload: object = {}): Promise<Connection> {
  const socket = new WebSocket(addressOf(), 'graphql-transport-ws');
  onTestFinished(() => socket.terminate());
  const received: Record<string, unknown>[] = [];
  socket.on('error', () => undefined).on('message', (data) => received.push(JSON.parse(String(data))));
  await once(socket, 'open');
  const send = (message: object): void => socket.send(JSON.stringify(message));
  send({ type: 'connection_init', payload });
  await once(socket, 'message');
  return { socket, received, send };
}

const subscribe = (id: string, query: string, others: object = {}) => ({
  type: 'subscribe',
  id,
  payload: { query, ...others },
});

describe('an operation over a WebSocket', () => {
  it.each([
    ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{', 'GRAPHQL_PARSE_FAILED'],
    ['subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['query ($id: Int!) { book(id: $id) { name } }', 'BAD_USER_INPUT'],
    [`{ ping { ${'status '.repeat(21)} } }`, 'GRAPHQL_VALIDATION_FAILED'],
  ])('is rejected with the message error, as over HTTP, and no other: %s', async (query, code) => {
    const { received, send } = await connect();
    send(subscribe('1', query));
    send(subscribe('2', '{ ping { status } }'));
    const complete = { id: '2', type: 'complete' };
    await expect.poll(() => received.filter(({ type }) => type === 'complete')).toEqual([complete]);

    const { body } = await server.graphql(query);
    expect(body.errors[0].extensions.code).toBe(code);
    expect(received.filter(({ id }) => id === '1')).toEqual([{ id: '1', type: 'error', payload: body.errors }]);
    expect(received).toContainEqual({ id: '2', type: 'next', payload: { data: { ping: { status: 'ok' } } } });
  });

  it('that is nested too deeply is rejected, and the others of its connection go on', async () => {
    const { socket, received, send } = await connect();
    const list = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    socket.send(
      JSON.stringify(subscribe('1', '{ ping { status } }', { extensions: { deep: 1 } })).replace('1}', `${list}}`),
    );
    send(subscribe('2', '{ ping { status } }'));
    await expect
      .poll(() => received.filter(({ type }) => type === 'complete'))
      .toEqual([{ id: '2', type: 'complete' }]);
    const message = 'The operation is nested too deeply.';
    const payload = [{ message, extensions: { code: 'BAD_USER_INPUT' } }];
    expect(received.filter(({ id }) => id === '1')).toEqual([{ id: '1', type: 'error', payload }]);
  });

  it('is one of a hundred of its connection at a time', async () => {
    const { received, send } = await connect();
    for (let id = 1; id <= 101; id += 1) send(subscribe(`${id}`, 'subscription { changed(after: "many") { id } }'));
    const message = 'A connection has at most 100 operations at a time.';
    const payload = [{ message, extensions: { code: 'UNAVAILABLE' } }];
    await expect.poll(() => received.slice(1)).toEqual([{ id: '101', type: 'error', payload }]);
  });

  it('that fails between events closes the connection, so that its client reconnects', async () => {
    const { socket, received, send } = await connect();
    const closed = once(socket, 'close');
    send(subscribe('1', 'subscription { changed(after: "first") { id } }'));
    const [code] = await closed;
    expect([code, received.at(-1)]).toEqual([
      1012,
      { id: '1', type: 'next', payload: { data: { changed: { id: 'first' } } } },
    ]);
  });
});

it('a connection with an unknown key is closed as forbidden', async () => {
  const socket = new WebSocket(addressOf(), 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { 'x-api-key': unknownKey } }));
  const [code, reason] = await once(socket, 'close');
  expect([code, String(reason)]).toEqual([4403, 'Forbidden']);
});

it('an operation waits for one message of each other connection at most, however many these have sent', async () => {
  const others = await Promise.all(Array.from({ length: 20 }, () => connect()));
  const { received, send } = await connect();
  const answered = (): number => others.reduce((sum, other) => sum + other.received.length, 0);
  const before = answered();
  for (const other of others) for (let count = 0; count < 500; count += 1) other.send({ type: 'ping' });
  await expect.poll(() => answered() - before, { interval: 1 }).toBeGreaterThan(100);
  const began = answered();
  send(subscribe('1', '{ ping { status } }'));
  await expect.poll(() => received.some(({ type }) => type === 'complete'), { interval: 1 }).toBe(true);

  expect(answered() - began).toBeLessThan(1_000);
});

/** Sends frames without a pause on connections of its own: another client would wait for this process. */
const flood = `
  const { connect } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const { port, head, kind, connections } = workerData;
  // Masked, with nothing in them.
  const frames = Buffer.alloc(6 * 10_000, Buffer.from([kind, 0x80, 1, 2, 3, 4]));
  for (let count = 0; count < connections; count += 1) {
    const socket = connect(port, '127.0.0.1', () => socket.write(head));
    const send = () => { while (socket.write(frames)); };
    socket.on('error', () => undefined).on('drain', send);
    socket.once('data', () => { send(); parentPort.postMessage('begun'); }).resume();
  }`;

it.each([
  ['pongs', 0x8a],
  ['empty messages', 0x81],
])('a flood of tiny frames on ten connections, %s, leaves the event loop to others', async (_what, kind) => {
  const { port } = new URL(server.url);
  const head = [
    ...['GET /graphql HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket'],
    ...['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='],
    ...['Sec-WebSocket-Protocol: graphql-transport-ws', '', ''],
  ].join('\r\n');
  const worker = new Worker(flood, { eval: true, workerData: { port, head, kind, connections: 10 } });
  onTestFinished(async () => void (await worker.terminate()));
  await once(worker, 'message');

  await expectNotBlocked(100, async () => {
    for (let count = 0; count < 20; count += 1) await server.graphql('{ ping { status } }').expect(200);
  });
});

it('a connection is closed when a message comes in frames without number, each of which takes memory', async () => {
  const socket = new WebSocket(addressOf(), 'graphql-transport-ws');
  await once(socket, 'open');
  for (let count = 0; count < 100; count += 1) socket.send(' ', { fin: false });
  const [code] = await once(socket, 'close');
  expect(code).toBe(1008);
});

describe('an upgrade', () => {
  it.each([['graphql-ws'], []])('to another subprotocol gets a 400 that says what to use: %s', async (...protocols) => {
    const [, response] = await once(new WebSocket(addressOf(), protocols), 'unexpected-response');
    let text = '';
    for await (const part of response) text += part;
    expect(response.statusCode).toBe(400);
    expect(JSON.parse(text).errors[0].message).toMatch(/subprotocol graphql-transport-ws .* text\/event-stream\.$/);
  });

  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  const protocol = 'Sec-WebSocket-Protocol: graphql-transport-ws\r\n';
  it.each([
    ['without a key', 'GET /graphql', `websocket\r\nSec-WebSocket-Version: 13\r\n${protocol}`, 400],
    ['of another version', 'GET /graphql', `websocket\r\n${key}Sec-WebSocket-Version: 12\r\n${protocol}`, 400],
    ['on another path', 'GET /', `websocket\r\n${key}Sec-WebSocket-Version: 13\r\n${protocol}`, 200],
    ['to another protocol', 'GET /', 'h2c\r\n', 200],
    ['with another method', 'POST /', `websocket\r\n${key}Sec-WebSocket-Version: 13\r\n${protocol}`, 200],
  ])('%s is a plain request, with a response in JSON', async (_what, line, upgrade, status) => {
    const head = `${line} HTTP/1.1\r\nHost: here\r\nConnection: Upgrade, close\r\nUpgrade: ${upgrade}\r\n`;
    const [response] = await exchange(server.url, head);
    expect(response?.status).toBe(status);
    expect(JSON.parse(response?.body ?? '')).toEqual(expect.any(Object));
  });
});

describe('a client', () => {
  const large = 'x'.repeat(95_000);

  function heldBytes(): number {
    setFlagsFromString('--expose-gc');
    const collectGarbage: unknown = runInNewContext('gc');
    if (typeof collectGarbage === 'function') collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  }

  /** Sends up to 40 MB of messages without reading anything; how much memory of the process that takes. */
  async function flood({ socket, send }: Connection, message: (index: number) => object): Promise<number> {
    let isClosed = false;
    socket.once('close', () => {
      isClosed = true;
    });
    socket.pause();
    const resting = heldBytes();
    let most = 0;
    for (let count = 0; count < 420 && !isClosed; count += 1) {
      send(message(count));
      // The client's own buffer is not what is measured.
      while (socket.bufferedAmount > 0 && !isClosed) await delay(1);
      if (count % 60 === 59) most = Math.max(most, heldBytes() - resting);
    }
    return most;
  }

  it('takes no memory for what its first message has beside a credential', async () => {
    const resting = heldBytes();
    for (let count = 0; count < 20; count += 1) await connect({ others: Array.from({ length: 30_000 }, () => []) });
    expect(heldBytes() - resting).toBeLessThan(10_000_000);
  });

  it('that reads nothing takes no memory: its pings are not returned', async () => {
    const connection = await connect();
    expect(await flood(connection, () => ({ type: 'ping', payload: { large } }))).toBeLessThan(25_000_000);
    expect(connection.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('that reads nothing is closed for its errors, which would take memory', async () => {
    const connection = await connect();
    const growth = await flood(connection, (index) => subscribe(`${index}${large}`, '{ nothing }'));
    expect(growth).toBeLessThan(25_000_000);
    // Its side of the connection notices when it writes.
    await expect
      .poll(
        () => {
          connection.send({ type: 'ping' });
          return connection.socket.readyState;
        },
        { timeout: 30_000 },
      )
      .not.toBe(WebSocket.OPEN);
  }, 60_000);

  it.each([
    [
      'large queries',
      (index: number, attempt: number) =>
        subscribe(
          String(index),
          `{ ${Array.from({ length: 900 }, (_, at) => `a${at}: ping { status }`).join(' ')} } #${attempt}`,
        ),
    ],
    ['queries with large ids', (index: number) => subscribe(`${index}${large}`, '{ nothing }')],
  ])('does not block the event loop by many %s at once, on several connections', async (_what, messageAt) => {
    const operations = 40;
    await expectNotBlocked(2 * 50, async (attempt) => {
      const connections = await Promise.all(Array.from({ length: 4 }, () => connect()));
      for (const { send } of connections) for (let at = 0; at < operations; at += 1) send(messageAt(at, attempt));
      for (const { socket, received } of connections) {
        const ended = () => received.filter(({ type }) => type === 'complete' || type === 'error').length;
        await expect.poll(ended, { timeout: 60_000 }).toBe(operations);
        socket.terminate();
      }
    });
  });
});
