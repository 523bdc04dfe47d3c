import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@service/errors';
import type { ByteBudget } from '@service/http/byte-budget';
import { postInMemory } from '@service/http/in-memory-connection';
import { withoutPrefix } from '@service/http/path-prefix';
import type { HttpServer } from '@service/http/server';
import { createTurns } from '@service/http/turns';
import { GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, makeServer, type SubscribePayload } from 'graphql-ws';
import type { Logger } from 'pino';
import { WebSocket, WebSocketServer } from 'ws';
import { graphqlPath } from '../request.ts';
import { type ConnectionAtPace, connectionAtPace, tryAgainLater } from './connection.ts';
import { RejectedOperation, type ResultStream, resultsOf } from './results.ts';

/** GraphQL over WebSockets, for clients that support nothing else. */
export interface WebSockets {
  /** Clients connect again, to another instance. */
  close(): Promise<void>;
}

interface WebSocketOptions {
  readonly httpServer: HttpServer;
  readonly schema: GraphQLSchema;
  readonly messageBytesMax: number;
  readonly slowClients: ByteBudget;
  readonly log: Logger;
  /** Called with the request of each connection, before its headers are read. */
  readonly onUpgrade?: (request: IncomingMessage) => void;
}

interface Connection {
  readonly socket: WebSocket;
  readonly atPace: ConnectionAtPace;
  readonly request: IncomingMessage;
  /** Headers that authenticate its operations, once it has been acknowledged. */
  credentials: Readonly<Record<string, string>>;
}

/** Operations of one connection at a time. */
const operationsMax = 100;
/** Frames that a message may be in: each takes some 200 bytes beside its own, and clients send one of a message. */
const fragmentsMax = 64;
/** Time for a client to send its key, and to confirm that the connection is closed. */
const initTimeoutMs = 10_000;
const closeTimeoutMs = 1_000;
/** Proxies have longer idle timeouts. A client that has not responded by the next ping, or not closed, is gone. */
const pingEveryMs = 15_000;
/** Clients that are pinged in one turn of the event loop. */
const pingsPerTurn = 100;
/** Clients of `graphql-ws` reconnect after these. */
const goingAway = 1001;
const serviceRestart = 1012;

/** The library reads the kind of an operation; here the HTTP handler does, so each is passed on as a subscription. */
const passedOn = parse('subscription { passedOn }');

/** RFC 6455, 4.1: 16 bytes in base64. */
const keyForm = /^[+/\dA-Za-z]{22}==$/;

/** Whether a request becomes a WebSocket; any other that offers an upgrade is served as a plain one. */
export function isWebSocketUpgrade({ method, url = '', headers }: IncomingMessage, prefix = ''): boolean {
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim());
  return (
    method === 'GET' &&
    withoutPrefix(url, prefix).split('?')[0] === graphqlPath &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    // Other requests are served as plain ones: `ws` would reject them in HTML.
    headers['sec-websocket-version'] === '13' &&
    keyForm.test(headers['sec-websocket-key'] ?? '') &&
    offered?.includes(GRAPHQL_TRANSPORT_WS_PROTOCOL) === true
  );
}

/**
 * Serves `graphql-transport-ws`. Each operation becomes an HTTP request within the process: request id and log, metrics,
 * admission control, authentication, rate limit and revocation belong to requests and responses, and come before Yoga.
 */
