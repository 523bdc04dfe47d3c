import { z } from 'zod';
import type { Prisma } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { upperCaseValues } from '../../graphql/enum-values.ts';
import { byId, Node, readAsNodes } from '../../graphql/node.ts';
import { reads } from '../../graphql/performing.ts';
import { defineRead } from '../../operations/operation.ts';
import { connectionRequest } from '../../validation/cursors.ts';
import { orAbsent, orDefault } from '../../validation/optional.ts';
import { multiLine } from '../../validation/text.ts';
import { validateInput } from '../../validation/validate.ts';
import { auditActions, auditSubjects, changeId } from '../audit/audit.ts';
import { entriesOf } from '../audit/entry-pages.ts';

export const AuditAction = builder.enumType('AuditAction', {
  description: 'What was done to a record.',
  values: upperCaseValues(auditActions, {
    create: 'The record was created.',
    update: 'The record was updated.',
    delete: 'The record was deleted.',
    restore: 'The record was restored after a deletion.',
    'sign-in': 'A session was begun: the key of a browser.',
    'sign-out': 'The session was ended: by signing out, by another in its place, by an administrator or the provider.',
    revoke: 'The API key was revoked, itself or with the one that it was made with.',
    rotate: 'The API key was replaced by another.',
    import: 'A file was imported. Its records have entries of their own.',
    undo: 'A change was undone. Its records have entries of their own.',
  }),
});

const AuditSubject = builder.enumType('AuditSubject', {
  description: 'Type of a record in the audit log.',
  values: upperCaseValues(auditSubjects, {
    Program: 'A program.',
    Branch: 'A branch.',
    Note: 'A note on a program or branch, without its text.',
    User: 'A user.',
    ApiKey: 'An API key.',
    SavedView: 'A saved view that is for all.',
    Edition: 'An edition of the catalog.',
    AttributeDefinition: 'The definition of an attribute; of its choices those that differ.',
    Catalog: 'The whole catalog: an import, or the undoing of a change.',
    AuditLog: 'The audit log: a removal of old entries.',
  }),
});

builder.prismaObject('AuditEntry', {
  interfaces: [Node],
  description:
    'An entry of the audit log: who changed which record, when and how. Entries are never changed; old ones are removed only by the owner of the database.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique identifier of the entry, a number, ascending.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When the change was made.' }),
    actor: t.exposeString('actor', {
      description: 'Name that the user had; `cli` for the command line, `start` for the start of the service.',
    }),
    keyId: t.exposeInt('keyId', { nullable: true, description: 'Identifier of the API key, if one was used.' }),
    requestId: t.exposeString('requestId', {
      nullable: true,
      description: 'Id of the request that made the change, if any.',
    }),
    changeId: t.exposeID('changeId', {
      description: 'The change that this entry belongs to: an import, or a mutation of one record or of many.',
    }),
    action: t.field({
      type: AuditAction,
      nullable: true,
      description: 'What was done; `null` for an action that this version does not know.',
      resolve: ({ action }) => auditActions.find((known) => known === action) ?? null,
    }),
    subject: t.field({
      type: AuditSubject,
      nullable: true,
      description: 'Type of the changed record; `null` for one that this version does not know.',
      resolve: ({ subject }) => auditSubjects.find((known) => known === subject) ?? null,
    }),
    subjectId: t.exposeInt('subjectId', {
      nullable: true,
      description: 'Identifier of the changed record; `null` for the catalog and the audit log.',
    }),
    before: t.expose('before', {
      type: 'JSON',
      nullable: true,
      description: 'The record before the change; `null` if it was created, restored or imported.',
    }),
    after: t.expose('after', {
      type: 'JSON',
      nullable: true,
      description:
        'The record after the change; `null` if it was deleted, or is a key or session that has ended; for a key with which others were revoked, `revokedWith`, their identifiers.',
    }),
  }),
});

export const AuditLogConnection = builder.connectionObject(
  { type: 'AuditEntry', name: 'AuditLogConnection', description: 'A page of the audit log.' },
  { name: 'AuditLogEdge', description: 'An entry of the audit log and its cursor.' },
);

