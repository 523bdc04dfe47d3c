import type { EventSource, Identified } from '@service/change-log/events';
import type { Database } from '../../database/types.ts';
import type { Branch, Program } from '../../generated/prisma/client.ts';
import type { CatalogContent, CatalogLogEntry } from './catalog-log.ts';
import { coalesceChanges } from './coalesce.ts';
import { onlyProgramOf, type Records, readRecords } from './records.ts';

export type CatalogEvent = Identified<EventContent>;

export interface EventContent {
  readonly at: Date;
  /** Of the change log; `RELOAD` stands for changes that are not listed one by one. */
  readonly action: 'CREATE' | 'UPDATE' | 'DELETE' | 'RESTORE' | 'NOTE' | 'RELOAD';
  readonly kind: 'PROGRAM' | 'BRANCH' | null;
  readonly programId: number | null;
  readonly branchId: number | null;
  /** The program that a branch was moved out of. */
  readonly previousProgramId: number | null;
  /** The program, or the program of the branch, as of the time the event was read, deleted or not. */
  readonly program: Program | null;
  readonly branch: Branch | null;
  /** The programs that the event concerns; `null` for all. */
  readonly programs: readonly number[] | null;
}

/** Turns log entries into the events of the feed, with the records that they show. */
export function catalogEvents(db: Database): EventSource<CatalogContent, EventContent> {
  return {
    size: ({ records }) => records?.length ?? 1,
    sizes: 'coalesce(jsonb_array_length(records), 1)',
    read: async (entries) => {
      const records = await readRecords(db, entries);
      return entries.map((entry) => changesOf(entry, records).map((change) => ({ at: entry.at, ...change })));
    },
    reload: () => ({ at: new Date(), ...everything }),
    isReload: ({ action }) => action === 'RELOAD',
  };
}

type UndatedEvent = Omit<EventContent, 'at'>;

const everything = {
  action: 'RELOAD',
  kind: null,
  programId: null,
  branchId: null,
  previousProgramId: null,
  program: null,
  branch: null,
  programs: null,
} as const;

function changesOf(entry: CatalogLogEntry, records: Records): readonly UndatedEvent[] {
  if (entry.records === null) {
    const only = onlyProgramOf(entry);
    const event = { ...everything, programs: entry.programs };
    return [only === undefined ? event : { ...event, ...about(only, records) }];
  }
  return coalesceChanges(entry.records).map(({ kind, action, id, programId, previousProgramId }) => {
    const { program } = about(programId, records);
    return {
      action,
      kind,
      programId,
      program,
      branchId: kind === 'BRANCH' ? id : null,
      previousProgramId,
      // The API never returns a branch without its program.
      branch: kind === 'BRANCH' && program !== null ? (records.branches.get(id) ?? null) : null,
      programs: previousProgramId === null ? [programId] : [programId, previousProgramId],
    };
  });
}

function about(programId: number, { programs }: Records): Pick<EventContent, 'programId' | 'program'> {
  return { programId, program: programs.get(programId) ?? null };
}
