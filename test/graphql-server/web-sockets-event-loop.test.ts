import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { expectNotBlocked } from '@service/telemetry/testing/event-loop';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer({ LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' });
const connections = 4;
const operations = 60;
/** Twice the documented bound: JIT compilation and garbage collection are not the own work of a message. */
const holdMs = 2 * 50;

async function connect(): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { 'x-api-key': adminKey } }));
  await once(socket, 'message');
  return socket;
}

/** Sends all operations at once; resolves with how many of them have ended. */
async function run(messageAt: (index: number) => string): Promise<number> {
  const socket = await connect();
  const ended = new Promise<number>((resolve) => {
    let count = 0;
    const isOver = (): boolean => count === operations || socket.readyState !== WebSocket.OPEN;
    socket.on('message', (message: Buffer) => {
      if (/"type":"(complete|error)"/.test(message.toString())) count += 1;
      if (isOver()) resolve(count);
    });
    socket.on('close', () => resolve(count));
  });
  for (let index = 0; index < operations; index += 1) socket.send(messageAt(index));
  const count = await ended;
  socket.terminate();
  return count;
}

const fields = Array.from({ length: 900 }, (_, index) => `a${index}: ping { status }`).join(' ');

it.each([
  [
    'large queries',
    (index: number, attempt: string) =>
      JSON.stringify({
        id: String(index),
        type: 'subscribe',
        payload: { query: `{ ${fields} } #${attempt} ${index}` },
      }),
  ],
  [
    'queries with large ids',
    (index: number) =>
      JSON.stringify({ id: `${index}${'x'.repeat(95_000)}`, type: 'subscribe', payload: { query: '{ nothing }' } }),
  ],
])('many %s on connections at once do not block the event loop', async (_what, messageAt) => {
  await expectNotBlocked(holdMs, async (attempt) => {
    const counts = await Promise.all(
      Array.from({ length: connections }, (_, socket) => run((index) => messageAt(index, `${attempt} ${socket}`))),
    );
    expect(counts).toEqual(Array.from({ length: connections }, () => operations));
  });
});
