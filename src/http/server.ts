import { type EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../errors.ts';
import { type Connections, trackConnections } from './connections.ts';
import type { MessageClasses } from './express-prototypes.ts';
import { handleMalformed, rejectMalformed } from './malformed.ts';

/** A server that listens. */
export interface HttpServer {
  /** `http://HOST:PORT`, with the port that was really taken. */
  readonly url: string;
  /**
   * Lets the requests under way finish, then ends them, and takes no more.
   *
   * @param noticeMs goes on answering for this long in any case: a request that is sent while its connection is closed
   *   is lost, and a proxy's next look at `/readyz` with it.
   */
  close(noticeMs?: number): Promise<void>;
}

interface ListenOptions {
  /** What requests and answers are made of; Node's own when nothing is said. */
  readonly messages?: MessageClasses;
  /** Gets what goes wrong while it listens, such as a connection that the system cannot accept; it goes on listening. */
  readonly onError: (problem: Error) => void;
}

/** Requests under way get this long to finish when the process stops (`docs/contract.md` 9 allows 10 seconds for all of it). */
const graceMs = 7_500;
/** Whoever has connected in the last moment gets this long to be told so. */
const finalResponsesMs = 250;
/** A client that needs longer to send its headers, or a whole request, is slow on purpose. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** Node looks for those only this often; at its own 30 seconds, they could take four times as long. */
const timeoutCheckMs = 2_000;
/**
 * A connection on which nothing moves for so long while an answer is sent has a reader who takes nothing, or is gone.
 * Streams send signs of life more often.
 */
export const idleTimeoutMs = 60_000;
/** Longer than proxies keep a connection, which is 60 seconds at most of them: none sends on one that we just closed. */
const keepAliveMs = 65_000;
/** Ten thousand who follow the catalog, and room for everybody else. Whoever comes beyond is turned away at once. */
const connectionsMax = 12_000;
/**
 * Connections that wait to be taken, as far as the system allows: whoever finds no place among them, as at Node's own
 * 511, tries again after one, three and seven seconds only.
 */
const backlogMax = 4_096;
/** Enough for a large token beside a long address; more is answered 431. */
const headersMaxBytes = 16_384;

/**
 * Listens for requests.
 *
 * @param port 0 picks a free one.
 * @throws StartupError when the address cannot be had.
 */
export async function startHttpServer(
  handler: RequestListener,
  host: string,
  port: number,
  { messages, onError }: ListenOptions,
): Promise<HttpServer> {
  const server = createServer({
    ...messages,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: timeoutCheckMs,
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: headersMaxBytes,
    requireHostHeader: false,
  });
  server.timeout = idleTimeoutMs;
  server.maxConnections = connectionsMax;
  // An expectation that is not known may be ignored (RFC 9110, 10.1.1); Node would refuse it without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const connections = trackConnections(server);
  server.on('request', connections.inTurn(rejectMalformed(handler)));
  handleMalformed(server, connections);
  const close = closing(server, connections);
  const taken = await bind(server, host, port);
  server.on('error', onError);
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${taken}`, close };
}

/**
 * Looks whether an address can be listened on.
 *
 * @throws StartupError when it cannot be had.
 */
export async function checkAddress(host: string, port: number): Promise<void> {
  const server = createServer();
  await bind(server, host, port);
  const closed = once(server, 'close');
  server.close();
  await closed;
}

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onRefusal = (cause: NodeJS.ErrnoException): void =>
      reject(new StartupError(listenError(cause, host, port), { cause }));
    server.once('error', onRefusal);
    server.listen({ host, port, backlog: backlogMax }, () => {
      server.off('error', onRefusal);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function listenError({ code }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `PORT ${port} is in use on ${host}: the service may be running already. Stop it, or set PORT to another.`;
    case 'EACCES':
      return `PORT ${port} may not be used by this user: set PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${host} is not an address of this machine.`;
    default:
      return `HOST ${host} and PORT ${port} cannot be listened on (${code}).`;
  }
}

/**
 * Makes the end of a server. It waits for the requests that are under way when it is asked for, and meanwhile goes on
 * listening, so that who comes is told that the service stops. From then on every answer says that it is the last on
 * its connection.
 */
function closing(server: Server, { sockets, inFlight }: Connections): HttpServer['close'] {
  let stopping = false;
  const isLast = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.prependListener('request', (_request, response) => {
    if (stopping) isLast(response);
  });
  return async (noticeMs = 0) => {
    stopping = true;
    for (const response of inFlight()) isLast(response);
    await delay(noticeMs);
    server.closeIdleConnections();
    await allClosed(inFlight(), graceMs);
    const closed = once(server, 'close');
    server.close();
    await allClosed(sockets(), finalResponsesMs);
    server.closeAllConnections();
    await closed;
  };
}

/** Waits until all that are open now are closed, but no longer than this. */
async function allClosed(open: readonly EventEmitter[], ms: number): Promise<void> {
  const timer = new AbortController();
  const closed = open.map((one) => new Promise((resolve) => one.once('close', resolve)));
  await Promise.race([Promise.all(closed), delay(ms, undefined, timer)]);
  timer.abort();
}
