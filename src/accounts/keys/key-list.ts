import { ServiceError } from '@service/errors';
import { databaseNow } from '../../database/locks.ts';
import type { Transaction } from '../../database/types.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { KeyFilter } from '../schemas.ts';
import { inState } from './api-key.ts';
import type { StoredKey } from './keys.ts';

/** The keys that a filter asks for, by id. */
export async function listKeys(db: Transaction, filter: KeyFilter = {}): Promise<StoredKey[]> {
  return db.apiKey.findMany({ where: await matching(db, filter), include: { user: true }, orderBy: { id: 'asc' } });
}

/** @throws ServiceError `NOT_FOUND` when it names a user who does not exist. */
export async function matching(db: Transaction, filter: KeyFilter): Promise<Prisma.ApiKeyWhereInput> {
  const { user, userId, kind, state, expiresBefore, unusedSince } = filter;
  if (user !== undefined && (await db.user.count({ where: { name: user } })) === 0) {
    throw new ServiceError('NOT_FOUND', `User ${user} does not exist.`);
  }
  return {
    AND: [
      user === undefined ? {} : { user: { name: user } },
      userId === undefined ? {} : { userId },
      kind === undefined ? {} : { kind },
      state === undefined ? {} : inState(state, await databaseNow(db)),
      expiresBefore === undefined
        ? {}
        : { OR: [{ expiresAt: { lt: expiresBefore } }, { signInUntil: { lt: expiresBefore } }] },
      unusedSince === undefined
        ? {}
        : { OR: [{ lastUsedAt: { lt: unusedSince } }, { lastUsedAt: null, createdAt: { lt: unusedSince } }] },
    ],
  };
}
