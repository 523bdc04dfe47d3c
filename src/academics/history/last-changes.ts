import { z } from 'zod';
import { auditActions } from '../../accounts/audit/audit.ts';
import { AuditAction } from '../../accounts/graphql/audit-log.ts';
import type { Transaction } from '../../database/types.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { reads } from '../../graphql/performing.ts';
import { defineRead } from '../../operations/operation.ts';
import { RecordKindEnum } from '../graphql/catalog-stats.ts';

/** All entries of a change as one. */
interface ChangeSummary {
  readonly changeId: string;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly programs: number;
  readonly branches: number;
  /** The program, or else the branch, that was changed first; null if nothing was. */
  readonly subject: string | null;
  readonly subjectId: number | null;
  readonly name: string | null;
  /** The name of an imported file. */
  readonly file: string | null;
  readonly isUndone: boolean;
}

const ChangeSummaryType = builder.objectRef<ChangeSummary>('ChangeSummary').implement({
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
      resolve: ({ subject }) => (subject === null ? null : subject === 'Program' ? 'PROGRAM' : 'BRANCH'),
    }),
    recordId: t.exposeInt('subjectId', { nullable: true, description: 'Identifier of that record.' }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Name of that record after the change; of a deleted one, its last.',
    }),
    file: t.exposeString('file', {
      nullable: true,
      description: 'Name of the imported file; `null` if the import does not say it, and for other changes.',
    }),
    isUndone: t.exposeBoolean('isUndone', { description: 'Whether `undoChange` has undone it, wholly or in part.' }),
  }),
});

const lastMax = 50;

const lastRequest = z.object({
  first: z
    .int()
    .min(1, 'first must be at least 1.')
    .max(lastMax, `first must be at most ${lastMax}.`)
    .nullish()
    .transform((first) => first ?? 10),
  imports: z
    .boolean()
    .nullish()
    .transform((imports) => imports ?? false),
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

/**
 * Reads each change by its first and last entry, whatever its size. Its entries have one time, the beginning of its
 * transaction; the first is of a program, if there is one; the last is that of an import or undo, with the numbers.
 * Entries of other changes are counted in the index of times and changes.
 */
async function lastChanges(db: Transaction, first: number, imports: boolean): Promise<ChangeSummary[]> {
  return db.$queryRaw`WITH RECURSIVE stepped AS (
      (SELECT at, change_id, 1 AS moments FROM audit_entries WHERE subject IN ('Program', 'Branch', 'Catalog')
        ORDER BY at DESC, change_id DESC LIMIT 1)
      UNION ALL
      SELECT earlier.at, earlier.change_id, moments + (earlier.at <> stepped.at)::int FROM stepped, LATERAL (
        SELECT at, change_id FROM audit_entries
        WHERE (at, change_id) < (stepped.at, stepped.change_id) AND subject IN ('Program', 'Branch', 'Catalog')
        ORDER BY at DESC, change_id DESC LIMIT 1
      ) AS earlier
      WHERE NOT ${imports} AND moments <= ${first}
    ), change AS (
      SELECT at, change_id FROM stepped WHERE NOT ${imports} AND moments <= ${first}
      UNION ALL
      (SELECT at, change_id FROM audit_entries WHERE ${imports} AND action = 'import' ORDER BY id DESC LIMIT ${first})
    ), newest AS (
      SELECT change.at, change.change_id, last.id, last.subject, last.action, last.after
      FROM change, LATERAL (
        SELECT * FROM audit_entries WHERE audit_entries.change_id = change.change_id ORDER BY id DESC LIMIT 1
      ) AS last
      ORDER BY change.at DESC, last.id DESC LIMIT ${first}
    )
    SELECT newest.change_id AS "changeId", newest.at, begun.actor, CASE
        WHEN newest.subject = 'Catalog' OR newest.action = begun.action THEN newest.action ELSE 'update'
      END AS action, counted.programs, counted.branches, nullif(begun.subject, 'Catalog') AS subject,
      begun.subject_id AS "subjectId", coalesce(begun.after, begun.before) ->> 'name' AS name,
      CASE WHEN newest.action = 'import' THEN newest.after ->> 'file' END AS file,
      EXISTS (
        SELECT FROM audit_entries AS undoing
        WHERE undoing.action = 'undo' AND undoing.after ->> 'changeId' = newest.change_id::text
      ) AS "isUndone"
    FROM newest, LATERAL (
        SELECT * FROM audit_entries WHERE audit_entries.change_id = newest.change_id ORDER BY id LIMIT 1
      ) AS begun, LATERAL (
        SELECT ${numberOf('programs', 'Program')} AS programs, ${numberOf('branches', 'Branch')} AS branches
      ) AS counted
    ORDER BY newest.at DESC, newest.id DESC`;
}

/** The number of changed records of a kind: from the summary of an import or an undo, or else counted. */
const numberOf = (field: 'programs' | 'branches', subject: 'Program' | 'Branch') => Prisma.sql`CASE newest.action
    WHEN 'import' THEN (newest.after -> ${field} ->> 'created')::int + (newest.after -> ${field} ->> 'changed')::int
    WHEN 'undo' THEN (newest.after ->> ${field})::int
    ELSE (
      SELECT count(*)::int FROM audit_entries
      WHERE audit_entries.at = newest.at AND audit_entries.change_id = newest.change_id AND audit_entries.subject = ${subject}
    )
  END`;
