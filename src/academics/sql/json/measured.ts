import { type AnyTransaction, executorOf, queryRows, quickBytesMax } from '@service/postgres/sql';
import { valuesWithin } from './pieces.ts';

/** A longer statement takes long to plan and to execute. */
const quickLengthMax = 6_000;
/** Records whose lists are measured in a millisecond. */
const quickRecordsMax = 25;

interface Read<Row> {
  readonly sql: { readonly text: string; readonly values: readonly unknown[] };
  /** Names the text, for a prepared statement. */
  readonly name?: string | undefined;
  /** Whether it is prepared on a connection of the pool, too. */
  readonly isPrepared: boolean;
  /** Whether it finds its records by index. */
  readonly isIndexed: boolean;
  /** Whether its JSON may be long, and is measured before it is made. */
  readonly isMeasured: boolean;
  readonly recordsMax: number;
  readonly bytesMax: number;
  readonly isTooLarge: (row: Row) => boolean;
}

/**
 * Reads a row with JSON: on a shared connection when it is quick by its text and what it would make, which the statement
 * measures first, else on one of the pool, with its limits.
 */
export async function readMeasured<Row extends object>(
  db: AnyTransaction,
  { sql: { text, values }, name, isPrepared, isIndexed, isMeasured, recordsMax, bytesMax, isTooLarge }: Read<Row>,
): Promise<Row | undefined> {
  const named = name !== undefined && { name };
  const isShort = isIndexed && text.length <= quickLengthMax && (!isMeasured || recordsMax <= quickRecordsMax);
  if (isShort && executorOf(db).pipelinedPool !== undefined) {
    const quickMax = isMeasured ? Math.min(bytesMax, quickBytesMax) : bytesMax;
    const statement = { ...named, pipelined: true, text, values: valuesWithin(quickMax, values) };
    const [row] = await queryRows<Row>(db, statement);
    if (quickMax === bytesMax || row === undefined || !isTooLarge(row)) return row;
  }
  const onPool = { text, values: valuesWithin(bytesMax, values), ...(isPrepared && named) };
  return (await queryRows<Row>(db, onPool))[0];
}
