import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { within } from '../support/running-time.ts';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer();

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
