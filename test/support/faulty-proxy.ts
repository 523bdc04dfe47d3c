import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

type Fault = (response: ServerResponse, pass: () => Promise<Answer>) => Promise<void> | void;

interface Answer {
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
}

const page = '<!doctype html><title>Somebody else</title>';

/** What a client meets between itself and a service that works. */
const faults: readonly Fault[] = [
  (response) => void response.socket?.resetAndDestroy(),
  // The service has answered, and half of it arrives.
  async (response, pass) => {
    const { incoming, body } = await pass();
    response.writeHead(incoming.statusCode ?? 0, { ...incoming.headers, 'content-length': body.length });
    response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy());
  },
  (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end(page),
  (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  (response) => {
    const body =
      '{"message":"Too many requests.","errors":[{"message":"Too many.","extensions":{"code":"RATE_LIMITED"}}]}';
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' }).end(body);
  },
  (response) => void response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end('{}'),
];

/** Opens an HTTP proxy until the test ends, which fails every third request or as given, in each way in turn; returns its URL. */
export async function openFaultyProxy(target: string, every = 3): Promise<string> {
  let requests = 0;
  const pass = async (received: IncomingMessage, content: Buffer): Promise<Answer> => {
    const { method, url = '/', headers } = received;
    const outgoing = request(new URL(url, target), { method, headers });
    outgoing.end(content);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { incoming, body: await buffer(incoming) };
  };
  const server = createServer(async (received, response) => {
    const content = await buffer(received);
    requests += 1;
    const fault = requests % every === 0 ? faults[(requests / every - 1) % faults.length] : undefined;
    if (fault !== undefined) return fault(response, () => pass(received, content));
    const { incoming, body } = await pass(received, content);
    response.writeHead(incoming.statusCode ?? 0, incoming.headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
