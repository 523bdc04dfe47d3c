import { z } from 'zod';
import { auditActions } from '../../accounts/audit/audit.ts';
import { AuditAction } from '../../accounts/graphql/audit-log.ts';
import type { Transaction } from '../../database/types.ts';
import { builder } from '../../graphql/builder.ts';
import { withInput } from '../../graphql/with-input.ts';
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
  /** Of an import. */
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
      resolve: ({ actor }, _args, { caller }) => (caller.permissions.has('programs:write') ? actor : null),
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

builder.queryField('lastChanges', (t) =>
  t.field({
    type: [ChangeSummaryType],
    description: 'The last changes of the catalog, newest first, each as one, however many records it has.',
    access: 'programs:read',
    cacheScope: 'uncacheable',
    args: {
      first: t.arg.int({ defaultValue: 10, description: `Number of changes, from 1 to ${lastMax}.` }),
      imports: t.arg.boolean({ defaultValue: false, description: 'Only imports.' }),
    },
    ...withInput(lastRequest, ({ first, imports }, { db }) => lastChanges(db, first, imports)),
  }),
);

/**
 * All entries of a change have the time at which its transaction began. So the times are stepped through in their index,
 * whatever the number of entries between them, and only entries of the last ones are read.
 */
async function lastChanges(db: Transaction, first: number, imports: boolean): Promise<ChangeSummary[]> {
  return db.$queryRaw`WITH RECURSIVE imported AS (
      SELECT at FROM audit_entries WHERE action = 'import' ORDER BY id DESC LIMIT ${first}
    ), any_moment AS (
      (SELECT at, 1 AS step FROM audit_entries WHERE subject IN ('Program', 'Branch', 'Catalog') ORDER BY at DESC LIMIT 1)
      UNION ALL
      SELECT earlier.at, step + 1 FROM any_moment, LATERAL (
        SELECT at FROM audit_entries
        WHERE at < any_moment.at AND subject IN ('Program', 'Branch', 'Catalog') ORDER BY at DESC LIMIT 1
      ) AS earlier
      WHERE step < ${first}
    ), moment AS (
      SELECT at FROM imported WHERE ${imports} UNION SELECT at FROM any_moment WHERE NOT ${imports}
    ), change AS (
      SELECT change_id, min(at) AS at, min(actor) AS actor, max(id) AS last,
        coalesce(
          min(action) FILTER (WHERE subject = 'Catalog'),
          CASE WHEN min(action) = max(action) THEN min(action) ELSE 'update' END
        ) AS action,
        min(after ->> 'file') FILTER (WHERE action = 'import') AS file,
        (count(*) FILTER (WHERE subject = 'Program'))::int AS programs,
        (count(*) FILTER (WHERE subject = 'Branch'))::int AS branches,
        coalesce(min(id) FILTER (WHERE subject = 'Program'), min(id) FILTER (WHERE subject = 'Branch')) AS entry
      FROM audit_entries JOIN moment USING (at) WHERE subject IN ('Program', 'Branch', 'Catalog')
      GROUP BY change_id HAVING NOT ${imports} OR bool_or(action = 'import')
      ORDER BY at DESC, last DESC LIMIT ${first}
    )
    SELECT change.change_id AS "changeId", change.at, change.actor, change.action, programs, branches,
      subject, subject_id AS "subjectId", coalesce(after, before) ->> 'name' AS name, file,
      EXISTS (
        SELECT FROM audit_entries AS undoing
        WHERE undoing.action = 'undo' AND undoing.after ->> 'changeId' = change.change_id::text
      ) AS "isUndone"
    FROM change LEFT JOIN audit_entries ON id = entry
    ORDER BY change.at DESC, last DESC`;
}
