import { type AnyTransaction, queryRows } from '@service/postgres/sql';
import { Prisma } from '../../generated/prisma/client.ts';

/** A change, of one record or as a whole. */
export interface ChangeEntry {
  readonly changeId: string;
  readonly subject: string;
  readonly subjectId: number | null;
}

/** By which change each was undone: that of a record has an entry of it, as an undo may leave records as they are. */
export async function undoneBy(db: AnyTransaction, records: readonly ChangeEntry[]): Promise<(string | null)[]> {
  const rows = await queryRows<{ readonly by: string | null }>(
    db,
    Prisma.sql`SELECT (
      SELECT undoing.change_id FROM audit_entries AS undoing
      WHERE undoing.action = 'undo' AND undoing.after ->> 'changeId' = given."changeId"::text
        AND (given."subjectId" IS NULL OR EXISTS (
          SELECT FROM audit_entries AS entry WHERE entry.subject = given.subject AND entry.subject_id = given."subjectId"
            AND entry.change_id = undoing.change_id
        ))
      ORDER BY undoing.id DESC LIMIT 1
    ) AS by
    FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      AS ("changeId" uuid, subject text, "subjectId" int)) WITH ORDINALITY AS given ("changeId", subject, "subjectId", place)
    ORDER BY place`,
  );
  return rows.map(({ by }) => by);
}

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
