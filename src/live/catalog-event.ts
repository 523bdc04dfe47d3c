import type { LogEntry } from '../database/catalog-log.ts';
import type { Branch, Program } from '../generated/prisma/client.ts';
import { condense } from './condense.ts';
import { idOf } from './place.ts';
import { onlyProgramOf, type Records } from './records.ts';

/** A change of the catalog, as it is told to those who follow. */
export interface CatalogEvent {
  /** The place of those to whom it has been told. */
  readonly id: string;
  readonly at: Date;
  /** `RELOAD` stands for changes that are not told one by one. */
  readonly action: 'CREATED' | 'UPDATED' | 'DELETED' | 'RELOAD';
  readonly kind: 'PROGRAM' | 'BRANCH' | null;
  readonly programId: number | null;
  readonly branchId: number | null;
  /** The program itself, or the program of the branch, as it was when the event was read, deleted or not. */
  readonly program: Program | null;
  readonly branch: Branch | null;
  /** The programs that it is about; `null` for all there are. */
  readonly programs: readonly number[] | null;
}

/** Makes the events of an entry. */
export function eventsOf(entry: LogEntry, records: Records): readonly CatalogEvent[] {
  const { position, at, changes, programs } = entry;
  if (changes === null) {
    const only = onlyProgramOf(entry);
    const told = { ...reload(idOf({ position, events: 1 }), at), programs };
    return [only === undefined ? told : { ...told, ...about(only, records) }];
  }
  return condense(changes).map(({ kind, action, id, programId }, index) => ({
    id: idOf({ position, events: index + 1 }),
    at,
    action,
    kind,
    ...about(programId, records),
    branchId: kind === 'BRANCH' ? id : null,
    branch: kind === 'BRANCH' ? (records.branches.get(id) ?? null) : null,
    programs: [programId],
  }));
}

/** The event that says that anything may have changed. */
export function reload(id: string, at: Date): CatalogEvent {
  return {
    id,
    at,
    action: 'RELOAD',
    kind: null,
    programId: null,
    branchId: null,
    program: null,
    branch: null,
    programs: null,
  };
}

function about(programId: number, { programs }: Records): Pick<CatalogEvent, 'programId' | 'program'> {
  return { programId, program: programs.get(programId) ?? null };
}
