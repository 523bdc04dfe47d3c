import { queryJson } from '@service/postgres/sql';
import { z } from 'zod';
import type { Database } from '../../database/types.ts';
import type { Branch, Program } from '../../generated/prisma/client.ts';
import { type CatalogLogEntry, type LoggedChange, loggedChanges } from './catalog-log.ts';

/** The records that log entries refer to, by identifier; deleted ones included, in their last version. */
export interface Records {
  readonly programs: ReadonlyMap<number, Program>;
  readonly branches: ReadonlyMap<number, Branch>;
}

/** The records of log entries, in one statement for each kind. */
export async function readRecords(db: Database, entries: readonly CatalogLogEntry[]): Promise<Records> {
  const changes = entries.flatMap(({ records }) => records ?? []);
  const branchIds = changes.filter(({ kind }) => kind === 'BRANCH').map(({ id }) => id);
  const programIds = entries.flatMap(
    (entry) => onlyProgramOf(entry) ?? entry.records?.map(({ programId }) => programId) ?? [],
  );
  const [foundPrograms, foundBranches] = await Promise.all([
    programIds.length === 0 ? [] : db.program.findMany({ where: { id: { in: [...new Set(programIds)] } } }),
    branchIds.length === 0 ? [] : db.branch.findMany({ where: { id: { in: [...new Set(branchIds)] } } }),
  ]);
  const programs = byId(foundPrograms);
  const branches = byId(foundBranches);
  const isMissing = programIds.some((id) => !programs.has(id)) || branchIds.some((id) => !branches.has(id));
  // Hard-deleted rows are in the log only: in one of these entries, or in one soon after.
  const removals = isMissing ? [...changes, ...(await removedAfter(db, entries.at(-1)?.id ?? 0))] : [];
  for (const { kind, removed } of removals) {
    if (removed === undefined) continue;
    if (kind === 'PROGRAM' && !programs.has(removed.id)) programs.set(removed.id, removed);
    if (kind === 'BRANCH' && !branches.has(removed.id)) branches.set(removed.id, removed);
  }
  return { programs, branches };
}

/** Skips entries of another version. */
const removals = z.array(z.object({ records: loggedChanges.catch([]) }));

const removalsMax = 1_000;

async function removedAfter(db: Database, id: number): Promise<LoggedChange[]> {
  const text = `SELECT records FROM (
      SELECT records FROM change_log WHERE id > $1 ORDER BY id LIMIT ${removalsMax}
    ) AS next WHERE jsonb_path_exists(records, '$[*].removed')`;
  const found = removals.parse(await queryJson(db, { text, values: [id] }));
  return found.flatMap(({ records }) => records.filter(({ removed }) => removed !== undefined));
}

/** The program of an entry that concerns one alone. */
export function onlyProgramOf({ programs }: CatalogLogEntry): number | undefined {
  return programs?.length === 1 ? programs[0] : undefined;
}

function byId<Row extends { readonly id: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
