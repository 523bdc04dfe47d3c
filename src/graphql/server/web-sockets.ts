import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, type SubscribePayload } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { connectInMemory, postInMemory } from '../../http/in-memory-connection.ts';
import { credentialHeadersOf } from './web-socket-credentials.ts';
import { type ResultStream, resultsOf } from './web-socket-results.ts';
import { graphqlPath } from './yoga.ts';

/** GraphQL over WebSockets, for clients that support nothing else. */
export interface WebSockets {
  /** Clients connect again, to another instance. */
  close(): Promise<void>;
}

interface WebSocketOptions {
  readonly server: Server;
  readonly schema: GraphQLSchema;
  readonly messageMaxBytes: number;
}

interface Connection {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
}

/** Operations of one connection at a time. */
const operationsMax = 100;
/** For a client to send its key, and to confirm that the connection is closed. */
const initTimeoutMs = 10_000;
const closeTimeoutMs = 1_000;
/** Clients of `graphql-ws` reconnect after these. */
const tryAgainLater = 1013;
const serviceRestart = 1012;

/** The library reads the kind of an operation; here the HTTP handler does, so each is passed on as a subscription. */
const passedOn = parse('subscription { passedOn }');

/**
 * Serves `graphql-transport-ws`. Each operation becomes an HTTP request within the process, so that authentication,
 * limits, admission control, revocation and the log are those of HTTP. Other upgrades are served as plain requests.
 */
export function openWebSockets({ server, schema, messageMaxBytes }: WebSocketOptions): WebSockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageMaxBytes });
  /** By the context value, which the library passes on. */
  const executions = new WeakMap<object, () => Promise<ResultStream>>();
  let closed = false;

  const post = ({ request }: Connection, connectionParams: unknown, payload: object): Promise<IncomingMessage> =>
    postInMemory({
      server,
      remoteAddress: request.socket.remoteAddress,
      path: graphqlPath,
      headers: { ...credentialHeadersOf(connectionParams, request), accept: 'text/event-stream, application/json' },
      body: payload,
    });

  const execute = async (connection: Connection, connectionParams: unknown, payload: SubscribePayload) => {
    const response = await post(connection, connectionParams, payload);
    const { socket } = connection;
    if (response.statusCode === 401) socket.close(CloseCode.Forbidden, 'API key is invalid.');
    const onCutOff = (): void => socket.close(serviceRestart, 'The subscription has ended. Reconnect with after.');
    return resultsOf(response, onCutOff);
  };

  const library = useServer<Record<string, unknown>, Partial<Connection>>(
    {
      connectionInitWaitTimeout: initTimeoutMs,
      onConnect: async ({ connectionParams, extra }) => {
        const connection = connectionOf(extra);
        const { statusCode = 500 } = (await post(connection, connectionParams, { query: '{ __typename }' })).resume();
        if (statusCode === 401) return false;
        if (statusCode >= 429) connection.socket.close(tryAgainLater, 'Try again later.');
        return true;
      },
      onSubscribe: ({ connectionParams, extra, subscriptions }, _id, payload) => {
        if (Object.keys(subscriptions).length > operationsMax) return [tooMany()];
        const contextValue = {};
        executions.set(contextValue, () => execute(connectionOf(extra), connectionParams, payload));
        return { schema, document: passedOn, contextValue };
      },
      subscribe: async ({ contextValue }) => executions.get(Object(contextValue))?.() ?? { data: null },
    },
    sockets,
  );

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    const isGraphql = request.url?.split('?')[0] === graphqlPath;
    if (closed || !isWebSocket || !isGraphql) {
      serveAsPlainRequest(server, request, socket, head);
      return;
    }
    const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? [];
    if (!offered.includes(GRAPHQL_TRANSPORT_WS_PROTOCOL)) reject(socket);
    else sockets.handleUpgrade(request, socket, head, (webSocket) => sockets.emit('connection', webSocket, request));
  };
  server.on('upgrade', upgrade);

  return {
    close: async () => {
      closed = true;
      const timer = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, closeTimeoutMs);
      await library.dispose();
      clearTimeout(timer);
    },
  };
}

function connectionOf({ socket, request }: Partial<Connection>): Connection {
  if (socket === undefined || request === undefined) throw new Error('The connection is not open.');
  return { socket, request };
}

function tooMany(): GraphQLError {
  const message = `A connection has at most ${operationsMax} operations at a time.`;
  return new GraphQLError(message, { extensions: { code: 'UNAVAILABLE' } });
}

/** An upgrade is optional (RFC 9110, 7.8): the request is sent to the server again without it. */
function serveAsPlainRequest(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!['upgrade', 'connection'].includes(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  const inner = connectInMemory(server, request.socket.remoteAddress);
  inner.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`, 'latin1');
  inner.write(head);
  socket.pipe(inner).pipe(socket);
  socket.once('close', () => inner.destroy()).on('error', () => inner.destroy());
  inner.on('error', () => socket.destroy());
}

function reject(socket: Duplex): void {
  const message = `WebSockets need the subprotocol ${GRAPHQL_TRANSPORT_WS_PROTOCOL} (the package graphql-ws). Server-sent events need no more than a POST with Accept: text/event-stream.`;
  const body = JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] });
  const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json; charset=utf-8', 'Connection: close'];
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
