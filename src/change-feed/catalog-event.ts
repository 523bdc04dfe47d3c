import type { LogEntry, LogPosition } from '../database/change-log/change-log.ts';
import type { Branch, Program } from '../generated/prisma/client.ts';
import { coalesceChanges } from './coalesce.ts';
import { encodeCursor } from './cursor.ts';
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

/** The events of one entry of the change log. */
export type FeedEntry = readonly CatalogEvent[];

/** A run of entries, as they follow each other. */
interface Stretch {
  readonly entries: readonly LogEntry[];
  readonly records: Records;
  /** They come after this position, and are visible in the snapshot `until`. */
  readonly after: LogPosition;
  readonly until: string;
  /** Where those are who have been told of all of them, when nothing else is visible there. */
  readonly end: LogPosition | undefined;
}

/** Makes the events of each entry. */
export function eventsOf({ entries, records, after, until, end }: Stretch): FeedEntry[] {
  const told = entries.map((entry) => ({ entry, changes: changesOf(entry, records) }));
  const last = told.findLast(({ changes }) => changes.length > 0)?.entry;
  return told.map(({ entry, changes }) =>
    changes.map((change, index) => {
      const isLast = entry === last && index === changes.length - 1;
      const within = { until, id: entry.id, events: index + 1 };
      return { id: encodeCursor(isLast && end ? end : { ...after, within }), at: entry.at, ...change };
    }),
  );
}

/** The event that says that anything may have changed, and that whoever has read anew is at this position. */
export function reload(position: LogPosition): CatalogEvent {
  return { id: encodeCursor(position), at: new Date(), ...everything };
}

type Change = Omit<CatalogEvent, 'id' | 'at'>;

const everything = {
  action: 'RELOAD',
  kind: null,
  programId: null,
  branchId: null,
  program: null,
  branch: null,
  programs: null,
} as const;

function changesOf(entry: LogEntry, records: Records): readonly Change[] {
  if (entry.records === null) {
    const only = onlyProgramOf(entry);
    const told = { ...everything, programs: entry.programs };
    return [only === undefined ? told : { ...told, ...about(only, records) }];
  }
  return coalesceChanges(entry.records).map(({ kind, action, id, programId }) => {
    const { program } = about(programId, records);
    return {
      action,
      kind,
      programId,
      program,
      branchId: kind === 'BRANCH' ? id : null,
      // A branch is never shown without its program.
      branch: kind === 'BRANCH' && program !== null ? (records.branches.get(id) ?? null) : null,
      programs: [programId],
    };
  });
}

function about(programId: number, { programs }: Records): Pick<CatalogEvent, 'programId' | 'program'> {
  return { programId, program: programs.get(programId) ?? null };
}
