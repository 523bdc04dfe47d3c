import { type AnyTransaction, queryRows } from '@service/postgres/sql';
import { Prisma } from '../../generated/prisma/client.ts';

/** A change, of one record or as a whole. */
export interface ChangeEntry {
  readonly changeId: string;
  readonly subject: string;
  readonly subjectId: number | null;
}

/**
 * Selects the change by which another is undone: none if that was undone in its turn. What was done last of all to the
 * change, to its undo, to the undo of that, and so on, decides.
 *
 * @param isConcerned Which changes count, as `undoing`.
 */
export const undoingOf = (changeId: Prisma.Sql, isConcerned = Prisma.sql`TRUE`): Prisma.Sql =>
  Prisma.sql`(
    WITH RECURSIVE step (change_id, id, undoes) AS (
      SELECT ${changeId}, 0, FALSE
      UNION ALL
      SELECT undoing.change_id, undoing.id, NOT step.undoes FROM step JOIN audit_entries AS undoing
        ON undoing.action = 'undo' AND undoing.after ->> 'changeId' = step.change_id::text AND ${isConcerned}
    )
    SELECT CASE WHEN undoes THEN change_id END FROM step ORDER BY id DESC LIMIT 1
  )`;

/** By which change each is undone: that of a record has an entry of it, as an undo may leave records as they are. */
export async function undoneBy(db: AnyTransaction, records: readonly ChangeEntry[]): Promise<(string | null)[]> {
  const rows = await queryRows<{ readonly by: string | null }>(
    db,
    Prisma.sql`SELECT ${undoingOf(Prisma.sql`given."changeId"`, hasRecord)} AS by
    FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      AS ("changeId" uuid, subject text, "subjectId" int)) WITH ORDINALITY AS given ("changeId", subject, "subjectId", place)
    ORDER BY place`,
  );
  return rows.map(({ by }) => by);
}

const hasRecord = Prisma.sql`(given."subjectId" IS NULL OR EXISTS (
    SELECT FROM audit_entries AS entry WHERE entry.subject = given.subject AND entry.subject_id = given."subjectId"
      AND entry.change_id = undoing.change_id
  ))`;

/** The change that each change has undone. */
export async function undoneOf(db: AnyTransaction, changeIds: readonly string[]): Promise<(string | null)[]> {
  const rows = await queryRows<{ readonly id: string; readonly undone: string }>(
    db,
    Prisma.sql`SELECT change_id AS id, after ->> 'changeId' AS undone FROM audit_entries
    WHERE change_id IN (${Prisma.join(changeIds.map((id) => Prisma.sql`${id}::uuid`))}) AND action = 'undo'`,
  );
  const byId = new Map(rows.map(({ id, undone }) => [id, undone]));
  return changeIds.map((id) => byId.get(id) ?? null);
}