export function openWebSockets(options: WebSocketOptions): WebSockets {
  const { httpServer, schema, messageBytesMax, slowClients, log, onUpgrade } = options;
  const { server } = httpServer;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytesMax,
    maxFragments: fragmentsMax,
    // One message, ping or pong of a connection in a turn of the event loop: a read has ten thousand.
    allowSynchronousEvents: false,
    handleProtocols: () => GRAPHQL_TRANSPORT_WS_PROTOCOL,
  });
  /** Executions by the context value, which the library passes on. */
  const executions = new WeakMap<object, () => Promise<ResultStream>>();
  const responsive = new WeakSet<WebSocket>();

  const post = ({ request, credentials }: Connection, body: string): Promise<IncomingMessage> =>
    postInMemory({
      server,
      remoteAddress: request.socket.remoteAddress,
      path: graphqlPath,
      headers: { ...credentials, accept: 'text/event-stream, application/json' },
      body,
    });

  const execute = async (connection: Connection, id: string, body: string) => {
    const response = await post(connection, body);
    const { socket, atPace } = connection;
    if (response.statusCode === 401) socket.close(CloseCode.Forbidden, 'API key is invalid.');
    const onCutOff = (): void => socket.close(serviceRestart, 'The subscription has ended. Reconnect with after.');
    return resultsOf(response, { send: (json) => atPace.sendResult(id, json), onCutOff });
  };

  const library = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: initTimeoutMs,
    onConnect: async (context) => {
      const { connectionParams, extra } = context;
      extra.credentials = credentialHeadersOf(connectionParams, extra.request);
      // The rest, which may be as long as a message, is not kept as long as the connection.
      Object.assign(context, { connectionParams: undefined });
      const { statusCode = 500 } = (await post(extra, '{"query":"{ __typename }"}')).resume();
      if (statusCode === 401) return false;
      if (statusCode >= 429) extra.socket.close(tryAgainLater, 'Try again later.');
      return true;
    },
    onPing: ({ connectionInitReceived, extra }) => {
      if (!connectionInitReceived) extra.socket.close(CloseCode.Unauthorized, 'Unauthorized');
    },
    onSubscribe: ({ extra, subscriptions }, id, payload) => {
      if (Object.keys(subscriptions).length > operationsMax) {
        return [rejection(`A connection has at most ${operationsMax} operations at a time.`, 'UNAVAILABLE')];
      }
      const body = jsonOf(payload);
      if (body === undefined) return [rejection('The operation is nested too deeply.', 'BAD_USER_INPUT')];
      const contextValue = {};
      executions.set(contextValue, () => execute(extra, id, body));
      return { schema, document: passedOn, contextValue };
    },
    onError: (_connection, _id, _payload, [error]) =>
      error?.originalError instanceof RejectedOperation ? error.originalError.errors : undefined,
    subscribe: async ({ contextValue }) => executions.get(Object(contextValue))?.() ?? { data: null },
  });

  const serve = (socket: WebSocket, request: IncomingMessage): void => {
    const onError = (err: unknown): void => {
      log.error({ err }, 'a message of a WebSocket could not be handled');
      socket.close(CloseCode.InternalServerError, 'Internal server error');
    };
    const atPace = connectionAtPace({ socket, transport: request.socket, slowClients, onError });
    const onClosed = library.opened(atPace, { socket, atPace, request, credentials: {} });
    socket.once('close', (code, reason) => onClosed(code, reason.toString()).catch(onError));
    responsive.add(socket);
    socket.on('pong', () => {
      if (!responsive.has(socket)) atPace.onPong();
      responsive.add(socket);
    });
  };

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (socket.destroyed) return;
    onUpgrade?.(request);
    // No timeout applies from here on, so nothing may wait for the client.
    if (httpServer.isResponding(socket)) socket.destroy();
    else sockets.handleUpgrade(request, socket, head, (webSocket) => serve(webSocket, request));
  };
  server.on('upgrade', upgrade);

  const turnFor = createTurns(pingsPerTurn);
  const pingAll = async (): Promise<void> => {
    for (const socket of sockets.clients) {
      await turnFor(1);
      if (socket.readyState !== WebSocket.OPEN) socket.terminate();
      else if (socket.isPaused) continue;
      else if (responsive.delete(socket)) socket.ping();
      else socket.terminate();
    }
  };
  const ping = setInterval(() => void pingAll(), pingEveryMs).unref();

  return {
    close: async () => {
      server.off('upgrade', upgrade);
      clearInterval(ping);
      const closed = new Promise((resolve) => sockets.close(resolve));
      for (const socket of sockets.clients) socket.close(goingAway, 'Going away');
      const timer = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, closeTimeoutMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

const rejection = (message: string, code: ErrorCode): GraphQLError =>
  new GraphQLError(message, { extensions: { code } });

/** `undefined` when it is nested too deeply for its writer. */
function jsonOf(payload: SubscribePayload): string | undefined {
  try {
    return JSON.stringify(payload);
  } catch {
    return undefined;
  }
}

const headerValue = /^[\t\x20-\x7e]*$/;
/** Names under which clients send credentials, in any letter case. */
const names: Readonly<Record<string, 'x-api-key' | 'authorization'>> = {
  'x-api-key': 'x-api-key',
  apikey: 'x-api-key',
  authorization: 'authorization',
};

/** The credential of `connectionParams`, else of the upgrade, where browsers cannot set it; and the address. */
function credentialHeadersOf(connectionParams: unknown, { headers }: IncomingMessage): Record<string, string> {
  const sent = credentialsIn({ 'x-api-key': headers['x-api-key'], authorization: headers.authorization });
  const given = credentialsIn(connectionParams);
  const forwarded = headers['x-forwarded-for'];
  return {
    ...(Object.keys(given).length > 0 ? given : sent),
    ...(typeof forwarded === 'string' && { 'x-forwarded-for': forwarded }),
  };
}

function credentialsIn(parameters: unknown): Record<string, string> {
  const credentials: Record<string, string> = {};
  for (const [name, value] of Object.entries(Object(parameters))) {
    const header = names[name.toLowerCase()];
    if (header !== undefined && typeof value === 'string' && headerValue.test(value)) credentials[header] = value;
  }
  return credentials;
}
