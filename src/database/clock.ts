import type { Transaction } from './types.ts';

/** By the database's clock, which all instances share; in whole milliseconds. */
export async function databaseNow(db: Transaction): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`;
  if (row === undefined) throw new Error('The database returned no time.');
  return row.now;
}
