import { z } from 'zod';
import { connectionOf, connectionRequest, windowOf } from '../../academics/connection.ts';
import { validateInput } from '../../academics/validate.ts';
import type { Transaction } from '../../database/connection/types.ts';
import { builder } from './builder.ts';
import { withInput } from './with-input.ts';

builder.prismaObject('AuditEntry', {
  description:
    'An entry of the audit log: who changed which record, when and how. Entries are never changed or deleted.',
  fields: (t) => ({
    id: t.float({
      description: 'Unique identifier of the entry, an ascending integer that may exceed 32 bits.',
      resolve: ({ id }) => Number(id),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the change was made.' }),
    actor: t.exposeString('actor', {
      description: 'Name of the user; `cli` for the command line, `start` for the start of the service.',
    }),
    keyId: t.exposeInt('keyId', { nullable: true, description: 'Identifier of the API key, if one was used.' }),
    requestId: t.exposeString('requestId', {
      nullable: true,
      description: 'Id of the request that made the change, if any.',
    }),
    action: t.exposeString('action', {
      description: '`create`, `update`, `delete`, `restore`, `revoke`, `rotate` or `import`.',
    }),
    subject: t.exposeString('subject', { description: '`Program`, `Branch`, `User` or `ApiKey`.' }),
    subjectId: t.exposeInt('subjectId', { description: 'Identifier of the changed record.' }),
    before: t.expose('before', {
      type: 'JSON',
      nullable: true,
      description: 'The record before the change; `null` if it was created.',
    }),
    after: t.expose('after', {
      type: 'JSON',
      nullable: true,
      description: 'The record after the change; `null` if it was deleted.',
    }),
  }),
});

const AuditLogConnection = builder.connectionObject(
  { type: 'AuditEntry', name: 'AuditLogConnection', description: 'A page of the audit log.' },
  { name: 'AuditLogEdge', description: 'An entry of the audit log and its cursor.' },
);

const subjects = ['Program', 'Branch', 'User', 'ApiKey'] as const;

interface AuditFilter {
  readonly subject?: string;
  readonly subjectId?: number;
}

/** The position in a cursor: the id of an entry. */
const position = z.int().min(0);

/** Reads a page of the audit log, newest entries first. */
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
      description: 'The audit log, newest entries first.',
      access: 'admin',
      args: {
        subject: t.arg.string({
          description: 'Only changes of records of this type: `Program`, `Branch`, `User`, `ApiKey`.',
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
        description: 'The audit log of this record, newest entries first. For administrators.',
        access: 'admin',
        resolve: (record, args, { db }) =>
          entriesOf(db, { subject, subjectId: record.id }, validateInput(connectionRequest, args)),
      },
      AuditLogConnection,
    ),
  );
}