const AuditLogFilter = builder.inputType('AuditLogFilter', {
  description: 'Filter of the audit log. All given conditions must match.',
  fields: (t) => ({
    actions: t.field({ type: [AuditAction], description: 'Action is one of these.' }),
    subject: t.field({ type: AuditSubject, description: 'Type of the changed record.' }),
    subjectId: t.int({ description: 'Identifier of the changed record; requires `subject`.' }),
    actor: t.string({
      description: 'Name of the user, exactly; `cli` for the command line, `start` for the start of the service.',
    }),
    changeId: t.id({ description: 'The change that the entries belong to.' }),
    since: t.field({ type: 'DateTime', description: 'Changed at or after this time.' }),
    until: t.field({ type: 'DateTime', description: 'Changed before this time.' }),
  }),
});

/** The longest name in a token. */
const actorMax = 8_192;

const auditLogFilter = z
  .object({
    actions: orAbsent(z.array(z.enum(auditActions))),
    subject: orAbsent(z.enum(auditSubjects)),
    subjectId: orAbsent(z.int().min(0, 'subjectId must not be negative.')),
    actor: orAbsent(multiLine('actor', { max: actorMax })),
    changeId: orAbsent(changeId),
    since: orAbsent(z.date()),
    until: orAbsent(z.date()),
  })
  .refine(({ subject, subjectId }) => subjectId === undefined || subject !== undefined, {
    message: 'subjectId must be given together with subject.',
  });

type AuditLogFilter = z.output<typeof auditLogFilter>;

function conditionOf({
  actions,
  subject,
  subjectId,
  actor,
  changeId,
  since,
  until,
}: AuditLogFilter): Prisma.AuditEntryWhereInput {
  return {
    ...(actions && { action: { in: actions } }),
    ...(subject && { subject }),
    ...(subjectId !== undefined && { subjectId }),
    ...(actor !== undefined && { actor }),
    ...(changeId !== undefined && { changeId }),
    at: { ...(since && { gte: since }), ...(until && { lt: until }) },
  };
}

const auditLogRequest = z.intersection(
  connectionRequest,
  z.object({ filter: orDefault(auditLogFilter, auditLogFilter.parse({})) }),
);

const readAuditLog = defineRead({
  name: 'auditLog',
  access: 'admin',
  scope: 'uncacheable',
  input: auditLogRequest,
  run: ({ filter, ...request }, reading) => {
    const isByTime = filter.since !== undefined || filter.until !== undefined;
    return entriesOf(reading, conditionOf(filter), request, isByTime ? 'at' : 'id');
  },
});

readAsNodes('AuditEntry', readAuditLog, async (ids, reading) =>
  byId(await reading.prisma((db) => db.auditEntry.findMany({ where: { id: { in: ids.map(Number) } } }))),
);

builder.queryField('auditLog', (t) =>
  t.connection(
    {
      type: 'AuditEntry',
      description: 'The audit log, newest entries first.',
      args: { filter: t.arg({ type: AuditLogFilter, description: 'Filter; all entries when absent.' }) },
      ...reads(readAuditLog),
    },
    AuditLogConnection,
  ),
);

const readCatalogHistory = defineRead({
  name: 'catalogHistory',
  access: 'programs:write',
  scope: 'uncacheable',
  input: connectionRequest,
  run: (request, reading) => entriesOf(reading, { subject: 'Catalog', subjectId: null }, request),
});

builder.queryField('catalogHistory', (t) =>
  t.connection(
    {
      type: 'AuditEntry',
      description:
        'The audit log of the catalog as a whole, newest entries first: imports, and changes that were undone, whose `after` has the `changeId` of what was undone. Needs the permission `programs:write`.',
      ...reads(readCatalogHistory),
    },
    AuditLogConnection,
  ),
);

builder.objectField('Branch', 'history', (t) =>
  t.connection(
    {
      type: 'AuditEntry',
      description: 'The audit log of this record, newest entries first. Needs the permission `programs:write`.',
      access: 'programs:write',
      // Written by transactions of the record, but read from another table.
      cacheScope: 'uncacheable',
      resolve: ({ id }, args, { reading }) =>
        entriesOf(reading, { subject: 'Branch', subjectId: id }, validateInput(connectionRequest, args)),
    },
    AuditLogConnection,
  ),
);
