import { Client } from '../database/connection/client.ts';

interface TransactionOptions {
  /** Of a PostgreSQL; holds a password. */
  readonly url: string;
  /** What follows `BEGIN`. */
  readonly mode?: 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
  /** When it is aborted, the statement under way is cancelled. */
  readonly signal: AbortSignal;
}

/** Gives some work on many rows one transaction on a connection of its own. What it does not commit is undone. */
export async function inTransaction<Result>(
  { url, mode, signal }: TransactionOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(url);
  try {
    // A slow reader or writer at the other end of a pipe must not lose its transaction, nor a large file its one
    // long statement. Nested loops are for few rows: where a table is new and PostgreSQL has no statistics of it
    // yet, it takes them for many, and a second becomes minutes.
    await client.query(`
      BEGIN ${mode ?? ''};
      SET LOCAL idle_in_transaction_session_timeout = 0;
      SET LOCAL statement_timeout = 0;
      SET LOCAL enable_nestloop = off;
      SET LOCAL work_mem = '64MB'`);
    const cancel = await cancelling(client, url);
    signal.addEventListener('abort', cancel);
    try {
      signal.throwIfAborted();
      return await work(client);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks fails the statement under way, where it is told.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Prepares the cancelling of a transaction's statements, which takes a second connection. */
async function cancelling(client: Client, url: string): Promise<() => void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const cancel = async (): Promise<void> => {
    const other = await connect(url);
    await other.query('SELECT pg_cancel_backend($1)', [rows[0]?.pid]);
    await other.end();
  };
  // Where it fails, the statement comes to its own end.
  return () => void cancel().catch(() => undefined);
}
