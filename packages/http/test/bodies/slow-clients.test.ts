import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { ServiceError } from '@service/errors';
import type { ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createByteBudget } from '../../src/bodies/byte-budget.ts';
import { createJsonBodyReader } from '../../src/bodies/json-body.ts';
import { sendError } from '../../src/responses/errors.ts';
import { useTinyServer } from '../support/tiny-server.ts';

const budgetBytes = 200_000;
const limitBytes = 50_000;
const sendServiceError: ErrorRequestHandler = (problem, _request, response, _next) => {
  if (problem instanceof ServiceError) sendError(response, problem);
  else response.destroy();
};
const server = useTinyServer((app) => {
  const readBody = createJsonBodyReader(limitBytes, createByteBudget(budgetBytes));
  app.get('/', (_request, response) => void response.send('hello'));
  app.post('/', async (request, response) => {
    await readBody(request, response);
    response.send('read');
  });
  app.use(sendServiceError);
});

interface Client {
  readonly socket: Socket;
  readonly received: () => string;
}

async function open(text: string): Promise<Client> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('error', () => undefined).on('data', (part: Buffer) => (received += part.toString()));
  await once(socket, 'connect');
  if (!socket.write(text)) await once(socket, 'drain');
  return { socket, received: () => received };
}

const fields = `Host: a\r\nContent-Type: application/json\r\nContent-Length: ${limitBytes}\r\n\r\n`;
const unfinished = `POST / HTTP/1.1\r\n${fields}{"name": "${' '.repeat(limitBytes - 100)}`;

it('clients whose bodies do not arrive are rejected, the slowest first, when they take too much memory together', async () => {
  const clients: Client[] = [];
  for (let count = 0; count < 6; count += 1) clients.push(await open(unfinished));
  const received = () => clients.map((client) => client.received());
  await expect.poll(() => received().filter((text) => text !== '')).toHaveLength(3);

  const isRejected = received().map((text) => text !== '');
  expect(isRejected).toEqual([true, true, true, false, false, false]);
  expect(received()[0]).toMatch(/^HTTP\/1.1 503 .*\r\nRetry-After: 1\r\nX-Error-Code: UNAVAILABLE\r\n/s);
  expect(received()[0]).toContain('The service is overloaded, and the body arrived slowly. Please try again.');
  expect((await supertest(server.url).post('/').send({ name: 'quick' })).text).toBe('read');
});

it('a compressed body takes no decoder, which may hold 2 MB, until it has arrived', async () => {
  const body = brotliCompressSync('{"name": "compressed"}');
  const decoders: number[] = [];
  const hook = createHook({ init: (id, type) => void (type === 'ZLIB' && decoders.push(id)) }).enable();
  onTestFinished(() => void hook.disable());
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Encoding: br\r\nContent-Length: ${body.length}\r\n\r\n`;
  const clients = await Promise.all(Array.from({ length: 5 }, () => open(head)));
  for (const { socket } of clients) socket.write(body.subarray(0, -1));
  expect((await supertest(server.url).post('/').send({ name: 'plain' })).text).toBe('read');
  expect(decoders).toEqual([]);

  for (const { socket } of clients) socket.write(body.subarray(-1));
  for (const { received } of clients) await expect.poll(received).toMatch(/^HTTP\/1.1 200 .*read$/s);
  expect(decoders).toHaveLength(clients.length);
});

it('a short compressed body waits for no long ones', async () => {
  const answered: string[] = [];
  const post = async (name: string, body: Buffer) => {
    const { hostname, port } = new URL(server.url);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'br' };
    const sent = request({ hostname, port, method: 'POST', headers, agent: false });
    sent.end(body);
    const [response]: [IncomingMessage] = await once(sent, 'response').then(([first]) => [first]);
    expect(response.statusCode).toBe(200);
    answered.push(name);
  };
  const long = brotliCompressSync(JSON.stringify({ text: randomBytes(18_000).toString('hex') }));
  const bodies = Array.from({ length: 8 }, () => post('long', long));
  await Promise.all([...bodies, post('short', brotliCompressSync('{}'))]);
  expect(answered.indexOf('short')).toBeLessThan(4);
});

describe('a client', () => {
  it('gets a 408 when its headers take too long, and an idle connection is closed', async () => {
    const slow = await open('GET / HTTP/1.1\r\nHost: loc');
    const silent = await open('');

    await Promise.all([slow, silent].map(({ socket }) => once(socket, 'close')));

    expect(slow.received()).toMatch(/^HTTP\/1\.1 408 .*"The request did not arrive in time\."/s);
  });
});
