import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, parsedUrl } from '@service/errors';
import type { Mask } from '@service/telemetry/untrusted-text';
import { type ByteBudget, createByteBudget } from '../bodies/byte-budget.ts';
import { createTurns } from '../limits/turns.ts';
import { requestIdOf } from '../requests/request.ts';
import { errorCodeHeader } from '../responses/errors.ts';
import { securityHeaders } from '../responses/headers.ts';
import { sendJson } from '../responses/send.ts';

interface Connection {
  lastResponse?: ServerResponse;
  queued: number;
  queuedBytes: number;
  readonly held: ReturnType<ByteBudget['hold']>;
}

export interface Connections {
  readonly sockets: () => readonly Duplex[];
  readonly lastResponse: (socket: Duplex) => ServerResponse | undefined;
  readonly isResponding: (socket: Duplex) => boolean;
  /** The last response of each connection, unless it is complete. */
  readonly inFlight: () => readonly ServerResponse[];
  /**
   * Handles one request of a connection at a time: Node emits pipelined ones at once, but no disconnect of those that
   * wait.
   */
  readonly inTurn: (handler: RequestListener) => RequestListener;
}

/** A connection that sends more requests than this ahead of their responses is closed. */
const queuedMax = 64;
/** Bytes of these requests on all connections: beyond it, the connections where some have been queued longest are closed. */
const queuedBytesMax = 64_000_000;
/** Memory of a request and its response beside the headers, and of each name and value beside its characters. */
const requestBytes = 8_000;
const headerTextBytes = 60;

/** The open connections of a server, for its shutdown. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Duplex, Connection>();
  const queues = createByteBudget(queuedBytesMax);
  server.on('connection', (socket: Duplex) => {
    const held = queues.hold(() => void socket.destroy());
    open.set(socket, { queued: 0, queuedBytes: 0, held });
    socket.once('close', () => {
      held.release();
      open.delete(socket);
    });
  });
  const queue = (connection: Connection, requests: number, bytes: number): void => {
    connection.queued += requests;
    connection.queuedBytes += bytes;
    connection.held.set(connection.queuedBytes);
  };
  return {
    sockets: () => [...open.keys()],
    lastResponse: (socket) => open.get(socket)?.lastResponse,
    isResponding: (socket) => open.get(socket)?.lastResponse?.destroyed === false,
    inFlight: () =>
      [...open.values()].flatMap(({ lastResponse: last }) => (last === undefined || last.destroyed ? [] : last)),
    inTurn: (handler) => (request, response) => {
      const connection = open.get(request.socket);
      const previous = connection?.lastResponse;
      if (connection !== undefined) {
        connection.lastResponse = response;
        // After all who listen for it.
        response.once('close', () => process.nextTick(forget, connection, response));
      }
      // Node gives a response its socket when the one before it has been sent.
      if (connection === undefined || previous === undefined || response.socket !== null) {
        handler(request, response);
        return;
      }
      if (request.socket.destroyed) return;
      if (connection.queued === queuedMax) {
        request.socket.destroy();
        return;
      }
      const bytes = requestBytes + headersLength(request);
      queue(connection, 1, bytes);
      previous.once('close', () => {
        queue(connection, -1, -bytes);
        // A response without a socket by now never gets one: the connection has ended.
        if (response.socket !== null) handler(request, response);
      });
    },
  };
}

/** An idle connection keeps nothing of its last request, whose headers may take some hundred kilobytes. */
function forget(connection: Connection, response: ServerResponse): void {
  const { req: request } = response;
  if (!response.writableFinished || !request.complete) return;
  if (connection.lastResponse === response) delete connection.lastResponse;
  // Node keeps the request until the next one.
  Object.assign(request, { headers: {}, rawHeaders: [] });
}

/** In bytes of memory. */
const headersLength = ({ rawHeaders, url = '' }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length + headerTextBytes, url.length);

interface HttpProblem {
  readonly status: number;
  readonly message: string;
}

const malformedCode: ErrorCode = 'BAD_USER_INPUT';

