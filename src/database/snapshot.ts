import { direct } from './around.ts';
import type { Transaction } from './client.ts';
import { type AnyTransaction, OwnTransaction, sourceOf } from './select.ts';

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY';

/**
 * Runs statements of our own that read, all of which see the database as it is at one moment. Inside a transaction they
 * are part of that, and see what it sees.
 */
export async function inSnapshot<Result>(
  db: Transaction,
  work: (tx: AnyTransaction) => Promise<Result>,
): Promise<Result> {
  const { connect, onStatement, around = direct, prepares } = sourceOf(db);
  if (connect === undefined) return work(db);
  const connection = await connect();
  const tell = async (sql: string): Promise<void> => {
    onStatement?.(sql);
    await around(sql, () => connection.query(sql));
  };
  try {
    await tell(begin);
    const result = await work(new OwnTransaction({ connection, onStatement, around, prepares }));
    await tell('COMMIT');
    connection.release();
    return result;
  } catch (problem) {
    connection.release(true);
    throw problem;
  }
}
