import { z } from 'zod';
import type { Transaction } from '../../database/types.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Actor } from '../../operations/caller.ts';

/** Actors without a user: the command line and the startup. No user can have these names. */
export const actorNames = { commandLine: 'cli', start: 'start' } as const;

/** Whether a name is reserved for an actor without a user. */
export function isReservedName(name: string): boolean {
  return Object.values<string>(actorNames).includes(name);
}

/** Begins a statement that writes entries: a SELECT follows, of these columns. */
export const noteEntries =
  'INSERT INTO audit_entries (at, actor, key_id, request_id, change_id, action, subject, subject_id, before, after)';

/** The first five columns of entries, from parameters with the values of `actorValues`. */
export const actorFrom = (first: number): string =>
  `coalesce($${first}::timestamptz, CURRENT_TIMESTAMP), $${first + 1}::text, $${first + 2}::int, $${first + 3}::text,
    $${first + 4}::uuid`;

export const actorValues = ({ at, name, keyId, requestId, changeId }: Actor): unknown[] => [
  at ?? null,
  name,
  keyId,
  requestId,
  changeId,
];

export const auditActions = [
  'create',
  'update',
  'delete',
  'restore',
  'sign-in',
  'sign-out',
  'revoke',
  'rotate',
  'import',
  'undo',
] as const;

export const auditSubjects = [
  'Program',
  'Branch',
  'Note',
  'User',
  'ApiKey',
  'SavedView',
  'Edition',
  'AttributeDefinition',
  'Catalog',
  'AuditLog',
] as const;

export const changeId = z.uuid('changeId must be the identifier of a change.');

interface AuditedChange {
  readonly action: (typeof auditActions)[number];
  readonly subject: (typeof auditSubjects)[number];
  readonly subjectId: number;
  readonly before?: Prisma.InputJsonValue;
  readonly after?: Prisma.InputJsonValue;
}

/** Writes an entry of the audit log, in the transaction of the change itself. */
export async function writeAuditEntry(tx: Transaction, { name, ...rest }: Actor, change: AuditedChange): Promise<void> {
  await tx.auditEntry.create({
    data: { actor: name, ...rest, ...change },
    select: { id: true },
  });
}
