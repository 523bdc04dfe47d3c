import { type AnyTransaction, executorOf, noHook, noLimit, type PrismaConnection, RawTransaction } from './sql.ts';

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY';

/** In one REPEATABLE READ snapshot; inside a transaction, as part of that. */
export async function inSnapshot<Result>(
  db: PrismaConnection,
  work: (tx: AnyTransaction) => Promise<Result>,
): Promise<Result> {
  const { connect, limit = noLimit, onStatement, hook = noHook, prepares } = executorOf(db);
  if (connect === undefined) return work(db);
  return limit(async () => {
    const connection = await connect();
    const send = async (sql: string): Promise<void> => {
      onStatement?.(sql);
      await hook(sql, () => connection.query(sql));
    };
    try {
      await send(begin);
      const result = await work(new RawTransaction({ connection, onStatement, hook, prepares }));
      await send('COMMIT');
      connection.release();
      return result;
    } catch (problem) {
      connection.release(true);
      throw problem;
    }
  });
}
