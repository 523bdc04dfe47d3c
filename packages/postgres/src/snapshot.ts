import { isCanceled } from './errors.ts';
import { noLimit } from './limits.ts';
import {
  type AnyTransaction,
  executorOf,
  type JsonRow,
  noHook,
  queryJson,
  RawConnection,
  type Statement,
} from './sql.ts';

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY';

/** Runs work in one REPEATABLE READ snapshot; inside a transaction, as part of that. */
export async function inSnapshot<Result>(
  db: AnyTransaction,
  work: (tx: AnyTransaction) => Promise<Result>,
): Promise<Result> {
  const { connect, limit = noLimit, onStatement, hook = noHook, prepares, rows } = executorOf(db);
  if (connect === undefined) return work(db);
  return limit(async () => {
    const connection = await connect();
    const send = async (sql: string): Promise<void> => {
      onStatement?.(sql);
      await hook(sql, () => connection.query(sql));
    };
    try {
      await send(begin);
      const result = await work(new RawConnection({ connection, onStatement, hook, prepares, rows }));
      await send('COMMIT');
      connection.release();
      return result;
    } catch (problem) {
      connection.release(true);
      throw problem;
    }
  });
}

/**
 * Like `queryJson`, for a statement that only reads and may be given up; its transaction goes on.
 * @returns undefined when the statement takes longer.
 */
export function queryJsonWithin<Row>(
  db: AnyTransaction,
  { timeoutMs, settings = [] }: { readonly timeoutMs: number; readonly settings?: readonly string[] },
  statement: Statement,
): Promise<JsonRow<Row>[] | undefined> {
  return inSnapshot(db, async (tx) => {
    const { connection } = executorOf(tx);
    const chosen = [`statement_timeout = ${timeoutMs}`, ...settings].map((setting) => `; SET LOCAL ${setting}`);
    await connection.query({ text: `SAVEPOINT timed${chosen.join('')}` });
    const rows = await queryJson<Row>(tx, statement).catch((problem: unknown) => {
      if (!isCanceled(problem)) throw problem;
    });
    // Puts back the settings as well.
    await connection.query({ text: 'ROLLBACK TO SAVEPOINT timed' });
    return rows ?? undefined;
  });
}
