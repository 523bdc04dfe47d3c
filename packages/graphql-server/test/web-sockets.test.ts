import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { createByteBudget } from '@service/http/byte-budget';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { connectionAtPace } from '../src/web-sockets/connection.ts';

/** A frame of a client, with a mask of zeros. */
const frame = (first: number, payload = ''): Buffer =>
  Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)]);
const [text, beginning, pong] = [0x81, 0x01, 0x8a];

it('counts the bytes of a message that has not ended, and none of a whole one or of the pong to a ping', async () => {
  const held: number[] = [];
  const nothing = () => undefined;
  // The second is for what arrives.
  const slowClients = {
    hold: () => {
      const place = held.push(0) - 1;
      const set = (bytes: number) => {
        held[place] = bytes;
      };
      return { set, settle: nothing, release: nothing };
    },
  };
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const sockets = new WebSocketServer({ server });
  const received: string[] = [];
  sockets.on('connection', (socket, { socket: transport }) => {
    const atPace = connectionAtPace({ socket, transport, slowClients, onError: nothing });
    atPace.onMessage(async (message) => void received.push(message));
    socket.on('pong', atPace.onPong);
  });
  const client = connect(Number(Object(server.address()).port), '127.0.0.1');
  onTestFinished(() => void client.destroy());
  client.write(
    'GET / HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await once(client, 'data');

  client.write(frame(text, 'whole'));
  await expect.poll(() => received).toEqual(['whole']);
  expect(held[1]).toBe(0);

  client.write(frame(beginning, 'half'));
  await expect.poll(() => held[1]).toBeGreaterThan(4);
  const unfinished = held[1] ?? 0;

  const [socket] = sockets.clients;
  const ponged = once(Object(socket), 'pong');
  client.write(frame(pong));
  await ponged;
  expect(held[1]).toBe(unfinished);
});

it('handles the messages of each network after the other, however many connections one has', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const sockets = new WebSocketServer({ server });
  const received: string[] = [];
  const slowClients = createByteBudget(10_000_000);
  sockets.on('connection', (socket, { socket: transport }) => {
    const atPace = connectionAtPace({ socket, transport, slowClients, onError: () => undefined });
    atPace.onMessage(async (message) => void received.push(message));
  });
  const open = async (localAddress: string): Promise<WebSocket> => {
    const client = new WebSocket(`ws://127.0.0.1:${Object(server.address()).port}`, { localAddress });
    onTestFinished(() => client.terminate());
    await once(client, 'open');
    return client;
  };
  const many = await Promise.all(Array.from({ length: 50 }, () => open('127.0.0.1')));
  const other = await open('127.0.0.2');
  for (const client of many) client.send('many');
  other.send('other');
  await expect.poll(() => received.length).toBe(51);

  expect(received.indexOf('other')).toBeLessThan(10);
});
