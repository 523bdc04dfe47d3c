import { Agent } from 'node:http';
import { pino } from 'pino';
import supertest, { type Test } from 'supertest';
import { type Config, parseConfig } from '../../src/config.ts';
import { type Service, startService } from '../../src/service.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { keepWarning, withoutOutdatedServer } from './warnings.ts';

/** The administrator's key of every test server. */
export const adminKey = 'test-administrator-key-0123456789';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options';

/** A real service on a free port, with a database of its own. */
export interface TestServer {
  readonly url: string;
  readonly database: TestDatabase;
  /** Log lines of the service. */
  readonly logged: readonly string[];
  /** SQL statements that requests sent; empty it to count from zero. */
  readonly statements: string[];
  /** A request to REST, below `/v1`; `key: null` sends none. */
  rest(method: Method, path: string, key?: string | null): Test;
  /** A GraphQL request by POST. */
  graphql(query: string, variables?: object, key?: string | null): Test;
  close(): Promise<void>;
}

/** Background statements, not sent by a request: updates of last_used_at, cleanup, and the first look at readiness. */
const backgroundStatement = /last_used_at = used\.at|^\s*DELETE FROM (?:idempotency_records|change_log) |AS standby$/;

/** Starts a service on a free port, with a database of its own unless one is passed. */
export async function startTestServer(
  environment: Readonly<Record<string, string>> = {},
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
  return {
    url: service.url,
    database: ownDatabase,
    logged,
    statements,
    rest: (method, path, key = adminKey) => request(method, `/v1${path}`, key),
    graphql: (query, variables = {}, key = adminKey) => request('post', '/graphql', key).send({ query, variables }),
    close: async () => {
      await service.close();
      agent.destroy();
      if (database === undefined) await ownDatabase.close();
    },
  };
}

/** Two instances of the service on one database. */
interface TwoServers {
  readonly database: TestDatabase;
  readonly servers: readonly [TestServer, TestServer];
  close(): Promise<void>;
}

/** Starts two instances on a database of their own. */
export async function startTwoServers(environment: Readonly<Record<string, string>> = {}): Promise<TwoServers> {
  const database = await createTestDatabase();
  const servers = [await startTestServer(environment, database), await startTestServer(environment, database)] as const;
  return {
    database,
    servers,
    close: async () => {
      for (const server of servers) await server.close();
      await database.close();
    },
  };
}

function testConfig(environment: Readonly<Record<string, string>> = {}): Config {
  return parseConfig({ PORT: '0', LOG_LEVEL: 'debug', BOOTSTRAP_API_KEY: adminKey, ...environment });
}
