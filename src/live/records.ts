import type { LogEntry } from '../database/catalog-log.ts';
import type { Database } from '../database/client.ts';
import type { Branch, Program } from '../generated/prisma/client.ts';

/** The records that entries of the log are about, by identifier. Deleted ones are there too, as they were last. */
export interface Records {
  readonly programs: ReadonlyMap<number, Program>;
  readonly branches: ReadonlyMap<number, Branch>;
}

/** Reads the records that some entries are about, once for all who are told of them. */
export async function readRecords(db: Database, entries: readonly LogEntry[]): Promise<Records> {
  const changes = entries.flatMap((entry) => entry.changes ?? []);
  const branchIds = changes.filter(({ kind }) => kind === 'BRANCH').map(({ id }) => id);
  const programIds = entries.flatMap(
    (entry) => onlyProgramOf(entry) ?? entry.changes?.map(({ programId }) => programId) ?? [],
  );
  const [programs, branches] = await Promise.all([
    programIds.length === 0 ? [] : db.program.findMany({ where: { id: { in: [...new Set(programIds)] } } }),
    branchIds.length === 0 ? [] : db.branch.findMany({ where: { id: { in: [...new Set(branchIds)] } } }),
  ]);
  return { programs: byId(programs), branches: byId(branches) };
}

/** The program of an entry that is about one program alone. */
export function onlyProgramOf({ programs }: LogEntry): number | undefined {
  return programs?.length === 1 ? programs[0] : undefined;
}

function byId<Row extends { readonly id: number }>(rows: readonly Row[]): ReadonlyMap<number, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
