import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { exchange } from './support/raw.ts';
import { useTinyServer } from './support/tiny-server.ts';

const server = useTinyServer((app) => {
  app.post('/', async (request, response) => {
    const parts: Buffer[] = [];
    // What waits for its turn has arrived by then.
    await new Promise((resolve) => setTimeout(resolve, 50));
    request.on('data', (part: Buffer) => parts.push(part));
    await once(request, 'end');
    response.json({ parts: parts.length, body: Buffer.concat(parts).toString() });
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
