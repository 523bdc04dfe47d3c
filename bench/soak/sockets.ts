import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { adminKey } from '../processes.ts';
import { type Client, programsPath, type Soak } from './ordinary.ts';

const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
/** Of one WebSocket in a turn: four times what the service keeps for one that does not read. */
const messages = 20;
const large = 'x'.repeat(50_000);

/** Hostile clients that hold connections, and what the service keeps for them, at a bounded rate. */
export const hostileSockets: readonly Client[] = [
  webSockets('pings before a credential', [], () => ({ type: 'ping', payload: { large } })),
  webSockets(
    'subscriptions whose errors are not read',
    [{ type: 'connection_init', payload: { 'x-api-key': adminKey } }],
    () => ({ type: 'subscribe', id: large + Math.random(), payload: { query: '{' } }),
  ),
  held('upgrades that are not granted', () => head('GET', '/livez', 'Connection: Upgrade', 'Upgrade: h2c')),
  held('WebSockets without the subprotocol', () =>
    head('GET', '/graphql', ...upgrade, `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`),
  ),
  held(
    'unfinished bodies',
    () => head('POST', programsPath, 'Content-Type: application/json', 'Content-Length: 95001') + ' '.repeat(95_000),
  ),
  held('unread pages', () => head('GET', '/openapi.json').repeat(60)),
];

function head(method: string, path: string, ...fields: string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: localhost', `x-api-key: ${adminKey}`, ...fields, '', ''].join('\r\n');
}

/** Thirty connections at a time, which the client neither reads nor closes for five seconds. */
function held(kind: string, text: () => string): Client {
  const one = async ({ url, signal }: Soak): Promise<void> => {
    const { hostname, port } = new URL(url);
    const socket: Socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.on('error', () => undefined).pause();
    socket.write(text());
    await delay(5_000, undefined, { signal }).catch(() => undefined);
    socket.destroy();
  };
  return { kind, pauseMs: 500, turn: (soak) => Promise.all(Array.from({ length: 30 }, () => one(soak))) };
}

/** Ten WebSockets at a time, which do not read. */
function webSockets(kind: string, before: readonly object[], message: () => object): Client {
  const one = async ({ url, signal }: Soak): Promise<void> => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    socket.on('error', () => undefined);
    socket.once('open', () => {
      socket.pause();
      for (const sent of before) socket.send(JSON.stringify(sent));
      for (let index = 0; index < messages; index += 1) socket.send(JSON.stringify(message()));
    });
    await delay(2_000, undefined, { signal }).catch(() => undefined);
    socket.terminate();
  };
  return { kind, pauseMs: 500, turn: (soak) => Promise.all(Array.from({ length: 10 }, () => one(soak))) };
}
