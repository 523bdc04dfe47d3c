import { ServiceError } from '@service/errors';
import { lockAccounts } from '../database/locks.ts';
import type { Transaction } from '../database/types.ts';
import type { User } from '../generated/prisma/client.ts';
import type { Actor, Subject } from '../operations/caller.ts';
import type { Role } from '../validation/permissions.ts';
import { problem } from '../validation/problems.ts';
import { notFound } from '../validation/validate.ts';
import { isReservedName, writeAuditEntry } from './audit/audit.ts';
import { keyState } from './keys/api-key.ts';
import { forgetKeys } from './keys/made-with.ts';

const auditSnapshotOfUser = ({ name, role, disabled, issuer, subject }: User) => ({
  name,
  role,
  disabled,
  ...(issuer !== null && { issuer, subject }),
});

export async function allUsers(db: Transaction): Promise<User[]> {
  return db.user.findMany({ orderBy: { id: 'asc' } });
}

/** The command line names a user, the GraphQL API has their identifier. */
export type UserReference = { readonly id: number } | { readonly name: string };

/** @throws ServiceError `CONFLICT` when the name is taken. */
export async function addUser(
  tx: Transaction,
  actor: Actor,
  name: string,
  role: Role,
  identity: Partial<Subject> = {},
): Promise<User> {
  await lockAccounts(tx);
  await requireFreeName(tx, name);
  const { issuer = null, subject = null } = identity;
  const user = await tx.user.create({ data: { name, role, issuer, subject } });
  await writeAuditEntry(tx, actor, {
    action: 'create',
    subject: 'User',
    subjectId: user.id,
    after: auditSnapshotOfUser(user),
  });
  return user;
}

async function requireFreeName(tx: Transaction, name: string): Promise<void> {
  if (isReservedName(name)) {
    throw new ServiceError('CONFLICT', problem('NAME_RESERVED', { name }));
  }
  if ((await tx.user.count({ where: { name } })) > 0) {
    throw new ServiceError('CONFLICT', problem('NAME_TAKEN', { name }));
  }
}

/** @throws ServiceError `NOT_FOUND` without such a user and `role`; `CONFLICT` when the user has another role. */
export async function findOrAddUser(
  tx: Transaction,
  actor: Actor,
  name: string,
  role: Role | undefined,
): Promise<User> {
  await lockAccounts(tx);
  const user = await tx.user.findUnique({ where: { name } });
  if (user === null) {
    if (role !== undefined) return addUser(tx, actor, name, role);
    throw new ServiceError('NOT_FOUND', `User ${name} does not exist: give a role to add them.`);
  }
  if (role !== undefined && role !== user.role) {
    throw new ServiceError('CONFLICT', `User ${name} has the role ${user.role}, not ${role}.`);
  }
  return user;
}

/** The user, whom nobody else changes or deletes until the transaction ends; throws ServiceError `NOT_FOUND`. */
export async function lockUser(tx: Transaction, reference: UserReference): Promise<User> {
  await lockAccounts(tx);
  const user = await tx.user.findUnique({ where: reference });
  if (user === null) throw notFound('User', 'id' in reference ? reference.id : reference.name);
  return user;
}

export const isActiveAdministrator = ({ role, disabled }: User): boolean => role === 'admin' && !disabled;

interface UserChanges {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
}

/** @throws ServiceError `NOT_FOUND`; `CONFLICT` when the name is taken, or no active administrator would be left. */
export async function changeUser(
  tx: Transaction,
  actor: Actor,
  reference: UserReference,
  changes: UserChanges,
): Promise<User> {
  return changeLockedUser(tx, actor, await lockUser(tx, reference), changes);
}

/** Changes a user whom nobody else changes meanwhile. Throws as `changeUser`. */
export async function changeLockedUser(
  tx: Transaction,
  actor: Actor,
  before: User,
  changes: UserChanges,
): Promise<User> {
  const { name = before.name, role = before.role, disabled = before.disabled } = changes;
  if (name === before.name && role === before.role && disabled === before.disabled) return before;
  if (name !== before.name) await requireFreeName(tx, name);
  const after = await tx.user.update({ where: { id: before.id }, data: { name, role, disabled } });
  if (isActiveAdministrator(before) && !isActiveAdministrator(after)) await requireAdministrator(tx, before.name);
  await recordUpdate(tx, actor, before, after);
  return after;
}

/** Ties a user to an identity, or to none. */
export async function setIdentity(
  tx: Transaction,
  actor: Actor,
  before: User,
  identity: Pick<User, 'issuer' | 'subject' | 'roleFromClaims'>,
): Promise<User> {
  const after = await tx.user.update({ where: { id: before.id }, data: identity });
  await recordUpdate(tx, actor, before, after);
  return after;
}

const recordUpdate = (tx: Transaction, actor: Actor, before: User, after: User): Promise<void> =>
  writeAuditEntry(tx, actor, {
    action: 'update',
    subject: 'User',
    subjectId: after.id,
    before: auditSnapshotOfUser(before),
    after: auditSnapshotOfUser(after),
  });

/** @throws ServiceError `NOT_FOUND`; `CONFLICT` when a key is active, or no active administrator would be left. */
export async function deleteUser(tx: Transaction, actor: Actor, reference: UserReference): Promise<User> {
  const user = await lockUser(tx, reference);
  const { name } = user;
  const now = await lockAccounts(tx);
  const keys = await tx.apiKey.findMany({ where: { userId: user.id }, orderBy: { id: 'asc' } });
  const active = keys.filter((key) => keyState(key, now) === 'active');
  if (active.length > 0) {
    const ids = active.map(({ id }) => id).join(', ');
    throw new ServiceError('CONFLICT', problem('USER_HAS_KEYS', { name, keys: ids }));
  }
  await forgetKeys(
    tx,
    keys.map(({ id }) => id),
  );
  // Those for all stay, without an owner.
  await tx.savedView.deleteMany({ where: { userId: user.id, isShared: false } });
  await tx.user.delete({ where: { id: user.id } });
  if (isActiveAdministrator(user)) await requireAdministrator(tx, name);
  await writeAuditEntry(tx, actor, {
    action: 'delete',
    subject: 'User',
    subjectId: user.id,
    before: { ...auditSnapshotOfUser(user), keys: keys.map(({ prefix }) => prefix) },
  });
  return user;
}

/** Whether a deleted user had this key, which stays invalid. Keys that operators chose may share a prefix. */
export async function wasDeletedWithUser(tx: Transaction, prefix: string): Promise<boolean> {
  const deletion = { subject: 'User', action: 'delete', before: { path: ['keys'], array_contains: [prefix] } };
  return (await tx.auditEntry.count({ where: deletion })) > 0;
}

async function requireAdministrator(tx: Transaction, name: string): Promise<void> {
  if ((await tx.user.count({ where: { role: 'admin', disabled: false } })) > 0) return;
  throw new ServiceError('CONFLICT', problem('LAST_ADMINISTRATOR', { name }));
}
