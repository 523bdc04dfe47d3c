import { ServiceError } from '@service/errors';
import type { Transaction } from '../../database/types.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

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
  const leftMs = (first?.createdAt.getTime() ?? 0) + hourMs - now.getTime();
  if (leftMs <= 0) return;
  throw new ServiceError('RATE_LIMITED', message, { retryAfterSeconds: Math.ceil(leftMs / 1_000) });
}
