import { ServiceError } from '@service/errors';
import type { Transaction } from '../../database/types.ts';
import type { Caller } from '../../operations/caller.ts';
import { defineAccountsWrite, defineRead } from '../../operations/operation.ts';
import type { RequestState } from '../../operations/request.ts';
import { problem } from '../../validation/problems.ts';
import { identifier, validationFailed } from '../../validation/validate.ts';
import { changeKey, rotateKey } from '../keys/change-keys.ts';
import { requireFewerChanges } from '../keys/hourly-limit.ts';
import { matching } from '../keys/key-list.ts';
import { createKey, revokeKey } from '../keys/keys.ts';
import { inheritedFrom } from '../keys/made-with.ts';
import { signInEndOf } from '../keys/sign-in-end.ts';
import { keyChanges, keyListRequest, newKey, rotation } from '../schemas.ts';
import { lockUser } from '../users.ts';

const forbidden = (): ServiceError => new ServiceError('FORBIDDEN', problem('NOT_PERMITTED', { permission: 'admin' }));

/** Everybody manages their own keys, and administrators all. @throws ServiceError `FORBIDDEN` for the key of another. */
async function requireOwnKey(tx: Transaction, { permissions, userId }: Caller, id: number): Promise<void> {
  if (permissions.has('admin')) return;
  if (userId === null || (await tx.apiKey.count({ where: { id, userId } })) === 0) throw forbidden();
}

function requireMayCreate({ caller, app }: RequestState): void {
  if (!app.config.OWN_KEYS && !caller.permissions.has('admin')) throw forbidden();
}

/** Reads keys with the relations that are selected. */
export const listKeysWith = (query: object) =>
  defineRead({
    name: 'apiKeys',
    access: 'user',
    scope: 'uncacheable',
    input: keyListRequest,
    run: async ({ filter }, reading) => {
      const { caller } = reading.request;
      const own = { userId: caller.userId ?? 0 };
      const isOfOthers = (filter.user ?? caller.name) !== caller.name || (filter.userId ?? own.userId) !== own.userId;
      const isAdmin = caller.permissions.has('admin');
      if (isOfOthers && !isAdmin) throw forbidden();
      return reading.prisma(async (db) => {
        const where = { AND: [await matching(db, filter), isAdmin ? {} : own] };
        return db.apiKey.findMany({ ...query, where, orderBy: { id: 'asc' } });
      });
    },
  });

export const createApiKey = defineAccountsWrite({
  name: 'createApiKey',
  access: 'user',
  transaction: 'accounts',
  input: newKey,
  run: async ({ userId, ...fields }, { tx, actor, request }) => {
    const { caller } = request;
    const id = userId ?? caller.userId;
    if (id === null) throw validationFailed({ userId: [problem('REQUIRED', { field: 'userId' })] });
    requireMayCreate(request);
    if (id !== caller.userId && !caller.permissions.has('admin')) throw forbidden();
    const { signIn, ...inherited } = await inheritedFrom(tx, caller);
    const user = await lockUser(tx, { id });
    const isOwn = id === caller.userId && signIn.signInOf === null;
    const { key, secret } = await createKey(tx, actor, user, {
      ...fields,
      inherited: { ...inherited, signIn: isOwn ? signInEndOf(user, request.app.config.OWN_KEYS_SIGN_IN_DAYS) : signIn },
    });
    return { key: secret, apiKey: key };
  },
});

export const updateApiKey = defineAccountsWrite({
  name: 'updateApiKey',
  access: 'user',
  transaction: 'accounts',
  input: keyChanges,
  run: async ({ id, ...changes }, { tx, actor, request }) => {
    const { caller } = request;
    await requireOwnKey(tx, caller, id);
    if (changes.expiry !== undefined) requireMayCreate(request);
    if (caller.userId !== null && !caller.permissions.has('admin')) await requireFewerChanges(tx, caller);
    return changeKey(tx, actor, id, changes, await inheritedFrom(tx, caller));
  },
});

export const revokeApiKey = defineAccountsWrite({
  name: 'revokeApiKey',
  access: 'user',
  transaction: 'accounts',
  input: identifier,
  run: async ({ id }, { tx, actor, request }) => {
    const { caller } = request;
    await requireOwnKey(tx, caller, id);
    return (await revokeKey(tx, actor, id)).key;
  },
});

export const rotateApiKey = defineAccountsWrite({
  name: 'rotateApiKey',
  access: 'user',
  transaction: 'accounts',
  input: rotation,
  run: async ({ id, overlap }, { tx, actor, request }) => {
    const { caller } = request;
    await requireOwnKey(tx, caller, id);
    // An overlap would make a second key.
    if (overlap > 0) requireMayCreate(request);
    const { key, secret } = await rotateKey(tx, actor, id, overlap, await inheritedFrom(tx, caller));
    return { key: secret, apiKey: key };
  },
});
