import { z } from 'zod';
import { connectionOf, connectionRequest, windowOf } from '../../academics/connection.ts';
import { validateInput } from '../../academics/validate.ts';
import type { Transaction } from '../../database/connection/types.ts';
import { builder } from './builder.ts';
import { withInput } from './with-input.ts';

builder.prismaObject('AuditEntry', {
  description: 'Who changed what, when, from what to what. Entries are never changed or deleted.',
  fields: (t) => ({
    id: t.float({
      description: 'Unique identifier of the entry, a whole number; later ones are larger, beyond 32 bits too.',
      resolve: ({ id }) => Number(id),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the change was made.' }),
    actor: t.exposeString('actor', {
      description: 'The name of the user; `cli` for the command line, `start` for the start of the service.',
    }),
    keyId: t.exposeInt('keyId', { nullable: true, description: 'The API key that was used, if one was.' }),
    requestId: t.exposeString('requestId', {
      nullable: true,
      description: 'The request that made the change, if one did.',
    }),
    action: t.exposeString('action', {
      description: '`create`, `update`, `delete`, `restore`, `revoke`, `rotate` or `import`.',
    }),
    subject: t.exposeString('subject', { description: '`Program`, `Branch`, `User` or `ApiKey`.' }),
    subjectId: t.exposeInt('subjectId', { description: 'Identifier of what was changed.' }),
    before: t.expose('before', { type: 'JSON', nullable: true, description: 'What it was before, if it was.' }),
    after: t.expose('after', { type: 'JSON', nullable: true, description: 'What it is since, if it is.' }),
  }),
});

const AuditLogConnection = builder.connectionObject(
  { type: 'AuditEntry', name: 'AuditLogConnection', description: 'A part of the audit log.' },
  { name: 'AuditLogEdge', description: 'An entry of the audit log and where it is.' },
);

const subjects = ['Program', 'Branch', 'User', 'ApiKey'] as const;

/** Which entries. */
interface AuditFilter {
  readonly subject?: string;
  readonly subjectId?: number;
}

/** A place in the log. */
const position = z.int().min(0);

/** Reads a part of the audit log, the newest entries first. */
async function entriesOf(db: Transaction, where: AuditFilter, request: z.output<typeof connectionRequest>) {
  const window = windowOf(request, position);
  const { after, before } = window;
  const rows = await db.auditEntry.findMany({
    where: { ...where, id: { ...(after !== undefined && { lt: after }), ...(before !== undefined && { gt: before }) } },
    orderBy: { id: window.backwards ? 'asc' : 'desc' },
    take: window.limit + 1,
  });
  return {
    ...connectionOf(rows, window, (entry) => Number(entry.id)),
    totalCount: () => db.auditEntry.count({ where }),
  };
}

/** Which entries, by field name, and which part of them. */
const auditRequest = z.intersection(
  connectionRequest,
  z.object({
    subject: z.enum(subjects, `subject must be one of ${subjects.join(', ')}.`).nullish(),
    subjectId: z.int().nullish(),
  }),
);

builder.queryField('auditLog', (t) =>
  t.connection(
    {
      type: 'AuditEntry',
      description: 'The audit log, the newest entries first.',
      access: 'admin',
      args: {
        subject: t.arg.string({
          description: 'Only changes of this kind of record: `Program`, `Branch`, `User`, `ApiKey`.',
        }),
        subjectId: t.arg.int({ description: 'Only changes of the record with this identifier.' }),
      },
      ...withInput(auditRequest, ({ subject, subjectId, ...request }, { db }) =>
        entriesOf(db, { ...(subject && { subject }), ...(typeof subjectId === 'number' && { subjectId }) }, request),
      ),
    },
    AuditLogConnection,
  ),
);

for (const subject of ['Program', 'Branch'] as const) {
  builder.objectField(subject, 'history', (t) =>
    t.connection(
      {
        type: 'AuditEntry',
        description: 'Who changed this record, the newest changes first. For administrators.',
        access: 'admin',
        resolve: (record, args, { db }) =>
          entriesOf(db, { subject, subjectId: record.id }, validateInput(connectionRequest, args)),
      },
      AuditLogConnection,
    ),
  );
}
