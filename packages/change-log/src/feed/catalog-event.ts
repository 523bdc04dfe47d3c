import type { Branch, Program } from '../../../../src/generated/prisma/client.ts';
import type { LogEntry, LogPosition } from '../change-log.ts';
import { coalesceChanges } from './coalesce.ts';
import { encodeCursor } from './cursor.ts';
import { onlyProgramOf, type Records } from './records.ts';

export interface CatalogEvent {
  readonly id: string;
  readonly at: Date;
  /** `RELOAD`: changes that are not listed one by one. */
  readonly action: 'CREATED' | 'UPDATED' | 'DELETED' | 'RELOAD';
  readonly kind: 'PROGRAM' | 'BRANCH' | null;
  readonly programId: number | null;
  readonly branchId: number | null;
  /** The program, or the program of the branch, as of the time the event was read, deleted or not. */
  readonly program: Program | null;
  readonly branch: Branch | null;
  /** The programs that the event concerns; `null` for all. */
  readonly programs: readonly number[] | null;
}

export type FeedEntry = readonly CatalogEvent[];

interface EntryRange {
  readonly entries: readonly LogEntry[];
  readonly records: Records;
  /** The position before them; they are visible in the snapshot `until`. */
  readonly after: LogPosition;
  readonly until: string;
  /** The position after them, if they are all that is visible in `until`. */
  readonly end: LogPosition | undefined;
}

export function eventsOf({ entries, records, after, until, end }: EntryRange): FeedEntry[] {
  const changesByEntry = entries.map((entry) => ({ entry, changes: changesOf(entry, records) }));
  const last = changesByEntry.findLast(({ changes }) => changes.length > 0)?.entry;
  return changesByEntry.map(({ entry, changes }) =>
    changes.map((change, index) => {
      const isLast = entry === last && index === changes.length - 1;
      const within = { until, id: entry.id, events: index + 1 };
      return { id: encodeCursor(isLast && end ? end : { ...after, within }), at: entry.at, ...change };
    }),
  );
}

/** The event that says that anything may have changed; after reading everything again, a client is at this position. */
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
    const event = { ...everything, programs: entry.programs };
    return [only === undefined ? event : { ...event, ...about(only, records) }];
  }
  return coalesceChanges(entry.records).map(({ kind, action, id, programId }) => {
    const { program } = about(programId, records);
    return {
      action,
      kind,
      programId,
      program,
      branchId: kind === 'BRANCH' ? id : null,
      // The API never returns a branch without its program.
      branch: kind === 'BRANCH' && program !== null ? (records.branches.get(id) ?? null) : null,
      programs: [programId],
    };
  });
}

function about(programId: number, { programs }: Records): Pick<CatalogEvent, 'programId' | 'program'> {
  return { programId, program: programs.get(programId) ?? null };
}
