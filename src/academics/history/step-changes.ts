import type { AnyTransaction } from '@service/postgres/sql';
import { Prisma } from '../../generated/prisma/client.ts';
import { kinds, type RecordKind } from '../kinds.ts';
import { type ChangeSummary, ofCatalog, sumUp } from './change-summaries.ts';
import { entriesOfProgram } from './entries-of-program.ts';

/** A change in the order of the log: by time, and by its identifier among those of the same time. */
export interface Place {
  readonly at: Date;
  readonly changeId: string;
}

/** Whether a change comes after another in the log, which begins with the newest. */
export const isAfter = (one: Place, other: Place): boolean =>
  one.at.getTime() === other.at.getTime() ? one.changeId < other.changeId : one.at < other.at;

export interface Conditions {
  /** What was done: `import` and `undo`, or the action of each record of other changes. */
  readonly actions?: readonly string[] | undefined;
  readonly kind?: RecordKind | undefined;
  /** Changes of this program or of a branch while it belonged to it. */
  readonly programId?: number | undefined;
  readonly actor?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** What a change does as a whole. */
export const changeActions = ['create', 'update', 'delete', 'restore', 'import', 'undo'] as const;

const wholes = ['import', 'undo'];
const batchMax = 250;

/** Every change that matches, newest first. */
export async function* eachChange(db: AnyTransaction, conditions: Conditions): AsyncGenerator<ChangeSummary> {
  for (let place: Place | undefined; ; ) {
    const found = await changesAfter(db, place, conditions, batchMax);
    yield* found.filter((change) => matches(change, conditions));
    place = found.at(-1);
    if (found.length < batchMax) return;
  }
}

/** The next changes after a place that may match, in order: at most so many, and fewer when these are the last. */
export async function changesAfter(
  db: AnyTransaction,
  place: Place | undefined,
  conditions: Conditions,
  limit: number,
): Promise<readonly ChangeSummary[]> {
  const found = await sumUp(db, { ctes: changesIn(place, conditions, limit), limit });
  return found.toSorted((one, other) => (isAfter(one, other) ? 1 : -1));
}

/** Whether a change matches as a whole, which no entry decides: the records of an import are created or updated. */
export const matches = ({ action, ...counts }: ChangeSummary, { actions, kind }: Conditions): boolean =>
  (actions === undefined || actions.includes(action)) && (kind === undefined || counts[kinds[kind].table] > 0);

/** Steps from change to change in the index: an import of any size is one step. */
function changesIn(place: Place | undefined, conditions: Conditions, limit: number): Prisma.Sql {
  if (conditions.programId !== undefined) return changesOfProgram(conditions.programId, place, conditions, limit);
  const step = (from: Prisma.Sql) => Prisma.sql`SELECT at, change_id FROM audit_entries
    WHERE ${from} AND ${entryMatches(conditions)} ORDER BY at DESC, change_id DESC LIMIT 1`;
  return Prisma.sql`change AS (
      (SELECT at, change_id, 1 AS steps FROM (${step(after(place))}) AS newest)
      UNION ALL
      SELECT earlier.at, earlier.change_id, steps + 1 FROM change, LATERAL (
        ${step(Prisma.sql`(at, change_id) < (change.at, change.change_id)`)}
      ) AS earlier
      WHERE steps < ${limit}
    )`;
}

const changesOfProgram = (id: number, place: Place | undefined, conditions: Conditions, limit: number) => {
  const entries = entriesOfProgram(id).map(
    (condition) => Prisma.sql`SELECT at, change_id, subject, action, actor FROM audit_entries WHERE ${condition}`,
  );
  return Prisma.sql`change AS (
      SELECT DISTINCT at, change_id FROM (${Prisma.join(entries, ' UNION ALL ')}) AS entry
      WHERE ${after(place)} AND ${entryMatches({ ...conditions, actions: undefined })}
      ORDER BY at DESC, change_id DESC LIMIT ${limit}
    )`;
};

const after = (place: Place | undefined) =>
  place === undefined
    ? Prisma.sql`true`
    : Prisma.sql`(at, change_id) < (${place.at}::timestamptz, ${place.changeId}::uuid)`;

/** What the index of the log decides of an entry. */
function entryMatches({ actions, kind, actor, since, until }: Conditions): Prisma.Sql {
  const subject = kind === undefined ? ofCatalog : Prisma.sql`subject = ${kind}`;
  return Prisma.join(
    [
      actions === undefined
        ? subject
        : Prisma.sql`action = ANY (${actions}) AND (${subject} OR subject = 'Catalog' AND action = ANY (${wholes}))`,
      ...(actor === undefined ? [] : [Prisma.sql`actor = ${actor}`]),
      ...(since === undefined ? [] : [Prisma.sql`at >= ${since}::timestamptz`]),
      ...(until === undefined ? [] : [Prisma.sql`at < ${until}::timestamptz`]),
    ],
    ' AND ',
  );
}
