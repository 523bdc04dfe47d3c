import { Agent } from 'node:http';
import { pino } from 'pino';
import supertest, { type Test } from 'supertest';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Config, parseConfig } from '../../src/config.ts';
import { type Service, startService } from '../../src/service.ts';
import { type KeyFields, makeKey } from './credentials/keys.ts';
import { createTestDatabase, resetOf, type TestDatabase, useDatabase } from './database.ts';
import { type Factories, factoriesFor } from './factories.ts';
import { keepWarning, withoutOutdatedServer } from './warnings.ts';

/** The administrator's key of every test server. */
export const adminKey = 'test-administrator-key-0123456789';

type Environment = Readonly<Record<string, string>>;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options';

/** A real service on a free port, with a database of its own. */
export interface TestServer {
  readonly url: string;
  readonly database: TestDatabase;
  /** Log lines of the service. */
  readonly logged: string[];
  /** SQL statements that requests sent; empty it to count from zero. */
  readonly statements: string[];
  /** A request to REST, below `/v1`; `key: null` sends none. */
  rest(method: Method, path: string, key?: string | null): Test;
  /** A GraphQL request by POST. */
  graphql(query: string, variables?: object, key?: string | null): Test;
  /** A GET of any address by an administrator, whose response may be read as a stream. */
  get(address: string): Promise<Response>;
  readonly make: Factories;
  makeKey(fields?: KeyFields): Promise<string>;
  close(): Promise<void>;
}

/** Background statements, not sent by a request: updates of last_used_at, cleanup, and the first look at readiness. */
const backgroundStatement = /last_used_at = used\.at|^\s*DELETE FROM (?:idempotency_records|change_log) |AS standby$/;

/** Starts a service on a free port, with a database of its own unless one is passed. */
export async function startTestServer(
  environment: Environment = {},
  database?: TestDatabase,
  tell: (sentence: string) => void = () => undefined,
): Promise<TestServer> {
  const ownDatabase = database ?? (await createTestDatabase());
  const logged: string[] = [];
  const statements: string[] = [];
  const write = (line: string): void => {
    if (withoutOutdatedServer(line) === '') return;
    logged.push(line);
    keepWarning(line);
  };
  const config = testConfig({ DATABASE_URL: ownDatabase.url, ...environment });
  const service: Service = await startService({
    config,
    log: pino({ level: config.LOG_LEVEL, base: null }, { write }),
    report: tell,
    onStatement: (sql) => {
      if (!backgroundStatement.test(sql)) statements.push(sql);
    },
  });
  // Without an agent, each request of supertest opens a connection.
  const agent = new Agent({ keepAlive: true });
  const request = (method: Method, path: string, key: string | null): Test => {
    const test = supertest(service.url)[method](path).agent(agent);
    return key === null ? test : test.set('x-api-key', key);
  };
  const rest: TestServer['rest'] = (method, path, key = adminKey) => request(method, `/v1${path}`, key);
  return {
    url: service.url,
    database: ownDatabase,
    logged,
    statements,
    rest,
    get: (address) => fetch(service.url + address, { headers: { 'x-api-key': adminKey } }),
    make: factoriesFor({ rest }),
    makeKey: (fields) => makeKey(ownDatabase, fields),
    graphql: (query, variables = {}, key = adminKey) => request('post', '/graphql', key).send({ query, variables }),
    close: async () => {
      await service.close();
      agent.destroy();
      if (database === undefined) await ownDatabase.close();
    },
  };
}

/** As `startTestServer`; it is closed when the test ends. */
export async function serverForTest(...options: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...options);
  onTestFinished(() => server.close());
  return server;
}

/** A running service for all tests of a file or of a `describe`, with a database of its own unless one is passed. */
export const useServer = (environment: Environment = {}, database: TestDatabase = useDatabase()): TestServer =>
  servedBy(
    () => startTestServer(environment, database),
    (server) => server.close(),
    database,
  );

let shared: Promise<{ readonly server: TestServer; readonly reset: () => Promise<void> }> | undefined;

/**
 * The service that files of a worker share, without settings, emptied before each file: to start one costs as much as
 * dozens of requests. For a file that leaves schema and settings as they are, and counts nothing since the start.
 */
export const useSharedServer = (): TestServer => servedBy(shareServer, async () => undefined);

async function shareServer(): Promise<TestServer> {
  const isNew = shared === undefined;
  shared ??= startTestServer({ AUTH_FAILURES_PER_MINUTE: '1000000' }).then(async (server) => ({
    server,
    reset: await resetOf(server.database),
  }));
  const { server, reset } = await shared;
  if (!isNew) {
    await reset();
    // Its response is later than all that the caches of the service had.
    await server.graphql('{ catalogChanges { cursor } }');
  }
  server.logged.length = 0;
  server.statements.length = 0;
  return server;
}

function servedBy(
  start: () => Promise<TestServer>,
  end: (server: TestServer) => Promise<void>,
  database?: TestDatabase,
): TestServer {
  let started: TestServer | undefined;
  const server = (): TestServer => {
    if (started === undefined) throw new Error('The service starts before the first test: use it in hooks and tests.');
    return started;
  };
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started && end(started));
  return {
    get database() {
      return database ?? server().database;
    },
    get url() {
      return server().url;
    },
    get logged() {
      return server().logged;
    },
    get statements() {
      return server().statements;
    },
    get make() {
      return server().make;
    },
    rest: (...request) => server().rest(...request),
    get: (address) => server().get(address),
    makeKey: (fields) => server().makeKey(fields),
    graphql: (...request) => server().graphql(...request),
    close: () => server().close(),
  };
}

/** Two instances of the service on one database, for all tests of a file or of a `describe`. */
export function useInstances(
  _count: 2,
  environment: Environment = {},
  database: TestDatabase = useDatabase(),
): readonly [TestServer, TestServer] {
  return [useServer(environment, database), useServer(environment, database)];
}

function testConfig(environment: Environment = {}): Config {
  return parseConfig({ PORT: '0', LOG_LEVEL: 'debug', BOOTSTRAP_API_KEY: adminKey, ...environment });
}
