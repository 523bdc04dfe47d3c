import { hash } from 'node:crypto';
import { ServiceError } from '@service/errors';
import type { Transaction } from '../../database/types.ts';

/**
 * Claims a logout token, by its `jti`, for all instances, so that it ends no later session. Claims are kept for a day
 * among those of idempotency keys; a token is valid for minutes.
 * @throws ServiceError `VALIDATION_FAILED` for one that was used before.
 */
export async function useLogoutToken(tx: Transaction, issuer: string, jti: string): Promise<void> {
  const id = Buffer.from(hash('sha256', JSON.stringify(['logout token', issuer, jti]), 'hex'), 'hex');
  const claims = await tx.$executeRaw`
    INSERT INTO idempotency_records (id, fingerprint) VALUES (${id}, ${id}) ON CONFLICT DO NOTHING`;
  if (claims === 0) throw new ServiceError('VALIDATION_FAILED', 'The logout token was used before.');
}
