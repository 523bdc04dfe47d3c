import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { expect, it, onTestFinished } from 'vitest';
import { exchange } from '../support/raw.ts';
import { useTinyServer } from '../support/tiny-server.ts';

/** Bytes of a body that are read before it waits for its turn. */
const readAtFirst = 24_000;
/** Numbers of bodies of which more has been read in the same turn of the event loop. */
const readTogether = new Map<number, number>();

/** Numbers of begun bodies of which something has been read in the same turn. */
const begunTogether = new Map<number, number>();

const server = useTinyServer((app) => {
  app.post('/', async (request, response) => {
    const parts: Buffer[] = [];
    // What waits for its turn has arrived by then.
    await new Promise((resolve) => setTimeout(resolve, 50));
    request.on('data', (part: Buffer) => parts.push(part));
    await once(request, 'end');
    response.json({ parts: parts.length, body: Buffer.concat(parts).toString() });
  });
  app.post('/turns', async (request, response) => {
    let length = 0;
    let lastTurn = -1;
    request.on('data', (part: Buffer) => {
      const turn = performance.nodeTiming.uvMetricsInfo.loopCount;
      length += part.length;
      if (length > readAtFirst && turn !== lastTurn) readTogether.set(turn, (readTogether.get(turn) ?? 0) + 1);
      lastTurn = turn;
    });
    await once(request, 'end');
    response.json({ length });
  });
  app.post('/begun', (request, response) => {
    let lastTurn = -1;
    response.write('begun');
    request.on('data', () => {
      const turn = performance.nodeTiming.uvMetricsInfo.loopCount;
      if (turn !== lastTurn) begunTogether.set(turn, (begunTogether.get(turn) ?? 0) + 1);
      lastTurn = turn;
    });
    request.once('end', () => response.end());
  });
  app.post('/first', (request, response) => {
    request.once('data', (part: Buffer) => response.send(part));
  });
});

const head = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const end = '0\r\n\r\n';

it('thousands of chunks of a byte that arrive together are a few parts', async () => {
  const bytes = Array.from({ length: 5_000 }, (_, at) => String(at % 10));
  const [response] = await exchange(server.url, head('/') + bytes.map(chunk).join('') + end);

  const { parts, body } = JSON.parse(response?.body ?? '');
  expect(body).toBe(bytes.join(''));
  expect(parts).toBeLessThan(10);
});

it('small and large chunks stay in their order', async () => {
  const chunks = Array.from({ length: 60 }, (_, at) => String(at % 10).repeat(at % 3 === 0 ? 6_000 : 1 + at * 40));
  const [response] = await exchange(server.url, head('/') + chunks.map(chunk).join('') + end);

  expect(JSON.parse(response?.body ?? '').body).toBe(chunks.join(''));
});

it('a small chunk is handed on before the next one comes', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname, () => socket.write(head('/first') + chunk('early')));
  onTestFinished(() => void socket.destroy());
  const [received] = await once(socket, 'data');
  expect(String(received)).toMatch(/\r\n\r\nearly$/);
});

it('bodies of which thousands of small chunks come later, all at once, are read in turns', async () => {
  const { hostname, port } = new URL(server.url);
  const count = 400;
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  // The first chunk is read with the head, as those after it are not.
  await Promise.all(
    sockets.map(async (socket) => {
      socket.write(head('/begun') + chunk('x'));
      await once(socket, 'data');
    }),
  );
  const ended = sockets.map((socket) => once(socket, 'end'));
  for (const socket of sockets) socket.resume();
  begunTogether.clear();
  for (const socket of sockets) socket.write(chunk('x').repeat(5_000) + end);
  await Promise.all(ended);

  expect([...begunTogether.values()].reduce((sum, read) => sum + read, 0)).toBeGreaterThanOrEqual(count);
  expect(Math.max(...begunTogether.values())).toBeLessThanOrEqual(8);
});

it('the rest of bodies of thousands of small chunks is read in turns', async () => {
  const chunks = chunk('x').repeat(40_000) + end;
  const responses = await Promise.all(Array.from({ length: 30 }, () => exchange(server.url, head('/turns') + chunks)));

  expect(responses.map(([response]) => response?.body)).toEqual(Array(30).fill('{"length":40000}'));
  expect(Math.max(...readTogether.values())).toBeLessThan(15);
});
