import { hash } from 'node:crypto';
import { ServiceError } from '@service/errors';
import type { Transaction } from '../../database/types.ts';
import type { Arrived } from './identities.ts';
import { SignInError } from './sign-in-error.ts';

// Logout tokens and what they have ended are kept for a day among the claims of idempotency keys, for all instances: a
// token is valid for minutes, and a sign-in that it overtakes waits for less than one.

/**
 * Claims a logout token, by its `jti`, so that it ends no later session.
 * @throws ServiceError `VALIDATION_FAILED` for one that was used before.
 */
export async function useLogoutToken(tx: Transaction, issuer: string, jti: string): Promise<void> {
  const id = idOf('logout token', issuer, jti);
  const claims = await tx.$executeRaw`
    INSERT INTO idempotency_records (id, fingerprint) VALUES (${id}, ${id}) ON CONFLICT DO NOTHING`;
  if (claims === 0) throw new ServiceError('VALIDATION_FAILED', 'The logout token was used before.');
}

interface Logout {
  readonly issuer: string;
  /** Only with one of a session at the provider is the logout of that alone. */
  readonly subject: string | undefined;
  readonly providerSession: string | undefined;
  readonly issuedAt: Date;
}

/** Notes a logout, by the clock of the provider, for sign-ins that wait until sessions have ended. */
export async function noteLogout(
  tx: Transaction,
  { issuer, subject, providerSession, issuedAt }: Logout,
): Promise<void> {
  const id = providerSession === undefined ? ofPerson(issuer, subject) : ofSession(issuer, providerSession);
  await tx.$executeRaw`
    INSERT INTO idempotency_records AS noted (id, fingerprint, created_at) VALUES (${id}, ${id}, ${issuedAt})
    ON CONFLICT (id) DO UPDATE SET created_at = greatest(noted.created_at, excluded.created_at)`;
}

/**
 * Rejects a sign-in in a session that the provider has ended, or whose ID token is no younger than a logout of the person.
 * @throws SignInError `failed`
 */
export async function requireNoLogout(
  tx: Transaction,
  { issuer, subject, providerSession, issuedAt }: Arrived,
): Promise<void> {
  const logouts = await tx.idempotencyRecord.count({
    where: {
      OR: [{ id: ofSession(issuer, providerSession) }, { id: ofPerson(issuer, subject), createdAt: { gte: issuedAt } }],
    },
  });
  if (logouts > 0) throw new SignInError('failed', 'the provider has ended the session meanwhile');
}

const ofSession = (issuer: string, providerSession: string | null) =>
  idOf('logout of a session', issuer, providerSession);
const ofPerson = (issuer: string, subject: string | undefined) => idOf('logout of a person', issuer, subject);

const idOf = (...parts: unknown[]) => Buffer.from(hash('sha256', JSON.stringify(parts), 'hex'), 'hex');
