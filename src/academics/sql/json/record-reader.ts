import type { AnyTransaction } from '@service/postgres/sql';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { RecordKind } from '../../kinds.ts';
import { readMeasured } from './measured.ts';
import { bytesOf, fits } from './pieces.ts';
import { isLong, lengthOf, nameOf, type RecordJson, records } from './records.ts';

interface FoundJson {
  /** `null` when it is too large. */
  readonly text: string | null;
  /** The id of the program, or of the branch's program. */
  readonly programId: number;
}

interface RecordReader {
  /** Characters of its statements. */
  readonly length: number;
  /** @returns `undefined` when there is no such record. */
  readonly read: (db: AnyTransaction, id: number, bytesMax: number) => Promise<FoundJson | undefined>;
}

/** Prepares what reads a record by its id as JSON of at most so many bytes. */
export function recordReader(type: RecordKind, json: RecordJson): RecordReader {
  const { rows, programId } = records[type];
  const readerOf = (made: Prisma.Sql, { isMeasured = false, isIndexed = true } = {}): RecordReader => {
    // Made once, and measured, since the subquery stays one.
    const statement = Prisma.sql`
    SELECT CASE WHEN ${fits(Prisma.raw('octet_length(text)'))} THEN text END AS text, "programId" FROM (
      SELECT ${made} AS text, ${programId} AS "programId" FROM (${rows} WHERE deleted_at IS NULL AND id = ${0}) AS record
      OFFSET 0
    ) AS found`;
    const { text, values } = statement;
    const name = `${type} ${nameOf(text)}`;
    const isTooLarge = (found: FoundJson): boolean => found.text === null;
    const byId = { text, name, isPrepared: false, isIndexed, isMeasured, recordsMax: 1, isTooLarge };
    const constant = values.slice(0, -1);
    return {
      length: lengthOf(statement),
      read: (db, id, bytesMax) => readMeasured(db, byId, [...constant, id], bytesMax),
    };
  };
  if (!isLong(json)) return readerOf(json.sql);
  const measured = Prisma.sql`CASE WHEN ${fits(bytesOf(json))} THEN ${json.sql} END`;
  if (json.ofFew === undefined) return readerOf(measured, { isMeasured: true });
  // Most records have few items: to measure them would take a quarter as long as to make them.
  const few = readerOf(json.ofFew);
  const many = readerOf(measured, { isMeasured: true, isIndexed: false });
  return {
    length: few.length + many.length,
    read: async (...given) => {
      const found = await few.read(...given);
      return found?.text === null ? many.read(...given) : found;
    },
  };
}
