import { randomUUID } from 'node:crypto';
import { type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { sendJson } from './send.ts';

/** Why Node gave a request up, where 400 is not the whole truth. */
const refusals: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request line and the headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
};
const malformed = { status: 400, message: 'The request is not valid HTTP.' };
/** A client that is still sending gets this long to read the answer: a connection cut off at once would lose it. */
const lingerMs = 1_000;

/**
 * Answers what never becomes a request as everything else is answered, in JSON and with an id (`contract.md` 2);
 * Node's own answer has no body. The connection ends: nobody knows where the next request would begin.
 */
export function answerMalformed(server: Server): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => responses.set(request.socket, response));
  server.on('clientError', (problem: NodeJS.ErrnoException, socket) => {
    const response = responses.get(socket);
    // Inside an answer that has begun, another would be taken for a part of it.
    if (problem.code === 'ECONNRESET' || (response?.headersSent && !response.writableFinished)) socket.destroy();
    else if (socket.writable) {
      socket.end(answer(refusals[problem.code ?? ''] ?? malformed));
      const timer = setTimeout(() => socket.destroy(), lingerMs);
      socket.once('close', () => clearTimeout(timer));
    }
  });
}

function answer({ status, message }: typeof malformed): string {
  const body = JSON.stringify({ message });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    '',
    body,
  ].join('\r\n');
}

/** Refuses a request without `Host`, as RFC 9112 3.2 demands; Node's own refusal has no body. */
export function requireHost(handler: RequestListener): RequestListener {
  return (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') {
      handler(request, response);
      return;
    }
    response.setHeader('Connection', 'close');
    response.setHeader('X-Request-Id', randomUUID());
    sendJson(response, 400, { message: 'The Host header is missing.' });
  };
}
