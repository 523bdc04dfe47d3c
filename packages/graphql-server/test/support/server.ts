import { hash } from 'node:crypto';
import { Agent } from 'node:http';
import { ServiceError } from '@service/errors';
import { createByteBudget } from '@service/http/byte-budget';
import { sendError } from '@service/http/errors';
import { privateHeadersFor, setHeaders } from '@service/http/headers';
import { createJsonBodyReader } from '@service/http/json-body';
import { type HttpServer, messageClassesFor, startHttpServer } from '@service/http/server';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { pino } from 'pino';
import supertest, { type Test } from 'supertest';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ExecutionContext } from '../../src/context.ts';
import { graphqlError } from '../../src/errors.ts';
import { createGraphqlHandler, rejectOtherSubprotocols } from '../../src/handler.ts';
import type { PersistedOperations } from '../../src/persisted-operations.ts';
import { isWebSocketUpgrade, openWebSockets, type WebSockets } from '../../src/web-sockets/web-sockets.ts';
import { lists, type Reads, schema } from './schema.ts';

type Context = ExecutionContext & Reads;

/** Of responses: more than any test of another limit has. */
const responseBytesMax = 1_000_000;
const address = { host: '127.0.0.1', port: 0, settings: { host: 'HOST', port: 'PORT' } };
/** The only key that the server does not know. */
export const unknownKey = 'unknown';

/** A GraphQL server of books on a free port, over HTTP and WebSockets, without a database. */
export interface BookServer extends Reads {
  readonly url: string;
  /** The codes of errors that were counted. */
  readonly failed: string[];
  /** A GraphQL request by POST. */
  graphql(query: string, variables?: object): Test;
  request(method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options', path: string): Test;
}

const toServiceError = (problem: unknown): ServiceError =>
  problem instanceof ServiceError
    ? problem
    : new ServiceError('INTERNAL_SERVER_ERROR', 'Internal server error.', { cause: problem });

const sendGraphqlError: ErrorRequestHandler = (problem, _request, response, _next) => {
  const error = toServiceError(problem);
  sendError(response, error, { errors: [graphqlError(error)] });
};

interface BookServerOptions {
  /** Read when the server starts. */
  readonly persistedOperations?: () => Promise<PersistedOperations>;
}

const authenticate: RequestHandler = ({ headers }, _response, next) =>
  next(headers['x-api-key'] === unknownKey ? new ServiceError('API_KEY_INVALID', 'API key is invalid.') : undefined);

/** A running server for all tests of a file; what its resolvers have read is forgotten before each. */
export function useBookServer({ persistedOperations }: BookServerOptions = {}): BookServer {
  const reads: string[] = [];
  const failed: string[] = [];
  const log = pino({ enabled: false });
  const contextOf = ({ res, headers }: Request): Context => ({
    reads,
    state: {
      account: headers['x-api-key']?.toString() ?? 'owner',
      log,
      app: { metrics: { failed: (code) => failed.push(code) }, tracing: undefined },
      onClosed: (release) => void res?.once('close', release),
      holdSlot: () => () => undefined,
    },
  });
  const slowClients = createByteBudget(10_000_000);
  const app = express();
  app.disable('etag');
  const messages = messageClassesFor(app, isWebSocketUpgrade);
  const agent = new Agent({ keepAlive: true });
  let httpServer: HttpServer | undefined;
  let sockets: WebSockets | undefined;
  beforeAll(async () => {
    const { handler } = createGraphqlHandler<Context>({
      schema,
      lists,
      persistedOperations: await persistedOperations?.(),
      plugins: [],
      toServiceError,
      eventKeyOf: ({ id }) => id,
      contextForEvent: (context) => ({ ...context }),
      sharersOf: ({ state }) => ({ owner: state.account, joinedBy: () => undefined }),
      responseBytesMax,
      readBody: createJsonBodyReader(102_400, slowClients),
      contextOf,
      cacheKeyOf: ({ originalUrl, body }) => hash('sha256', JSON.stringify([originalUrl, body])),
      admission: { release: () => undefined },
    });
    const headers = setHeaders(privateHeadersFor({ origins: undefined, credentialHeaders: [] }));
    app.all('/graphql', headers, rejectOtherSubprotocols, authenticate, handler);
    app.use(sendGraphqlError);
    app.use((_request, response) => void response.json({ status: 'no GraphQL' }));
    httpServer = await startHttpServer(app, address, { messages, onError: () => undefined });
    sockets = openWebSockets({ httpServer, schema, messageBytesMax: 102_400, slowClients, log });
  });
  beforeEach(() => {
    reads.length = 0;
    failed.length = 0;
  });
  afterAll(async () => {
    agent.destroy();
    await sockets?.close();
    await httpServer?.close();
  });
  const urlOf = (): string => httpServer?.url ?? '';
  return {
    get url() {
      return urlOf();
    },
    reads,
    failed,
    graphql: (query, variables = {}) => supertest(urlOf()).post('/graphql').agent(agent).send({ query, variables }),
    request: (method, path) => supertest(urlOf())[method](path).agent(agent),
  };
}
