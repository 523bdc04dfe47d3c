import { z } from 'zod';
import { changeId } from '../../accounts/audit/audit.ts';
import { entriesOf } from '../../accounts/audit/entry-pages.ts';
import { AuditAction, AuditLogConnection } from '../../accounts/graphql/audit-log.ts';
import { userName } from '../../accounts/schemas.ts';
import { builder } from '../../graphql/builder.ts';
import { reads } from '../../graphql/performing.ts';
import { defineRead } from '../../operations/operation.ts';
import { afterBy, connectionRequest, firstUpTo } from '../../validation/cursors.ts';
import { orAbsent, orDefault } from '../../validation/optional.ts';
import { recordKinds, type Table } from '../kinds.ts';
import { RecordKindEnum } from '../record-kind.ts';
import { type ChangePage, type ChangeRow, decodeChangeCursor, readChangeRows } from './change-rows.ts';
import { ChangeSummaryType } from './last-changes.ts';
import { changeActions } from './step-changes.ts';

const sum = (changes: ChangeRow, field: Table): number => changes.reduce((total, change) => total + change[field], 0);

const ChangeLogRow = builder.objectRef<ChangeRow>('ChangeLogRow').implement({
  description:
    'A row of the change log: a change as a whole, or the records that somebody has created one by one in a sitting, with pauses of at most 30 minutes, at most 200.',
  fields: (t) => ({
    at: t.field({
      type: 'DateTime',
      description: 'When the change was made, of several the newest.',
      resolve: ([{ at }]) => at,
    }),
    since: t.field({
      type: 'DateTime',
      description: 'When the oldest of them was made.',
      resolve: (changes) => (changes.at(-1) ?? changes[0]).at,
    }),
    actor: t.string({
      description: 'Name that the user had, who may have been renamed or deleted since; `cli` for the command line.',
      resolve: ([{ actor }]) => actor,
    }),
    programs: t.int({ description: 'Number of programs that were changed.', resolve: (row) => sum(row, 'programs') }),
    branches: t.int({ description: 'Number of branches that were changed.', resolve: (row) => sum(row, 'branches') }),
    changes: t.field({
      type: [ChangeSummaryType],
      description: 'The change, or the creations, newest first. Each can be undone.',
      resolve: (row) => [...row],
    }),
  }),
});

const ChangeLogPage = builder.objectRef<ChangePage>('ChangeLogPage').implement({
  description:
    'A page of the change log. It has fewer rows than requested, none even, where few of very many changes match: go on while there is a next page.',
  fields: (t) => ({
    nodes: t.field({ type: [ChangeLogRow], description: 'The rows, newest first.', resolve: ({ rows }) => [...rows] }),
    pageInfo: t.field({
      type: builder.pageInfoRef(),
      description: 'Whether there is a next page, and its cursor.',
      resolve: ({ hasNext, endCursor }) => ({
        hasNextPage: hasNext,
        hasPreviousPage: false,
        startCursor: null,
        endCursor,
      }),
    }),
  }),
});

const ChangeLogFilter = builder.inputType('ChangeLogFilter', {
  description: 'Filter of the change log. All given conditions must match.',
  fields: (t) => ({
    since: t.field({ type: 'DateTime', description: 'Changed at or after this time.' }),
    until: t.field({ type: 'DateTime', description: 'Changed before this time.' }),
    actor: t.string({ description: 'Name that the user had, exactly; `cli` for the command line.' }),
    actions: t.field({
      type: [AuditAction],
      description: '`IMPORT`, `UNDO`, or what other changes did to records: `CREATE`, `UPDATE`, `DELETE`, `RESTORE`.',
    }),
    kind: t.field({ type: RecordKindEnum, description: 'Changes of records of this type, imports included.' }),
    programId: t.int({ description: 'Changes of this program, or of a branch while it belonged to it.' }),
  }),
});

const changeLogFilter = z.object({
  since: orAbsent(z.date()),
  until: orAbsent(z.date()),
  actor: orAbsent(userName('actor')),
  actions: orAbsent(z.array(z.enum(changeActions, `actions must be some of ${changeActions.join(', ')}.`))),
  kind: orAbsent(z.enum(recordKinds)),
  programId: orAbsent(z.int().min(0, 'programId must not be negative.')),
});

const pageMax = 100;

const changeLogRequest = z.object({
  filter: orDefault(changeLogFilter, changeLogFilter.parse({})),
  first: firstUpTo(pageMax, 20),
  after: afterBy(decodeChangeCursor, 'after must be a cursor that this list has returned.'),
});

const changeLog = defineRead({
  name: 'changeLog',
  access: 'programs:write',
  scope: 'uncacheable',
  input: changeLogRequest,
  run: ({ filter, first, after }, { db }) => readChangeRows(db, filter, first, after),
});

builder.queryField('changeLog', (t) =>
  t.field({
    type: ChangeLogPage,
    description:
      'Who changed what in the catalog, newest first: each change as a whole, single creations of one sitting as one row. Needs the permission `programs:write`.',
    args: {
      filter: t.arg({ type: ChangeLogFilter, description: 'Filter; all changes when absent.' }),
      first: t.arg.int({ defaultValue: 20, description: `Number of rows, from 1 to ${pageMax}.` }),
      after: t.arg.string({ description: 'Only rows after this cursor.' }),
    },
    ...reads(changeLog),
  }),
);

const changeEntries = defineRead({
  name: 'changeEntries',
  access: 'programs:write',
  scope: 'uncacheable',
  input: z.intersection(connectionRequest, z.object({ changeId })),
  run: ({ changeId: id, ...request }, reading) =>
    entriesOf(reading, { changeId: id, subject: { in: [...recordKinds] } }, request),
});

builder.queryField('changeEntries', (t) =>
  t.connection(
    {
      type: 'AuditEntry',
      description:
        'The entries of the audit log of one change of the catalog: what it did to each record. Needs the permission `programs:write`.',
      args: { changeId: t.arg.id({ required: true, description: 'The change.' }) },
      ...reads(changeEntries),
    },
    AuditLogConnection,
  ),
);
