import { changeLog, type LogEntry as Entry } from '@service/change-log/change-log';
import { type ChangeMonitor, openChangeMonitor } from '@service/change-log/change-monitor';
import type { Change } from '@service/change-log/epochs';
import { z } from 'zod';
import type { ChangeKind } from '../../database/changes.ts';
import { withDates } from '../../database/types.ts';
import type { Branch, Program } from '../../generated/prisma/client.ts';

const programRow = z
  .object({
    id: z.int(),
    name: z.string(),
    duration: z.string(),
    code: z.string().nullable(),
    version: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
    deleted_at: z.string().nullable(),
  })
  .transform(
    ({ created_at, updated_at, deleted_at, ...row }): Program =>
      withDates({ ...row, createdAt: created_at, updatedAt: updated_at, deletedAt: deleted_at }),
  );

const branchRow = z
  .object({
    id: z.int(),
    program_id: z.int(),
    name: z.string(),
    description: z.string(),
    code_prefix: z.string(),
    code_is_numeric: z.boolean(),
    version: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
    deleted_at: z.string().nullable(),
    deleted_with_program: z.boolean(),
  })
  .transform(
    ({ program_id, code_prefix, code_is_numeric, created_at, updated_at, deleted_at, deleted_with_program, ...row }) =>
      withDates({
        ...row,
        programId: program_id,
        codePrefix: code_prefix,
        codeIsNumeric: code_is_numeric,
        createdAt: created_at,
        updatedAt: updated_at,
        deletedAt: deleted_at,
        deletedWithProgram: deleted_with_program,
      }) satisfies Branch,
  );

const loggedFields = {
  /** `CREATED` includes restored records, `DELETED` both kinds of deletion. */
  action: z.enum(['CREATED', 'UPDATED', 'DELETED']),
  id: z.int(),
  programId: z.int(),
};

/** `removed` is the last version of a row that was hard-deleted. */
const loggedChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('PROGRAM'), ...loggedFields, removed: programRow.optional() }),
  z.object({ kind: z.literal('BRANCH'), ...loggedFields, removed: branchRow.optional() }),
]);

export type LoggedChange = z.output<typeof loggedChange>;

const content = z.object({
  /** In the order of the statements; `null` when there are too many to list. */
  records: z.array(loggedChange).nullable(),
  /** Changed themselves or in their branches; `null` when there are too many. */
  programs: z.array(z.int()).nullable(),
  access: z.boolean(),
});

export type CatalogContent = z.output<typeof content>;

export type LogEntry = Entry<CatalogContent>;

export type CatalogMonitor = ChangeMonitor<ChangeKind, CatalogContent>;

export const loggedChanges = z.array(loggedChange);

export const catalogLog = changeLog<CatalogContent>({
  table: 'change_log',
  content,
  loggedTables: ['programs', 'branches', 'branch_years', 'users', 'api_keys'],
  channel: 'academic_structure',
});

export function openCatalogMonitor(databaseUrl: string, warn: (message: string) => void): Promise<CatalogMonitor> {
  return openChangeMonitor({ databaseUrl, log: catalogLog, names: ['access', 'catalog'], changeOf, warn });
}

function changeOf(kind: ChangeKind, { access, programs, records }: LogEntry): Change | null | undefined {
  if (kind === 'access') return access ? null : undefined;
  if (programs === null) return null;
  if (programs.length === 0) return undefined;
  const kinds = records?.map((record) => (record.kind === 'BRANCH' ? 'branches' : 'programs'));
  return { ids: programs, kinds: kinds ?? ['programs', 'branches'] };
}
