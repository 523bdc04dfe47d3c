import { Agent, createServer } from 'node:http';
import { ServiceError } from '@service/errors';
import { createByteBudget } from '@service/http/byte-budget';
import { sendError } from '@service/http/errors';
import { privateHeadersFor, setHeaders } from '@service/http/headers';
import { createJsonBodyReader } from '@service/http/json-body';
import express, { type ErrorRequestHandler, type Request } from 'express';
import { pino } from 'pino';
import supertest, { type Test } from 'supertest';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ExecutionContext } from '../../src/context.ts';
import { graphqlError } from '../../src/errors.ts';
import { createGraphqlHandler, rejectOtherSubprotocols } from '../../src/handler.ts';
import { lists, type Reads, schema } from './schema.ts';

type Context = ExecutionContext & Reads;

/** A GraphQL server of books on a free port, without authentication and without a database. */
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

/** A running server for all tests of a file; what its resolvers have read is forgotten before each. */
export function useBookServer(): BookServer {
  const reads: string[] = [];
  const failed: string[] = [];
  const log = pino({ enabled: false });
  const contextOf = ({ res }: Request): Context => ({
    reads,
    state: {
      log,
      app: { metrics: { failed: (code) => failed.push(code) }, tracing: undefined },
      onClosed: (release) => void res?.once('close', release),
      holdSlot: () => () => undefined,
    },
  });
  const { handler } = createGraphqlHandler<Context>({
    schema,
    lists,
    persistedOperations: undefined,
    plugins: [],
    toServiceError,
    eventKeyOf: ({ id }) => id,
    contextForEvent: (context) => context,
    readBody: createJsonBodyReader(102_400, createByteBudget(10_000_000)),
    contextOf,
    cacheKeyOf: ({ body }) => JSON.stringify(body),
    admission: { release: () => undefined },
  });
  const app = express();
  app.disable('etag');
  const headers = setHeaders(privateHeadersFor({ origins: undefined, credentialHeaders: [] }));
  app.all('/graphql', headers, rejectOtherSubprotocols, handler);
  app.use(sendGraphqlError);
  const server = createServer(app);
  const agent = new Agent({ keepAlive: true });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${Object(server.address()).port}`;
  });
  beforeEach(() => {
    reads.length = 0;
    failed.length = 0;
  });
  afterAll(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return {
    get url() {
      return url;
    },
    reads,
    failed,
    graphql: (query, variables = {}) => supertest(url).post('/graphql').agent(agent).send({ query, variables }),
    request: (method, path) => supertest(url)[method](path).agent(agent),
  };
}
