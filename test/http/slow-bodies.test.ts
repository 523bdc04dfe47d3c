import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { within } from '../support/running-time.ts';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer();

const bodyBytes = 95_000;
const fields = ['Content-Type: application/json', `Content-Length: ${bodyBytes + 1}`];
const body = Buffer.alloc(bodyBytes, ' ');
/** More than all unfinished bodies may take. */
const clientsMax = 750;

interface SlowClient {
  readonly socket: Socket;
  readonly received: () => string;
}

/** A client that sends the headers and most of a body, and no more. */
async function sendMost(path: string): Promise<SlowClient> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket
    .on('error', () => undefined)
    .on('data', (part: Buffer) => {
      received += part.toString();
    });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', `x-api-key: ${adminKey}`, ...fields, '', ''].join('\r\n');
  socket.write(head);
  if (!socket.write(body)) await once(socket, 'drain');
  return { socket, received: () => received };
}

describe('clients whose bodies do not arrive', () => {
  it.each([
    ['to REST', '/v1/api/academics/programs'],
    ['to GraphQL, from a caller that is known', '/graphql'],
  ])('are rejected, the slowest first, when they take too much memory together: %s', async (_what, path) => {
    await server.rest('get', '/ping');
    const clients: SlowClient[] = [];
    const rejected = () => clients.filter(({ received }) => received() !== '');
    while (clients.length < clientsMax) {
      clients.push(...(await Promise.all(Array.from({ length: 6 }, () => sendMost(path)))));
    }
    await within(10_000, () => expect(rejected()).not.toEqual([]));

    const created = await server.rest('post', '/api/academics/programs').send({ name: 'Physics', duration: '4 Years' });
    expect(created.status).toBe(201);
    const first = clients.slice(0, 6).map(({ received }) => received());
    expect(first.join()).toContain('The service is overloaded, and the body arrived slowly. Please try again.');
    expect(first.join()).toMatch(/^HTTP\/1.1 503 .*\r\nRetry-After: 1\r\n/s);
    // The last quarter at least has room.
    expect(clients.slice(-clientsMax / 4).filter(({ received }) => received() !== '')).toEqual([]);
  });
});
