import { setImmediate } from 'node:timers/promises';
import { type AnyTransaction, executorOf, queryRows, quickBytesMax } from '@service/postgres/sql';
import { valuesWithin } from './pieces.ts';

/** A longer statement takes long to plan and to execute. */
const quickLengthMax = 6_000;
/** Records whose lists are measured in a millisecond. */
const quickRecordsMax = 25;

/** A text of more characters takes milliseconds to decode, and as many to write. */
const longLength = 500_000;

const isLong = (row: object): boolean =>
  Object.values(row).some((value) => typeof value === 'string' && value.length > longLength);

/** How a row with JSON is read. */
export interface MeasuredRead<Row> {
  readonly text: string;
  /** Names the text, for a prepared statement. */
  readonly name: string | undefined;
  /** Whether it is prepared on a connection of the pool, too. */
  readonly isPrepared: boolean;
  /** Whether it finds its records by index. */
  readonly isIndexed: boolean;
  /** Whether its JSON may be long, and is measured before it is made. */
  readonly isMeasured: boolean;
  readonly recordsMax: number;
  readonly isTooLarge: (row: Row) => boolean;
}

/**
 * Reads a row with JSON of at most so many bytes: on a shared connection when it is quick by its text and what it would
 * make, which the statement measures first, else on one of the pool, with its limits.
 */
export async function readMeasured<Row extends object>(
  db: AnyTransaction,
  read: MeasuredRead<Row>,
  values: readonly unknown[],
  bytesMax: number,
): Promise<Row | undefined> {
  const { text, name, isMeasured } = read;
  const isShort =
    read.isIndexed && text.length <= quickLengthMax && (!isMeasured || read.recordsMax <= quickRecordsMax);
  if (isShort && executorOf(db).pipelinedPool !== undefined) {
    const quickMax = isMeasured ? Math.min(bytesMax, quickBytesMax) : bytesMax;
    const statement = { name, pipelined: true, text, values: valuesWithin(quickMax, values) };
    const [row] = await queryRows<Row>(db, statement);
    if (quickMax === bytesMax || row === undefined || !read.isTooLarge(row)) return row;
  }
  const onPool = { name: read.isPrepared ? name : undefined, text, values: valuesWithin(bytesMax, values) };
  const [row] = await queryRows<Row>(db, onPool);
  // The driver has decoded it in this turn of the event loop: what is made of it takes as long, and has the next one.
  if (row !== undefined && isLong(row)) await setImmediate();
  return row;
}
