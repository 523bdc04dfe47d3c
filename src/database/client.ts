import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';

/** The service's database. */
export type Database = PrismaClient;

/** The database inside one transaction: all that is done through it is kept, or none of it. */
export type Transaction = Prisma.TransactionClient;

/** How long a request waits for a free connection before it is answered 503: shorter than its caller's patience. */
const connectionWaitMs = 2_000;
/** Enough for two cores' worth of statements; more would only queue inside PostgreSQL. */
const poolSize = 10;

interface DatabaseOptions {
  /** `postgresql://…`; holds a password. */
  readonly url: string;
  /** The connections to use; else some of its own. */
  readonly pool?: Pool;
  /** Told of every statement that is sent; for tests that count them. */
  readonly onStatement?: (sql: string) => void;
}

/** Opens a pool of connections. None is made before the first statement; close it with `end()`. */
export function openPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: poolSize, connectionTimeoutMillis: connectionWaitMs });
  // An idle connection that breaks leaves the pool; the next request makes another, or says that it cannot.
  pool.on('error', () => undefined);
  return pool;
}

/** Opens the database. Nothing is connected before the first statement; close it with `$disconnect()`. */
export function openDatabase({ url, pool = openPool(url), onStatement }: DatabaseOptions): Database {
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  if (onStatement === undefined) return new PrismaClient({ adapter });
  const client = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] });
  client.$on('query', (event) => onStatement(event.query));
  return client;
}
