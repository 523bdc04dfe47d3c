import { once } from 'node:events';
import { createServer } from 'node:http';
import { createByteBudget } from '@service/http/byte-budget';
import { postInMemory } from '@service/http/in-memory-connection';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type ConnectionAtPace, connectionAtPace } from '../src/web-sockets/connection.ts';
import { resultsOf } from '../src/web-sockets/results.ts';

const partBytes = 50_000;
const parts = 160;

/** Both ends of a connection. */
async function connect(): Promise<{ client: WebSocket; socket: WebSocket; atPace: ConnectionAtPace }> {
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => sockets.close());
  await once(sockets, 'listening');
  const connected = once(sockets, 'connection');
  const client = new WebSocket(`ws://127.0.0.1:${Object(sockets.address()).port}`);
  onTestFinished(() => client.terminate());
  const [socket, { socket: transport }] = await connected;
  await once(client, 'open');
  const slowClients = createByteBudget(10_000_000);
  const atPace = connectionAtPace({ socket, transport, slowClients, onError: () => undefined });
  return { client, socket, atPace };
}

it('messages are whole and in order, though a long result is sent in parts', async () => {
  const { client, atPace } = await connect();
  const received: string[] = [];
  client.on('message', (data) => received.push(String(data)));
  async function* long(): AsyncGenerator<Buffer> {
    yield Buffer.from('"');
    for (let count = 0; count < parts; count += 1) {
      if (count === 1) void atPace.send('between');
      if (count === 2) void atPace.sendResult('2', short());
      yield Buffer.alloc(partBytes, 'é');
    }
    yield Buffer.from('"');
  }
  async function* short(): AsyncGenerator<Buffer> {
    yield Buffer.from('{}');
  }
  await atPace.sendResult('1', long());
  await expect.poll(() => received.length).toBe(3);
  const text = 'é'.repeat((partBytes * parts) / 2);
  expect(received[0] === `{"id":"1","type":"next","payload":"${text}"}`).toBe(true);
  expect(received.slice(1)).toEqual(['between', '{"id":"2","type":"next","payload":{}}']);
});

it('no more of a long event is read than is sent, in turns, for each of many subscriptions: each would hold it', async () => {
  const event = Buffer.from(`event: next\ndata: "${'x'.repeat(partBytes * parts)}"\n\nevent: complete\ndata: \n\n`);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(event);
  });
  const subscriptions = 20;
  const lengths: number[] = [];
  let begun = 0;
  let proceed = (): void => undefined;
  const allBegun = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const resting = process.memoryUsage().arrayBuffers;
  let held = 0;
  let readInTurn = 0;
  let mostInTurn = 0;
  const endTurn = (): void => {
    readInTurn = 0;
  };
  const request = { server, remoteAddress: undefined, path: '/', headers: {}, body: '{}' };
  const subscribe = async (): Promise<void> => {
    const results = resultsOf(await postInMemory(request), {
      send: async (json) => {
        begun += 1;
        if (begun === subscriptions) {
          held = process.memoryUsage().arrayBuffers - resting;
          proceed();
        }
        await allBegun;
        let length = 0;
        for await (const part of json) {
          length += part.length;
          if (readInTurn === 0) setImmediate(endTurn);
          readInTurn += part.length;
          mostInTurn = Math.max(mostInTurn, readInTurn);
        }
        lengths.push(length);
        return true;
      },
      onCutOff: () => undefined,
    });
    await results.next();
  };
  await Promise.all(Array.from({ length: subscriptions }, subscribe));
  expect(lengths).toEqual(Array.from({ length: subscriptions }, () => partBytes * parts + 2));
  expect(held).toBeLessThan(event.length);
  expect(mostInTurn).toBeLessThan(event.length / 2);
});

it('no more of a result is read than its client reads', async () => {
  const { client, socket, atPace } = await connect();
  client.pause();
  let most = 0;
  async function* long(): AsyncGenerator<Buffer> {
    for (let count = 0; count < 4 * parts; count += 1) {
      most = Math.max(most, socket.bufferedAmount);
      yield Buffer.alloc(partBytes);
    }
  }
  const sent = atPace.sendResult('1', long());
  await expect.poll(() => socket.bufferedAmount).toBeGreaterThan(0);
  client.resume();
  await sent;
  expect(most).toBeLessThan(2 * partBytes);
});

it('a client that reads nothing for ten seconds is disconnected, one that reads is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  async function* long(): AsyncGenerator<Buffer> {
    for (let count = 0; count < 4 * parts; count += 1) yield Buffer.alloc(partBytes);
  }
  const { client, socket, atPace } = await connect();
  client.pause();
  const read = atPace.sendResult('1', long());
  await expect.poll(() => socket.bufferedAmount).toBeGreaterThan(0);
  vi.advanceTimersByTime(9_000);
  client.resume();
  expect(await read).toBe(true);
  vi.advanceTimersByTime(11_000);
  expect(socket.readyState).toBe(WebSocket.OPEN);

  client.pause();
  const unread = atPace.sendResult('2', long());
  await expect.poll(() => socket.bufferedAmount).toBeGreaterThan(0);
  // What the system holds has been written by then.
  for (let before = -1; before !== socket.bufferedAmount; await new Promise(setImmediate))
    before = socket.bufferedAmount;
  vi.advanceTimersByTime(10_000);
  expect(socket.readyState).not.toBe(WebSocket.OPEN);
  expect(await unread).toBe(false);
});

it('nothing more of a result is read when its client is gone', async () => {
  const { client, socket, atPace } = await connect();
  let read = 0;
  async function* long(): AsyncGenerator<Buffer> {
    for (; read < parts; read += 1) {
      if (read === 2) {
        client.terminate();
        await once(socket, 'close');
      }
      yield Buffer.alloc(partBytes);
    }
  }
  expect(await Promise.all([atPace.sendResult('1', long()), atPace.sendResult('2', long())])).toEqual([false, false]);
  expect(read).toBe(2);
});

it('a result that is cut off closes the connection, and no message follows its part', async () => {
  const { client, atPace } = await connect();
  const received: string[] = [];
  client.on('message', (data) => received.push(String(data)));
  const closed = once(client, 'close');
  async function* cutOff(): AsyncGenerator<Buffer> {
    for (let count = 0; count < 3; count += 1) yield Buffer.alloc(partBytes, 'x');
    throw new Error('aborted');
  }
  const sent = atPace.sendResult('1', cutOff());
  await Promise.all([sent, atPace.send('after')]);
  expect([(await closed)[0], received]).toEqual([1013, []]);
});
