import { lockAccounts } from '../../database/locks.ts';
import type { Transaction } from '../../database/types.ts';
import type { Prisma, User } from '../../generated/prisma/client.ts';
import type { Actor } from '../../operations/caller.ts';
import { endSession, revokeKey } from '../keys/keys.ts';

/** The request that begins or ends a session, for the audit log. */
export type RequestOrigin = Pick<Actor, 'requestId' | 'changeId'>;

/** Ends sessions, by somebody or else by their own users; other keys stay as they are. */
export async function endSessions(
  tx: Transaction,
  where: Prisma.ApiKeyWhereInput,
  by: RequestOrigin | Actor,
): Promise<void> {
  await lockAccounts(tx);
  const sessions = { ...where, kind: 'session', revokedAt: null };
  for (const session of await tx.apiKey.findMany({ where: sessions, include: { user: true } })) {
    await endSession(tx, { name: session.user.name, keyId: session.id, ...by }, session);
  }
}

/** Ends the sessions of a user's tokens, and revokes the keys that were made with those. */
export async function endAllOfTokens(
  tx: Transaction,
  { id: userId, name }: User,
  by: RequestOrigin | Actor,
): Promise<void> {
  await endSessions(tx, { userId, source: 'token' }, by);
  const keys = { userId, source: 'token', kind: 'key', revokedAt: null };
  for (const { id } of await tx.apiKey.findMany({ where: keys, select: { id: true } })) {
    await revokeKey(tx, { name, keyId: null, ...by }, id);
  }
}
