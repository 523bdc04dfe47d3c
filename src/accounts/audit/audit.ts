import { z } from 'zod';
import type { Transaction } from '../../database/types.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Actor } from '../../operations/caller.ts';

/** Actors without a user: the command line and the startup. No user can have these names. */
export const actorNames = { commandLine: 'cli', start: 'start' } as const;

/** Whether a name is that of an actor without a user. */
export function isReservedName(name: string): boolean {
  return Object.values<string>(actorNames).includes(name);
}

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

export const auditSubjects = ['Program', 'Branch', 'User', 'ApiKey', 'Catalog', 'AuditLog'] as const;

/** The identifier of a change. */
export const changeId = z.uuid('changeId must be the identifier of a change.');

interface Change {
  readonly action: (typeof auditActions)[number];
  readonly subject: (typeof auditSubjects)[number];
  readonly subjectId: number;
  readonly before?: Prisma.InputJsonValue;
  readonly after?: Prisma.InputJsonValue;
}

/** Writes an entry of the audit log, in the transaction of the change itself. */
export async function recordChange(tx: Transaction, { name, ...rest }: Actor, change: Change): Promise<void> {
  await tx.auditEntry.create({
    data: { actor: name, ...rest, ...change },
    select: { id: true },
  });
}
