import type { Transaction } from './types.ts';

/** What time it is by the database's clock, the one that all instances share, in whole milliseconds. */
export async function databaseNow(db: Transaction): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`;
  if (row === undefined) throw new Error('The database does not know what time it is.');
  return row.now;
}
