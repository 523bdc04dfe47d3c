import { hash } from 'node:crypto';
import { ServiceError } from '@service/errors';
import type { Transaction } from '../../database/types.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
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

/** What a logout token names: a person, all of whose sessions end, or a session at the provider. */
interface Named {
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly providerSession: string | undefined;
}

interface Logout extends Named {
  readonly issuedAt: Date;
}

/** Which sessions end: beside those of a session at the provider, such of its person as may belong to it. */
export function sessionsNamed({ issuer, subject, providerSession }: Named): Prisma.ApiKeyWhereInput {
  const user = { issuer, ...(subject !== undefined && { subject }) };
  if (providerSession === undefined) return { user };
  if (subject === undefined) return { user, providerSession };
  return { user, OR: [{ providerSession }, { source: 'provider', providerSession: null }] };
}

/** Notes a logout, by the clock of the provider, for sign-ins that wait until sessions have ended. */
export async function noteLogout(
  tx: Transaction,
  { issuer, subject, providerSession, issuedAt }: Logout,
): Promise<void> {
  const ids = [
    ...(providerSession === undefined ? [] : [ofSession(issuer, providerSession)]),
    ...(subject === undefined ? [] : [ofPerson(issuer, subject, providerSession === undefined)]),
  ];
  for (const id of ids) {
    await tx.$executeRaw`
      INSERT INTO idempotency_records AS noted (id, fingerprint, created_at) VALUES (${id}, ${id}, ${issuedAt})
      ON CONFLICT (id) DO UPDATE SET created_at = greatest(noted.created_at, excluded.created_at)`;
  }
}

/**
 * Rejects a sign-in in a session that the provider has ended, or whose ID token is no younger than a logout of the person;
 * when it names no session, than one of any session of theirs.
 * @throws SignInError `failed`
 */
export async function requireNoLogout(
  tx: Transaction,
  { issuer, subject, providerSession, issuedAt }: Arrived,
): Promise<void> {
  const createdAt = { gte: issuedAt };
  const ofIts =
    providerSession === null
      ? { id: ofPerson(issuer, subject, false), createdAt }
      : { id: ofSession(issuer, providerSession) };
  const ofAll = { id: ofPerson(issuer, subject, true), createdAt };
  const logouts = await tx.idempotencyRecord.count({ where: { OR: [ofIts, ofAll] } });
  if (logouts > 0) throw new SignInError('failed', 'the provider has ended the session meanwhile');
}

const ofSession = (issuer: string, providerSession: string) => idOf('logout of a session', issuer, providerSession);
/** The logout of all sessions of a person, or of any one. */
const ofPerson = (issuer: string, subject: string, isOfAll: boolean) =>
  idOf(isOfAll ? 'logout of a person' : 'logout of a session of a person', issuer, subject);

const idOf = (...parts: unknown[]) => Buffer.from(hash('sha256', JSON.stringify(parts), 'hex'), 'hex');
