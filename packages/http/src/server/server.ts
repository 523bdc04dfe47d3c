import { type EventEmitter, once } from 'node:events';
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@service/errors';
import type { Mask } from '@service/telemetry/untrusted-text';
import type { Express } from 'express';
import { requestsInTurns } from '../limits/request-turns.ts';
import { createTurns } from '../limits/turns.ts';
import { type Connections, handleMalformed, rejectMalformed, trackConnections } from './connections.ts';
import { readInTurns } from './new-connections.ts';

export interface HttpServer {
  readonly url: string;
  readonly server: Server;
  /** Whether a response on it is still to be sent. */
  isResponding(socket: Duplex): boolean;
  /** Lets requests in flight finish; first keeps serving for `noticeMs`, so that load balancers see `/readyz` fail. */
  close(noticeMs?: number): Promise<void>;
}

/** Port 0 picks a free one. */
export interface Address {
  readonly host: string;
  readonly port: number;
  /** The settings that host and port come from, for messages to the operator. */
  readonly settings: { readonly host: string; readonly port: string };
}

interface ListenOptions {
  readonly messages?: MessageClasses;
  /** Gets errors while listening, such as a connection that could not be accepted; the server keeps listening. */
  readonly onError: (problem: Error) => void;
  /** Masks credentials in request ids; by default, there are none. */
  readonly mask?: Mask;
  /** Whether a request does not wait for those that arrived before it, such as a probe of the process. */
  readonly isUrgent?: (request: IncomingMessage) => boolean;
}

/** Requests in flight get this long to finish at shutdown. */
const graceMs = 7_500;
const finalResponsesMs = 250;
/** A client that needs longer to send its headers, or a whole request, is presumably an attack (slowloris). */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** Interval of Node's checks of these timeouts; with its default, 30 seconds, clients could take four times as long. */
const timeoutCheckMs = 2_000;
/**
 * A client that lets a connection idle for so long does not read, or is gone; event streams send heartbeats more often.
 */
export const idleTimeoutMs = 60_000;
/** Proxies keep connections for 60 seconds: a longer time here, so that none sends on one that was just closed. */
const keepAliveMs = 65_000;
/** Ten thousand subscribers, and 2,000 for all others. Further connections are closed at once. */
const connectionsMax = 12_000;
/** The backlog, as far as the system allows: when it is full, clients retransmit after one, three and seven seconds. */
const backlogMax = 4_096;
/** Enough for a large JWT and a long URL; more is a 431. */
const headerBytesMax = 16_384;

/** @throws StartupError when the address cannot be bound. */
export async function startHttpServer(
  handler: RequestListener,
  address: Address,
  { messages, onError, mask = (text) => text, isUrgent = () => false }: ListenOptions,
): Promise<HttpServer> {
  const server = createServer({
    ...messages,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: timeoutCheckMs,
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: headerBytesMax,
    requireHostHeader: false,
  });
  server.timeout = idleTimeoutMs;
  server.maxConnections = connectionsMax;
  // No limit on the number of headers, since their bytes are limited: Node would drop further ones silently, with one
  // of them the key.
  server.maxHeadersCount = 0;
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would reject it without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const connections = trackConnections(server);
  readInTurns(server);
  server.on('request', connections.inTurn(requestsInTurns(rejectMalformed(handler, mask), isUrgent)));
  handleMalformed(server, connections);
  const close = closing(server, connections);
  const actualPort = await bind(server, address);
  server.on('error', onError);
  const { host } = address;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${actualPort}`, server, isResponding: connections.isResponding, close };
}

/** @throws StartupError when the address cannot be bound. */
export async function checkAddress(address: Address): Promise<void> {
  const server = createServer();
  await bind(server, address);
  const closed = once(server, 'close');
  server.close();
  await closed;
}

function bind(server: Server, address: Address): Promise<number> {
  const { host, port } = address;
  return new Promise((resolve, reject) => {
    const onBindError = (cause: NodeJS.ErrnoException): void =>
      reject(new StartupError(listenError(cause, address), { cause }));
    server.once('error', onBindError);
    server.listen({ host, port, backlog: backlogMax }, () => {
      server.off('error', onBindError);
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}

function listenError({ code }: NodeJS.ErrnoException, { host, port, settings }: Address): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${settings.port} ${port} is in use on ${host}: the service may be running already. Stop it, or set ${settings.port} to another.`;
    case 'EACCES':
      return `${settings.port} ${port} may not be used by this user: set ${settings.port} to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${settings.host} ${host} is not an address of this machine.`;
    default:
      return `${settings.host} ${host} and ${settings.port} ${port} cannot be listened on (${code}).`;
  }
}

/** Graceful shutdown: listens until the requests in flight finish, so that new ones get a 503; all close connections. */
function closing(server: Server, { sockets, inFlight }: Connections): HttpServer['close'] {
  let stopping = false;
  const closeAfter = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.prependListener('request', (_request, response) => {
    if (stopping) closeAfter(response);
  });
  return async (noticeMs = 0) => {
    stopping = true;
    for (const response of inFlight()) closeAfter(response);
    await delay(noticeMs);
    server.closeIdleConnections();
    await allClosed(inFlight(), graceMs);
    const closed = once(server, 'close');
    server.close();
    await allClosed(sockets(), finalResponsesMs);
    // Node's own list lacks those that have left HTTP.
    for (const socket of sockets()) socket.destroy();
    await closed;
  };
}

async function allClosed(open: readonly EventEmitter[], ms: number): Promise<void> {
  const timer = new AbortController();
  const closed = open.map((emitter) => new Promise((resolve) => emitter.once('close', resolve)));
  await Promise.race([Promise.all(closed), delay(ms, undefined, timer)]);
  timer.abort();
}

/** Responses whose clients have gone that are closed in one turn of the event loop: thousands may go at once. */
const closedPerTurn = 100;
const turnToClose = createTurns(closedPerTurn);

export type MessageClasses = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/**
 * Express sets the prototype of each message, and from then on V8 has two hidden classes wherever Node handles one:
 * even responses that Express never sees take a third longer. Created with its prototype, a message keeps its class.
 *
 * Node hands over the socket of every request that offers an upgrade, to any protocol on any path, and takes its
 * timeouts away. Here only those that `isUpgrade` accepts leave HTTP: an upgrade is optional (RFC 9110, 7.8). Node 24.9
 * has the option `shouldUpgradeCallback` for it; earlier ones read the property `upgrade` at the same place. Of a connection
 * that was closed, Node would still parse all requests that have been read, maybe thousands: it parses nothing after an upgrade.
 */
export function messageClassesFor(app: Express, isUpgrade: (request: IncomingMessage) => boolean): MessageClasses {
  class AppRequest extends IncomingMessage {
    private offersUpgrade: boolean | null = null;

    get upgrade(): boolean {
      if (this.socket.destroyed) return true;
      return this.offersUpgrade === true && (this.method === 'CONNECT' || isUpgrade(this));
    }

    set upgrade(offered: boolean | null) {
      this.offersUpgrade = offered;
    }
  }
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override emit(event: string, ...values: unknown[]): boolean {
      const turn = event === 'close' && !this.writableFinished ? turnToClose(1) : undefined;
      if (turn === undefined) return super.emit(event, ...values);
      void turn.then(() => super.emit(event, ...values));
      return true;
    }
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
