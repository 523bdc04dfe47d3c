import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestServer } from '../support/server.ts';

/** A request, as it is written on the wire but for the headers that all have. */
export interface Wire {
  readonly method?: string;
  readonly address?: string;
  readonly version?: '1.0' | '1.1';
  /** Whole lines. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

/** Sends bytes on a connection of their own and reads all that comes back. */
export async function send(server: TestServer, wire: Wire): Promise<string> {
  const { method = 'GET', address = '/v1/ping', version = '1.1', headers = [], body = '' } = wire;
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = [`${method} ${address} HTTP/${version}`, 'Host: localhost', 'Connection: close', ...headers, '', ''];
  socket.write(Buffer.concat([Buffer.from(head.join('\r\n')), Buffer.from(body)]));
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(parts).toString('latin1');
}

/** What may differ between two answers to the same request: the time, and ids that were made for it. */
export function comparable(answer: string): string {
  return answer
    .replace(/^Date: .*\r\n/m, '')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, 'an id');
}

/** What was logged of requests, without what may differ; a busy machine may make any of them a slow one. */
export function requestsIn(logged: readonly string[]): string[] {
  return logged
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ msg, durationMs }) => msg === 'request' && Number(durationMs) < 1_000)
    .map(({ time: _time, durationMs: _duration, requestId: _id, ...line }) => JSON.stringify(line));
}
