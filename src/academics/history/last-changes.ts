import type { AnyTransaction } from '@service/postgres/sql';
import { z } from 'zod';
import { auditActions } from '../../accounts/audit/audit.ts';
import { AuditAction } from '../../accounts/graphql/audit-log.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { reads } from '../../graphql/performing.ts';
import { defineRead } from '../../operations/operation.ts';
import { firstUpTo } from '../../validation/cursors.ts';
import { orDefault } from '../../validation/optional.ts';
import { recordKinds } from '../kinds.ts';
import { RecordKindEnum } from '../record-kind.ts';
import type { Loaders } from '../sql/loaders.ts';
import { existing } from '../sql/records.ts';
import { type ChangeSummary, ofCatalog, sumUp } from './change-summaries.ts';

const changeOrigins = ['PASTE', 'REPLACE'] as const;

const ChangeOrigin = builder.enumType('ChangeOrigin', {
  description:
    'What a user has done that changed records: pasted cells of a spreadsheet, or found and replaced a text.',
  values: {
    PASTE: { description: 'Cells of a spreadsheet were pasted.' },
    REPLACE: { description: 'A text was found and replaced.' },
  },
});

export const ChangeSummaryType = builder.objectRef<ChangeSummary>('ChangeSummary').implement({
  description: 'A change of the catalog as a whole: an import, or a mutation of one record or of many.',
  fields: (t) => ({
    changeId: t.exposeID('changeId', { description: 'The change, for `undoChange` and the filter of `auditLog`.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When the change was made.' }),
    actor: t.string({
      nullable: true,
      description: 'Name that the user had, as in the audit log; `null` for callers who may not edit records.',
      resolve: ({ actor }, _args, { reading: { request } }) =>
        request.caller.permissions.has('programs:write') ? actor : null,
    }),
    action: t.field({
      type: AuditAction,
      nullable: true,
      description:
        'What was done: `IMPORT` or `UNDO`, else what was done to each record, or `UPDATE` if that differs; `null` for an action that this version does not know.',
      resolve: ({ action }) => auditActions.find((known) => known === action) ?? null,
    }),
    programs: t.exposeInt('programs', { description: 'Number of programs that were changed.' }),
    branches: t.exposeInt('branches', { description: 'Number of branches that were changed.' }),
    kind: t.field({
      type: RecordKindEnum,
      nullable: true,
      description: 'Type of the first changed record, a program if there is one; `null` if no record was changed.',
      resolve: ({ subject }) => recordKinds.find((kind) => kind === subject) ?? null,
    }),
    recordId: t.exposeInt('subjectId', { nullable: true, description: 'Identifier of that record.' }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Name of that record after the change; of a deleted one, its last.',
    }),
    fields: t.exposeStringList('fields', {
      nullable: true,
      description:
        'Of an update: the fields that it changed, as `FieldChange` names them, of many records those of the first 20; `null` for other changes.',
    }),
    file: t.exposeString('file', {
      nullable: true,
      description: 'Name of the imported file; `null` if the import does not say it, and for other changes.',
    }),
    origin: t.field({
      type: ChangeOrigin,
      nullable: true,
      description: 'What the user has done to many records; `null` for other changes than those.',
      resolve: ({ origin }) => changeOrigins.find((known) => known === origin?.toUpperCase()) ?? null,
    }),
    movedFrom: t.field({
      type: 'Program',
      nullable: true,
      access: 'programs:read',
      description:
        'Of a change that only moves branches: the program that all of them came from; `null` if it is deleted.',
      resolve: ({ movedFromId }, _args, { reading: { loaders } }) => programOf(loaders, movedFromId),
    }),
    movedTo: t.field({
      type: 'Program',
      nullable: true,
      access: 'programs:read',
      description: 'Of such a change: the program that all of them moved to; `null` if it is deleted.',
      resolve: ({ movedToId }, _args, { reading: { loaders } }) => programOf(loaders, movedToId),
    }),
    created: t.exposeInt('created', {
      nullable: true,
      description: 'Number of records that an import created; `null` for other changes.',
    }),
    changed: t.exposeInt('changed', {
      nullable: true,
      description: 'Number of records that an import changed; `null` for other changes.',
    }),
    skipped: t.exposeInt('skipped', {
      nullable: true,
      description: 'Number of rows that an import left out, as they had problems; `null` for other changes.',
    }),
    isUndone: t.boolean({
      description: 'Whether it is undone by `undoChange`, wholly or in part; not if that was undone in its turn.',
      resolve: ({ undoneBy }) => undoneBy !== null,
    }),
    undoneBy: t.exposeID('undoneBy', {
      nullable: true,
      description: 'The change by which it is undone; `null` if it is not, or if that was undone in its turn.',
    }),
    undoes: t.exposeID('undoes', {
      nullable: true,
      description: 'The change that it has undone; `null` for other changes than `UNDO`.',
    }),
  }),
});

const programOf = async ({ program }: Loaders, id: number | null) =>
  id === null ? null : (existing(await program.load(id)) ?? null);

const lastMax = 50;

const lastRequest = z.object({
  first: firstUpTo(lastMax, 10),
  imports: orDefault(z.boolean(), false),
});

const readLastChanges = defineRead({
  name: 'lastChanges',
  access: 'programs:read',
  scope: 'uncacheable',
  input: lastRequest,
  run: ({ first, imports }, { db }) => lastChanges(db, first, imports),
});

builder.queryField('lastChanges', (t) =>
  t.field({
    type: [ChangeSummaryType],
    description: 'The last changes of the catalog, newest first, each as one, however many records it has.',
    args: {
      first: t.arg.int({ defaultValue: 10, description: `Number of changes, from 1 to ${lastMax}.` }),
      imports: t.arg.boolean({ defaultValue: false, description: 'Only imports.' }),
    },
    ...reads(readLastChanges),
  }),
);

/** Steps through times and changes in the index. */
function lastChanges(db: AnyTransaction, first: number, imports: boolean): Promise<ChangeSummary[]> {
  const ctes = Prisma.sql`stepped AS (
      (SELECT at, change_id, 1 AS moments FROM audit_entries WHERE ${ofCatalog}
        ORDER BY at DESC, change_id DESC LIMIT 1)
      UNION ALL
      SELECT earlier.at, earlier.change_id, moments + (earlier.at <> stepped.at)::int FROM stepped, LATERAL (
        SELECT at, change_id FROM audit_entries
        WHERE (at, change_id) < (stepped.at, stepped.change_id) AND ${ofCatalog}
        ORDER BY at DESC, change_id DESC LIMIT 1
      ) AS earlier
      WHERE NOT ${imports} AND moments <= ${first}
    ), change AS (
      SELECT at, change_id FROM stepped WHERE NOT ${imports} AND moments <= ${first}
      UNION ALL
      (SELECT at, change_id FROM audit_entries WHERE ${imports} AND action = 'import' AND after ->> 'origin' IS NULL ORDER BY id DESC LIMIT ${first})
    )`;
  return sumUp(db, { ctes, limit: first });
}
