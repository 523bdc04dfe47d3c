import { type AnyTransaction, queryJson, queryRows } from '@service/postgres/sql';
import { type Branch, Prisma } from '../../generated/prisma/client.ts';
import type { Window } from '../../validation/cursors.ts';
import { branchSelection, withDates } from './records.ts';

const columns = Prisma.raw(branchSelection);

export interface BranchWindow {
  readonly programId: number;
  readonly window: Window<number>;
}

/** Default bounds: every id lies between them. */
const noneBefore = 0;
const noneAfter = 2_147_483_647;

/** Reads windows of branches in one statement, each in its direction, with one more branch if there are more. */
export async function branchesIn(db: AnyTransaction, windows: readonly BranchWindow[]): Promise<Branch[][]> {
  const requested = windows.map(
    ({ programId, window: { limit, after = noneBefore, before = noneAfter, backwards } }, place) => ({
      place,
      programId,
      limit: limit + 1,
      after,
      before,
      direction: backwards ? -1 : 1,
    }),
  );
  const rows = await queryJson<Branch & { readonly place: number }>(
    db,
    Prisma.sql`
    SELECT requested.place, found.*
    FROM jsonb_to_recordset(${JSON.stringify(requested)}::jsonb) AS requested (
      place int, "programId" int, "limit" int, after int, before int, direction int
    )
    CROSS JOIN LATERAL (
      SELECT ${columns} FROM branches
      WHERE program_id = requested."programId" AND deleted_at IS NULL AND id > requested.after AND id < requested.before
      ORDER BY id * requested.direction LIMIT requested."limit"
    ) AS found
    ORDER BY requested.place, found.id * requested.direction`,
  );
  const found: Branch[][] = windows.map(() => []);
  for (const { place, ...branch } of rows) found[place]?.push(withDates(branch));
  return found;
}

/** How many existing branches each program has, in the order of the ids. */
export async function countBranches(db: AnyTransaction, programIds: readonly number[]): Promise<number[]> {
  const text = `SELECT program_id AS id, count(*)::int AS count FROM branches
    WHERE program_id = ANY ($1::int[]) AND deleted_at IS NULL GROUP BY program_id`;
  const groups = await queryRows<{ readonly id: number; readonly count: number }>(db, { text, values: [programIds] });
  const counts = new Map(groups.map(({ id, count }) => [id, count]));
  return programIds.map((id) => counts.get(id) ?? 0);
}
