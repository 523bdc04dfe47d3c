import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory, SqlQueryable } from '@prisma/driver-adapter-utils';
import { ServiceError } from '@service/errors';
import {
  createLimit,
  createSharedLimit,
  type Limit,
  noLimit,
  type SharedLimit,
  type SharedWait,
  type Sharers,
} from '@service/postgres/limits';
import { isPooled } from '@service/postgres/options';
import { connectionWaitMs, openPool, type PipelinedPool } from '@service/postgres/pool';
import { executorOf, registerExecutor, type StatementHook } from '@service/postgres/sql';
import type { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import type { Database } from './types.ts';

interface DatabaseOptions {
  readonly url: string;
  readonly pool?: Pool;
  /** Runs quick raw SQL; closed by its opener. */
  readonly pipelinedPool?: PipelinedPool;
  /** Looks up keys: a caller never waits for the reads of others. */
  readonly alonePool?: PipelinedPool;
  readonly onStatement?: (sql: string) => void;
  readonly hook?: StatementHook;
  /** A longer transaction of Prisma's is rolled back; by default 5,000. */
  readonly transactionTimeoutMs?: number;
}

/** Connections of the pool that reads leave to writes and authentication, however many they are. */
const reservedForWrites = 3;
/** Connections that the reads of one caller leave to those of others. */
const readsLeftToOthers = 2;
/** Connections that the writes of one caller may have: of a small pool two in five. */
const writesOfCallerMax = 4;
const writesOfCallerShare = 0.4;

const overloaded = (): ServiceError =>
  new ServiceError('UNAVAILABLE', 'The service is overloaded. Please try again.', { retryAfterSeconds: 1 });
const connectionWait = { timeoutMs: connectionWaitMs, onTimeout: overloaded };

const connectionsOfCaller = ({ options: { max } }: Pool): number =>
  Math.min(writesOfCallerMax, Math.max(1, Math.floor(max * writesOfCallerShare)));

/** Limits the short transactions of each caller. Those of many wait for a connection of the pool, which counts them. */
export const shareWrites = (pool: Pool): SharedLimit =>
  createSharedLimit(Number.POSITIVE_INFINITY, { ofOwnerMax: connectionsOfCaller(pool), ...connectionWait });

/** Limits those of people who are no callers yet: all share what one caller has, in turns of any owners. */
export const shareOfCaller = (pool: Pool, wait: Partial<SharedWait>): SharedLimit =>
  createSharedLimit(connectionsOfCaller(pool), { onTimeout: overloaded, ...wait });

/** One at a time of each owner, however many owners there are. */
export const oneOfEach = (wait: Partial<SharedWait>): SharedLimit =>
  createSharedLimit(Number.POSITIVE_INFINITY, { ofOwnerMax: 1, onTimeout: overloaded, ...wait });

/** Connects with the first statement; close it with `$disconnect()`. */
export function openDatabase({
  url,
  pool = openPool(url),
  pipelinedPool,
  alonePool,
  onStatement,
  hook,
  transactionTimeoutMs = 5_000,
}: DatabaseOptions): Database {
  const plain = new PrismaPg(pool, { disposeExternalPool: true });
  const adapter = hook === undefined ? plain : instrument(plain, hook);
  const options = { adapter, transactionOptions: { timeout: transactionTimeoutMs } };
  const client = onStatement === undefined ? new PrismaClient(options) : observedClient(options, onStatement);
  const connect = () => pool.connect();
  const readConnectionsMax = Math.max(1, pool.options.max - reservedForWrites);
  const sharedLimit = createSharedLimit(readConnectionsMax, {
    ofOwnerMax: Math.max(1, readConnectionsMax - readsLeftToOthers),
    ...connectionWait,
  });
  registerExecutor(client, {
    connection: pool,
    pipelinedPool,
    alonePool,
    connect,
    limit: sharedLimit(''),
    sharedLimit,
    onStatement,
    hook,
    prepares: !isPooled(url),
  });
  return client;
}

/**
 * Long transactions (seconds to minutes) have their own two connections, of which a caller has one at a time. When they
 * stay busy, the next is rejected with `UNAVAILABLE`.
 */
const longConnectionsMax = 2;
/** A long transaction may wait for another one. PostgreSQL looks for a deadlock after a second. */
const longLockMs = 5_000;
const longStatementMs = 600_000;
const longTransactionMs = 900_000;

export interface LongTransactions {
  /** Opened when first used. */
  readonly db: () => Database;
  readonly limit: SharedLimit;
  close(): Promise<void>;
}

type LongOptions = Pick<DatabaseOptions, 'url' | 'onStatement' | 'hook'>;

/** A database whose statements and transactions may take minutes, such as that of the command line. */
export const openLongDatabase = (
  options: LongOptions,
  size: { readonly min?: number; readonly max?: number } = {},
): Database =>
  openDatabase({
    ...options,
    pool: openPool(options.url, { ...size, timeouts: { statement: longStatementMs, lock: longLockMs } }),
    transactionTimeoutMs: longTransactionMs,
  });

/** A database with its own connections, for long transactions: they take none from the others. */
export function openLongTransactions(options: LongOptions): LongTransactions {
  let opened: Database | undefined;
  return {
    db: () => {
      opened ??= openLongDatabase(options, { max: longConnectionsMax, min: 0 });
      return opened;
    },
    limit: createSharedLimit(longConnectionsMax, { ofOwnerMax: 1, timeoutMs: longLockMs, onTimeout: overloaded }),
    close: async () => opened?.$disconnect(),
  };
}

function observedClient(
  options: { readonly adapter: SqlDriverAdapterFactory; readonly transactionOptions: { readonly timeout: number } },
  onStatement: (sql: string) => void,
): Database {
  const client = new PrismaClient({ ...options, log: [{ emit: 'event', level: 'query' }] });
  client.$on('query', (event) => onStatement(event.query));
  return client;
}

/** Calls the hook around each statement of Prisma. */
function instrument(factory: SqlDriverAdapterFactory, hook: StatementHook): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = instrumentStatements(await factory.connect(), hook);
      const start = adapter.startTransaction.bind(adapter);
      // The adapter sends BEGIN itself, when it has a connection.
      adapter.startTransaction = async (level) => instrumentStatements(await hook('BEGIN', () => start(level)), hook);
      return adapter;
    },
  };
}

function instrumentStatements<Queryable extends SqlQueryable>(queryable: Queryable, hook: StatementHook): Queryable {
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  queryable.queryRaw = (query) => hook(query.sql, () => queryRaw(query));
  queryable.executeRaw = (query) => hook(query.sql, () => executeRaw(query));
  return queryable;
}

/** Connections that the reads of one request share, however many fields and aliases it has. */
const connectionsMax = 2;

/**
 * Limits the reads of one request, which queue for two connections of the pool, in the share of its account, or of another
 * that waits for the same. Once `isOver`, queued reads reject: after an error, a response does not wait for them.
 */
export function limitOfRequest(db: Database, sharers: Sharers, isOver: () => boolean): Limit {
  const limitOfAll = executorOf(db).sharedLimit?.(sharers) ?? noLimit;
  const limit = createLimit(connectionsMax);
  return (read) =>
    limit(() => {
      if (isOver()) throw new Error('The response has been sent.');
      return limitOfAll(read);
    });
}
