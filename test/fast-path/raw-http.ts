import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestServer } from '../support/server.ts';

/** A request as written on the wire, without the headers that `send` adds. */
export interface Wire {
  readonly method?: string;
  readonly address?: string;
  readonly version?: '1.0' | '1.1';
  /** Whole lines. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

/** Sends a request on a new connection and returns all bytes of the response. */
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

/** The same request in a form that the fast path leaves to the application. */
export function onTheLongWay(wire: Wire): Wire {
  const { method = 'GET', headers = [], body = '' } = wire;
  const length = /^content-length: (\d+)$/i;
  const isSized = headers.some((line) => length.test(line));
  if (method !== 'POST') {
    const isFramed = headers.some((line) => /^(?:content-length|transfer-encoding):/i.test(line));
    return isFramed ? wire : { ...wire, headers: [...headers, 'Content-Length: 0'] };
  }
  const bytes = Buffer.from(body);
  if (!isSized || bytes.length === 0 || bytes.length > 10_000) return wire;
  return {
    ...wire,
    headers: headers.map((line) => (length.test(line) ? 'Transfer-Encoding: chunked' : line)),
    body: Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]),
  };
}

/** Masks what may differ between two responses to the same request: the date and generated ids. */
export function comparable(response: string): string {
  return response
    .replace(/^Date: .*\r\n/m, '')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, 'an id');
}

/** The request log lines without what may differ: a busy machine may make any request slow, which is logged at `info`. */
export function requestsIn(logged: readonly string[]): string[] {
  return logged
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ msg }) => msg === 'request')
    .map(({ level, time: _time, durationMs, requestId: _id, ...line }) => {
      const isOnlySlow = Number(durationMs) >= 1_000 && Number(line['status']) < 500;
      return JSON.stringify({ level: isOnlySlow ? 20 : level, ...line });
    });
}