const problems: Readonly<Record<string, HttpProblem>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request line and the headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
};
const connectUnsupported: HttpProblem = { status: 400, message: 'CONNECT is not supported.' };
const hostMissing: HttpProblem = { status: 400, message: 'The Host header is missing.' };
const hostTwice: HttpProblem = { status: 400, message: 'The Host header is there twice.' };
/** RFC 9112, 6.1. Node decodes the chunks alone, and their content would pass for the body. */
const encodingUnsupported: HttpProblem = {
  status: 501,
  message: 'Of transfer encodings, only chunked is supported. Compress a body with Content-Encoding.',
};
const malformed: HttpProblem = { status: 400, message: 'The request is not valid HTTP.' };
/** A client that is still sending gets this long to read the response: closing at once would lose it. */
const lingerMs = 1_000;

/** Connections that are rejected in one turn of the event loop: Node finds thousands that have timed out at once. */
const rejectedPerTurn = 100;

/** Responds in JSON and closes, in turns: the start of the next request is unknown. */
export function handleMalformed(server: Server, { lastResponse }: Connections): void {
  // Node would close the connection without a response.
  server.on('connect', (_request, socket) => closeWith(socket, connectUnsupported));
  const rejected = new WeakSet<Duplex>();
  const turnFor = createTurns(rejectedPerTurn);
  const reject = (problem: NodeJS.ErrnoException, socket: Duplex): void => {
    const response = lastResponse(socket);
    const respond = (): void => {
      if (socket.writable) closeWith(socket, problems[problem.code ?? ''] ?? malformed);
    };
    if (problem.code === 'ECONNRESET' || isAnswered(response)) socket.destroy();
    else if (isAwaited(response)) response.once('finish', respond);
    else respond();
  };
  server.on('clientError', (problem: NodeJS.ErrnoException, socket) => {
    if (rejected.has(socket)) return;
    rejected.add(socket);
    const turn = turnFor(1);
    if (turn === undefined) reject(problem, socket);
    else void turn.then(() => reject(problem, socket));
  });
}

/** Never write a second response: after the first byte it would corrupt the body, and a request has only one. */
function isAnswered(response: ServerResponse | undefined): boolean {
  return response?.headersSent === true && !(response.writableFinished && response.req.complete);
}

/** The response to bytes after a complete request comes after its own: the client matches responses to requests by order. */
function isAwaited(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && !response.headersSent && !response.destroyed && response.req.complete;
}

function closeWith(socket: Duplex, problem: HttpProblem): void {
  // A listener, since after CONNECT the socket has no other, and an unhandled error would end the process.
  socket.on('error', () => undefined);
  socket.end(responseOf(problem));
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

function responseOf({ status, message }: HttpProblem): string {
  const body = JSON.stringify({ message });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    `${errorCodeHeader}: ${malformedCode}`,
    ...securityHeaders.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}

/** Rejects, in JSON, requests that Node accepts and Express cannot handle. */
export function rejectMalformed(handler: RequestListener, mask: Mask): RequestListener {
  return (request, response) => {
    // Node loses requests that arrive behind one with an upgrade.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    const problem = problemWith(request);
    if (problem === undefined) {
      handler(request, response);
      return;
    }
    response.setHeader('Connection', 'close');
    response.setHeader('X-Request-Id', requestIdOf(request.headers, mask));
    for (const [name, value] of securityHeaders) response.setHeader(name, value);
    response.setHeader(errorCodeHeader, malformedCode);
    sendJson(response, problem.status, { message: problem.message });
  };
}

/** Counts the hosts; runs for every request, so it makes no list. */
function hosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

function problemWith({ headers, rawHeaders, httpVersion, url = '' }: IncomingMessage): HttpProblem | undefined {
  // RFC 9112, 3.2; Node's own response has no body.
  if (headers.host === undefined && httpVersion === '1.1') return hostMissing;
  // RFC 9112, 3.2 too; Node would take the first.
  if (hosts(rawHeaders) > 1) return hostTwice;
  const transferEncoding = headers['transfer-encoding'];
  if (transferEncoding !== undefined && transferEncoding.trim().toLowerCase() !== 'chunked') return encodingUnsupported;
  // A URL in absolute form, as proxies receive it; Express fails on an invalid one, such as `http://[/`.
  return url.startsWith('/') || url === '*' || parsedUrl(url) !== undefined ? undefined : malformed;
}
