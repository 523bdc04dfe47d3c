import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Connections } from './connections.ts';
import { requestIdOf } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';
import { sendJson } from './send.ts';

interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Why Node gave a request up, where 400 is not the whole truth. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request line and the headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
};
const noProxy: Refusal = { status: 400, message: 'CONNECT is for proxies; this is none.' };
const malformed: Refusal = { status: 400, message: 'The request is not valid HTTP.' };
/** A client that is still sending gets this long to read the answer: a connection cut off at once would lose it. */
const lingerMs = 1_000;

/**
 * Answers what never becomes a request as everything else is answered, in JSON and with an id (`contract.md` 2);
 * Node's own answer has no body. The connection ends: nobody knows where the next request would begin.
 */
export function handleMalformed(server: Server, { lastResponse }: Connections): void {
  // Node would hang up without a word.
  server.on('connect', (_request, socket) => hangUp(socket, noProxy));
  const givenUp = new WeakSet<Duplex>();
  server.on('clientError', (problem: NodeJS.ErrnoException, socket) => {
    // Whatever else arrives on it is no request either.
    if (givenUp.has(socket)) return;
    givenUp.add(socket);
    const response = lastResponse(socket);
    const sayWhy = (): void => {
      if (socket.writable) hangUp(socket, refusals[problem.code ?? ''] ?? malformed);
    };
    if (problem.code === 'ECONNRESET' || isHalfSent(response)) socket.destroy();
    else if (isAwaited(response)) response.once('finish', sayWhy);
    else sayWhy();
  });
}

/** Inside an answer that has begun, another would be taken for a part of it. */
function isHalfSent(response: ServerResponse | undefined): boolean {
  return response?.headersSent === true && !response.writableFinished;
}

/** What follows a whole request is answered after it: whoever sent both takes the first answer for that of the first. */
function isAwaited(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && !response.headersSent && !response.destroyed && response.req.complete;
}

/** Says why, and ends the connection. */
function hangUp(socket: Duplex, refusal: Refusal): void {
  // After CONNECT nobody else listens, and who does not may be ended by a client that breaks the connection.
  socket.on('error', () => undefined);
  socket.end(answer(refusal));
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

function answer({ status, message }: Refusal): string {
  const body = JSON.stringify({ message });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    ...securityHeaders.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}

/** Refuses, in JSON, what Node takes for a request and Express could make nothing of. */
export function rejectMalformed(handler: RequestListener): RequestListener {
  return (request, response) => {
    const message = problemWith(request);
    if (message === undefined) {
      handler(request, response);
      return;
    }
    response.setHeader('Connection', 'close');
    response.setHeader('X-Request-Id', requestIdOf(request.headers['x-request-id']));
    for (const [name, value] of securityHeaders) response.setHeader(name, value);
    sendJson(response, 400, { message });
  };
}

function problemWith({ headers, httpVersion, url = '' }: IncomingMessage): string | undefined {
  // RFC 9112, 3.2; Node's own refusal has no body.
  if (headers.host === undefined && httpVersion === '1.1') return 'The Host header is missing.';
  // An address with a host of its own, as proxies are sent; Express fails over one that is none, such as `http://[/`.
  return url.startsWith('/') || url === '*' || URL.canParse(url) ? undefined : malformed.message;
}
