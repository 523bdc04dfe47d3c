import type { Transaction } from '../../database/types.ts';
import type { Actor } from '../../operations/caller.ts';
import { inState } from '../keys/api-key.ts';
import { requireFewerOfAnHour } from '../keys/hourly-limit.ts';
import { endSession } from '../keys/keys.ts';
import { forgetKeys } from '../keys/made-with.ts';

// Sessions are counted by the credential that they are begun with: whoever has one of a user's keys, and be it
// read-only, ends and prevents no session of the others (`docs/contract.md` 3).

/** New sessions of a credential within an hour that have not ended. */
const hourlySessionsMax = 60;
/**
 * Sessions of a credential, ended ones included. The oldest are removed, but none of the last hour: each session is in
 * the audit log for ever.
 */
const sessionsMax = 100;
const forgottenAfterMs = 30 * 86_400_000;

/** What sessions are begun with: a key, or else the user's account at the identity provider, or their tokens. */
type Credential = { readonly userId: number } & ({ readonly madeWith: number } | { readonly source: string | null });

/**
 * Makes room for one more session of a credential. `replaced`: the session whose place it takes, which is kept.
 * @throws ServiceError `RATE_LIMITED` when it has begun too many within an hour.
 */
export async function makeRoom(
  tx: Transaction,
  credential: Credential,
  actor: Actor,
  now: Date,
  replaced: number | null,
): Promise<void> {
  const ofUser = { userId: credential.userId, kind: 'session' };
  const forgottenBefore = new Date(now.getTime() - forgottenAfterMs);
  const { _count: count, _min: first } = await tx.apiKey.aggregate({
    where: ofUser,
    _count: true,
    _min: { expiresAt: true },
  });
  const mayForget = first.expiresAt !== null && first.expiresAt < forgottenBefore;
  // One statement for almost all: few users have so many sessions, whatever began them.
  if (count < hourlySessionsMax && !mayForget) return;
  const sessions = { madeWith: null, ...credential, kind: 'session' };
  const latest = { orderBy: { id: 'desc' } } as const;
  for (const [max, where] of [
    [hourlySessionsMax, { ...sessions, ...inState('active', now) }],
    [sessionsMax, sessions],
  ] as const) {
    await requireFewerOfAnHour(tx, where, max, now, `You may begin ${max} sessions an hour with one key. Please wait.`);
  }
  const others = replaced === null ? sessions : { ...sessions, id: { not: replaced } };
  const oldest = await tx.apiKey.findMany({ where: others, ...latest, skip: sessionsMax - 1, take: 20 });
  for (const session of oldest) if (session.revokedAt === null) await endSession(tx, actor, session);
  const expired = await tx.apiKey.findMany({ where: { ...ofUser, expiresAt: { lt: forgottenBefore } } });
  const forgotten = [...oldest, ...expired];
  await forgetKeys(
    tx,
    forgotten.map(({ id }) => id),
  );
}
