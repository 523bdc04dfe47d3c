import type { AnyTransaction } from '@service/postgres/sql';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { RecordKind } from '../../kinds.ts';
import { readMeasured } from './measured.ts';
import { bytesOf, fits } from './pieces.ts';
import { isLong, nameOf, type RecordJson, records } from './records.ts';

interface FoundJson {
  /** `null` when it is too large. */
  readonly text: string | null;
  /** The id of the program, or of the branch's program. */
  readonly programId: number;
}

/** Prepares a statement that reads a record by its id; it gives `undefined` when there is no such record. */
export function recordReader(type: RecordKind, json: RecordJson) {
  const { rows, programId } = records[type];
  // Made once, and measured, since the subquery stays one.
  const byId = (made: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT CASE WHEN ${fits(Prisma.raw('octet_length(text)'))} THEN text END AS text, "programId" FROM (
      SELECT ${made} AS text, ${programId} AS "programId" FROM (${rows} WHERE deleted_at IS NULL AND id = ${0}) AS record
      OFFSET 0
    ) AS found`;
  const readerOf = (made: Prisma.Sql, { isMeasured = false, isIndexed = true } = {}) => {
    const { text, values } = byId(made);
    const name = `${type} ${nameOf(text)}`;
    const isTooLarge = (found: FoundJson): boolean => found.text === null;
    const read = { text, name, isPrepared: false, isIndexed, isMeasured, recordsMax: 1, isTooLarge };
    const constant = values.slice(0, -1);
    return (db: AnyTransaction, id: number, bytesMax: number): Promise<FoundJson | undefined> =>
      readMeasured(db, read, [...constant, id], bytesMax);
  };
  if (!isLong(json)) return readerOf(json.sql);
  const measured = Prisma.sql`CASE WHEN ${fits(bytesOf(json))} THEN ${json.sql} END`;
  if (json.ofFew === undefined) return readerOf(measured, { isMeasured: true });
  // Most records have few items: to measure them would take a quarter as long as to make them.
  const few = readerOf(json.ofFew);
  const many = readerOf(measured, { isMeasured: true, isIndexed: false });
  return async (...read: Parameters<typeof few>) => {
    const found = await few(...read);
    return found?.text === null ? many(...read) : found;
  };
}
