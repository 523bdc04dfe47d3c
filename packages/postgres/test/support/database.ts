import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';

export interface TestDatabase {
  readonly url: string;
  /** Runs SQL as an operator would in psql. */
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

const endConnections =
  'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user';

/** The connection string of another database on the same server. */
export function addressOf(postgresUrl: string, database: string): string {
  const address = new URL(postgresUrl);
  address.pathname = `/${database}`;
  return address.href;
}

const usualSettings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  quote_all_identifiers: 'off',
  array_nulls: 'on',
  default_transaction_isolation: String.raw`read\ committed`,
};

/** Options of a connection by which tests prepare and look: as most servers have them, whatever this one has. */
export const asUsual = {
  options: Object.entries(usualSettings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
};

let ofServer: Pool | undefined;

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server that all test files share. */
    postgresUrl: string;
  }
}

/**
 * Creates a database for one test.
 *
 * @param template the database that it clones; without one, it is empty.
 * @param settings further options of CREATE DATABASE.
 */
export async function createDatabase(template?: string, settings = ''): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const postgresUrl = inject('postgresUrl');
  ofServer ??= openOperator(postgresUrl);
  const server = ofServer;
  // Files are copied in a third of the time of their pages, and with them the cache that first connections would make.
  const clone = template === undefined ? '' : `TEMPLATE ${template} STRATEGY FILE_COPY`;
  await server.query(`CREATE DATABASE ${name} ${clone} ${settings}`);
  const url = addressOf(postgresUrl, name);
  const operator = openOperator(url);
  return {
    url,
    query: async (sql, values = []) => (await operator.query<Record<string, unknown>>(sql, values)).rows,
    close: async () => {
      const closed = operator.end();
      // WITH (FORCE) fails while a superuser is connected, such as autovacuum; without it, autovacuum is cancelled.
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await server.query(endConnections, [name]);
      await closed;
      await server.query(`DROP DATABASE ${name}`);
    },
  };
}

/** Most tests run their statements on one connection then: opening one costs more than a statement. */
const idleMs = 3_000;

function openOperator(connectionString: string): Pool {
  const pool = new Pool({ connectionString, ...asUsual, max: 20, idleTimeoutMillis: idleMs, allowExitOnIdle: true });
  // Tests terminate connections.
  pool.on('error', () => undefined);
  return pool;
}

/** An empty database for all tests of a file. */
export const useDatabase = (): TestDatabase => createdBy(beforeAll, afterAll, createDatabase);

/** A database that one hook creates, and another one closes. */
export function createdBy(
  before: (work: () => Promise<void>) => void,
  after: (work: () => Promise<void> | undefined) => void,
  create: () => Promise<TestDatabase>,
): TestDatabase {
  let created: TestDatabase | undefined;
  const database = (): TestDatabase => {
    if (created === undefined)
      throw new Error('The database is created before the first test: use it in hooks and tests.');
    return created;
  };
  before(async () => {
    created = await create();
  });
  after(() => created?.close());
  return {
    get url() {
      return database().url;
    },
    query: (sql, values) => database().query(sql, values),
    close: () => database().close(),
  };
}
