import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Pool } from 'pg';
import { PrismaClient } from '../../generated/prisma/client.ts';
import { instrument, type StatementHook } from './instrumentation.ts';
import { isPooled } from './options.ts';
import type { PipelinedPool } from './pipelined-pool.ts';
import { openPool } from './pool.ts';
import { registerExecutor } from './sql.ts';
import type { Database } from './types.ts';

interface DatabaseOptions {
  readonly url: string;
  readonly pool?: Pool;
  /** For quick raw SQL; closed by its opener. */
  readonly pipelinedPool?: PipelinedPool;
  readonly onStatement?: (sql: string) => void;
  readonly hook?: StatementHook;
  /** A longer transaction of Prisma's is rolled back; by default 5,000. */
  readonly transactionTimeoutMs?: number;
}

/** Connects with the first statement; close it with `$disconnect()`. */
export function openDatabase({
  url,
  pool = openPool(url),
  pipelinedPool,
  onStatement,
  hook,
  transactionTimeoutMs = 5_000,
}: DatabaseOptions): Database {
  const plain = new PrismaPg(pool, { disposeExternalPool: true });
  const adapter = hook === undefined ? plain : instrument(plain, hook);
  const options = { adapter, transactionOptions: { timeout: transactionTimeoutMs } };
  const client = onStatement === undefined ? new PrismaClient(options) : observedClient(options, onStatement);
  const connect = () => pool.connect();
  registerExecutor(client, {
    connection: pool,
    pipelinedPool,
    connect,
    onStatement,
    hook,
    prepares: !isPooled(url),
  });
  return client;
}

function observedClient(
  options: { readonly adapter: SqlDriverAdapterFactory; readonly transactionOptions: { readonly timeout: number } },
  onStatement: (sql: string) => void,
): Database {
  const client = new PrismaClient({ ...options, log: [{ emit: 'event', level: 'query' }] });
  client.$on('query', (event) => onStatement(event.query));
  return client;
}
