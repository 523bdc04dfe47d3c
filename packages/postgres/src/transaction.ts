import { Client } from './client.ts';
import { connectionOptions } from './options.ts';

export interface TransactionOptions {
  readonly url: string;
  readonly mode?: 'ISOLATION LEVEL REPEATABLE READ' | 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
  readonly connectTimeoutMs?: number;
  readonly signal: AbortSignal;
}

/** `transaction_timeout` is of PostgreSQL 17 and newer. */
export const withoutTimeouts = `SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout'`;

export interface TransactionEnd<Result> {
  /** Whether the changes are kept; by default they are, unless a `mode` says that a snapshot is read. */
  readonly commits?: (result: Result) => boolean;
  readonly afterCommit?: (client: Client) => Promise<void>;
}

/** Runs `work` in a transaction of a connection of its own. Everything is rolled back if it fails or the signal aborts. */
export async function inTransaction<Result>(
  options: TransactionOptions & TransactionEnd<Result>,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { url, mode, connectTimeoutMs = 10_000, signal, commits = () => mode === undefined, afterCommit } = options;
  const client = await connect(url, connectTimeoutMs);
  try {
    // No timeouts: the other end of a pipe may be slow, and a statement on a large file long. No nested loops: without
    // statistics of a new table PostgreSQL chooses them for many rows, and a second becomes minutes.
    await client.query(`
      BEGIN ${mode ?? ''};
      ${withoutTimeouts};
      SET LOCAL enable_nestloop = off;
      SET LOCAL work_mem = '16MB'`);
    const cancel = await prepareCancel(client, () => connect(url, connectTimeoutMs));
    signal.addEventListener('abort', cancel);
    try {
      signal.throwIfAborted();
      const result = await work(client);
      const isKept = commits(result);
      if (isKept) signal.throwIfAborted();
      await client.query(isKept ? 'COMMIT' : 'ROLLBACK');
      if (isKept) await afterCommit?.(client);
      return result;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  } finally {
    await client.end();
  }
}

async function connect(url: string, connectionTimeoutMillis: number): Promise<Client> {
  const client = new Client(connectionOptions(url, { purpose: 'transfer', connectionTimeoutMillis }));
  await client.connect();
  return client;
}

async function prepareCancel(client: Client, openAnother: () => Promise<Client>): Promise<() => void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const cancel = async (): Promise<void> => {
    const other = await openAnother();
    await other.query('SELECT pg_cancel_backend($1)', [rows[0]?.pid]);
    await other.end();
  };
  // A failed cancellation lets the statement run to its end.
  return () => void cancel().catch(() => undefined);
}
