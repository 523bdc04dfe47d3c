import { ServiceError } from '@service/errors';
import { lockAccounts } from '../../database/locks.ts';
import type { Transaction } from '../../database/types.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Caller } from '../../operations/caller.ts';

const hourMs = 3_600_000;

/** @throws ServiceError `RATE_LIMITED` when as many of these keys or sessions were made within an hour. */
export async function requireFewerOfAnHour(
  tx: Transaction,
  where: Prisma.ApiKeyWhereInput,
  max: number,
  now: Date,
  message: string,
): Promise<void> {
  const first = await tx.apiKey.findFirst({
    where,
    orderBy: { id: 'desc' },
    skip: max - 1,
    select: { createdAt: true },
  });
  requireAnHourSince(first?.createdAt, now, message);
}

function requireAnHourSince(at: Date | undefined, now: Date, message: string): void {
  const leftMs = (at?.getTime() ?? 0) + hourMs - now.getTime();
  if (leftMs <= 0) return;
  throw new ServiceError('RATE_LIMITED', message, { retryAfterSeconds: Math.ceil(leftMs / 1_000) });
}

/** Changes of their keys by one user within an hour: each stays in the audit log for ever. */
const hourlyChangesMax = 200;

/** No other key is changed until the transaction ends. @throws ServiceError `RATE_LIMITED` for too many within an hour. */
export async function requireFewerChanges(
  tx: Transaction,
  { userId, name }: Pick<Caller, 'userId' | 'name'>,
): Promise<void> {
  const now = await lockAccounts(tx);
  // Theirs by the key or, of a token, by the names that they had within the hour: others change their keys, too. Of each key
  // by itself: the index of the log has the entries of one record one after the other.
  const [first] = await tx.$queryRaw<{ at: Date }[]>`
    WITH names AS MATERIALIZED (
      SELECT ${name} AS name UNION ALL SELECT before->>'name' FROM audit_entries
      WHERE subject = 'User' AND subject_id = ${userId} AND action = 'update' AND at > ${new Date(now.getTime() - hourMs)}
    )
    SELECT at FROM api_keys CROSS JOIN LATERAL (
      SELECT id, at FROM audit_entries WHERE subject = 'ApiKey' AND subject_id = api_keys.id AND action = 'update'
        AND CASE WHEN key_id IS NULL THEN actor IN (SELECT name FROM names) ELSE key_id IN (SELECT id FROM api_keys WHERE user_id = ${userId}) END
      ORDER BY id DESC LIMIT ${hourlyChangesMax}
    ) AS change
    WHERE user_id = ${userId} ORDER BY change.id DESC OFFSET ${hourlyChangesMax - 1} LIMIT 1`;
  requireAnHourSince(first?.at, now, `You may change your keys ${hourlyChangesMax} times an hour. Please wait.`);
}
