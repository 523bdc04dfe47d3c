import { noHook } from './instrumentation.ts';
import { type AnyTransaction, executorOf, RawTransaction } from './sql.ts';
import type { Transaction } from './types.ts';

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY';

/**
 * Runs statements of our own that read, all of which see the database as it is at one moment. Inside a transaction they
 * are part of that, and see what it sees.
 */
export async function inSnapshot<Result>(
  db: Transaction,
  work: (tx: AnyTransaction) => Promise<Result>,
): Promise<Result> {
  const { connect, onStatement, hook = noHook, prepares } = executorOf(db);
  if (connect === undefined) return work(db);
  const connection = await connect();
  const tell = async (sql: string): Promise<void> => {
    onStatement?.(sql);
    await hook(sql, () => connection.query(sql));
  };
  try {
    await tell(begin);
    const result = await work(new RawTransaction({ connection, onStatement, hook, prepares }));
    await tell('COMMIT');
    connection.release();
    return result;
  } catch (problem) {
    connection.release(true);
    throw problem;
  }
}
