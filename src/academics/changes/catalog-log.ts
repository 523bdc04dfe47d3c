import { changeLog, type LogEntry } from '@service/change-log/change-log';
import { type ChangeMonitor, openChangeMonitor } from '@service/change-log/change-monitor';
import type { Change } from '@service/change-log/epochs';
import { z } from 'zod';
import type { ChangeKind } from '../../database/types.ts';
import { branchRow, programRow, storedRow } from '../sql/columns.ts';
import { forgetCounts } from '../sql/counts.ts';

const loggedFields = {
  /** The actions of the audit log; `NOTE`: a note on the record was written, closed, opened or deleted. */
  action: z.enum(['CREATE', 'UPDATE', 'DELETE', 'RESTORE', 'NOTE']),
  id: z.int(),
  /** The program itself, or the program of the branch after the change. */
  programId: z.int(),
};

/** `removed` is the last version of a row that was hard-deleted. */
const loggedChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('PROGRAM'), ...loggedFields, removed: storedRow(programRow).optional() }),
  z.object({
    kind: z.literal('BRANCH'),
    ...loggedFields,
    removed: storedRow(branchRow).optional(),
    /** The program that the branch was moved out of. */
    previousProgramId: z.int().optional(),
  }),
]);

export type LoggedChange = z.output<typeof loggedChange>;

const content = z.object({
  /** Changed records in the order of the statements; `null` when there are too many to list. */
  records: z.array(loggedChange).nullable(),
  /** Changed themselves or in their branches; `null` when there are too many. */
  programs: z.array(z.int()).nullable(),
  access: z.boolean(),
});

export type CatalogContent = z.output<typeof content>;

export type CatalogLogEntry = LogEntry<CatalogContent>;

export type CatalogMonitor = ChangeMonitor<ChangeKind, CatalogContent>;

export const loggedChanges = z.array(loggedChange);

export const catalogLog = changeLog<CatalogContent>({
  table: 'change_log',
  content,
  loggedTables: [
    ...['programs', 'branches', 'branch_years', 'notes', 'users', 'api_keys'],
    ...['attribute_definitions', 'attribute_choices'],
  ],
  channel: 'academic_structure',
});

/** Polls the change log of this service, for its caches and its feed. */
export async function openCatalogMonitor(
  databaseUrl: string,
  warn: (message: string) => void,
): Promise<CatalogMonitor> {
  const names = ['access', 'catalog'] as const;
  const monitor = await openChangeMonitor({ databaseUrl, log: catalogLog, names, changeOf, warn });
  monitor.onPoll(({ since }) => {
    if (since === undefined) forgetCounts();
  });
  return monitor;
}

function changeOf(kind: ChangeKind, { access, programs, records }: CatalogLogEntry): Change | null | undefined {
  if (kind === 'access') return access ? null : undefined;
  if (programs === null) return null;
  if (programs.length === 0) return undefined;
  const kinds = records?.map((record) => (record.kind === 'BRANCH' ? 'branches' : 'programs'));
  return { ids: programs, kinds: kinds ?? ['programs', 'branches'] };
}
