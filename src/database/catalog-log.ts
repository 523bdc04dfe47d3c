import { z } from 'zod';
import type { Database } from './client.ts';

const loggedChange = z.object({
  kind: z.enum(['PROGRAM', 'BRANCH']),
  /** `CREATED` is also said of what was brought back, `DELETED` of what can be. */
  action: z.enum(['CREATED', 'UPDATED', 'DELETED']),
  id: z.int(),
  programId: z.int(),
});

const programIds = z.array(z.int());

/** What happened to one record of the catalog. */
export type LoggedChange = z.output<typeof loggedChange>;

/** What one transaction changed in the catalog. */
export interface LogEntry {
  /** The place in the order of commits. */
  readonly position: number;
  readonly at: Date;
  /** In the order in which it was done; `null` when that is too much to be listed. */
  readonly changes: readonly LoggedChange[] | null;
  /** The programs that were touched, in their branches or themselves; `null` when too many. */
  readonly programs: readonly number[] | null;
}

/** Which part of the log there is. */
export interface LogExtent {
  /** The place of the oldest entry that is kept. */
  readonly first: number;
  /** The place after the newest. */
  readonly next: number;
}

/** Finds out where the log begins and ends now. */
export async function extentOfLog(db: Database): Promise<LogExtent> {
  const [row] = await db.$queryRaw<{ first: bigint | null; last: bigint | null }[]>`SELECT
    (SELECT id FROM catalog_log WHERE id > 0 ORDER BY id LIMIT 1) AS first,
    (SELECT id FROM catalog_log WHERE id > 0 ORDER BY id DESC LIMIT 1) AS last`;
  return { first: Number(row?.first ?? 1), next: Number(row?.last ?? 0) + 1 };
}

/** Reads the entries behind a place, the oldest first. */
export async function entriesBehind(db: Database, position: number, most: number): Promise<LogEntry[]> {
  const rows = await db.catalogLogEntry.findMany({
    where: { id: { gt: position } },
    orderBy: { id: 'asc' },
    take: most,
  });
  return rows.map(({ id, at, records, programs }) => ({
    position: Number(id),
    at,
    changes: z.array(loggedChange).nullable().parse(records),
    programs: programIds.nullable().parse(programs),
  }));
}

/**
 * Removes entries that are older than a day, the oldest first, but for the newest of all: its place is the one at which
 * those who have seen everything go on.
 *
 * @param most how many it looks at.
 * @returns how many were removed.
 */
export function removeOldEntries(db: Database, most: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM catalog_log USING (
      SELECT id FROM catalog_log WHERE id > 0 ORDER BY id LIMIT ${most} FOR UPDATE SKIP LOCKED
    ) AS oldest
    WHERE catalog_log.id = oldest.id AND at <= now() - interval '24 hours'
    AND catalog_log.id < (SELECT max(id) FROM catalog_log)`;
}
