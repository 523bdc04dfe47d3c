import { hash } from 'node:crypto';
import { createCredentialMask } from '@service/telemetry/untrusted-text';
import type { ApiKey, Prisma } from '../../generated/prisma/client.ts';
import { keyPrefix } from '../../validation/api-key-form.ts';

/** Masks keys of this service, and tokens, in the texts of clients. */
export const maskCredentials = createCredentialMask(keyPrefix);

/** Characters of a key that lists show: enough to recognize it, far too few to guess it. */
const shownLength = 10;

/** The database stores the SHA-256: keys have too much entropy for a slow hash to add anything. */
export function hashApiKey(key: string): Buffer<ArrayBuffer> {
  return hash('sha256', key, 'buffer') as Buffer<ArrayBuffer>;
}

/** Returns the hash in base64, as the lookup cache has it. */
export function hashApiKeyAsText(key: string): string {
  return hash('sha256', key, 'base64');
}

/** The beginning of a key, which lists show in its place. */
export function displayPrefixOf(key: string): string {
  return key.slice(0, shownLength);
}

export const keyKinds = ['key', 'session'] as const;
export type KeyKind = (typeof keyKinds)[number];

export const keyStates = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof keyStates)[number];

/** `null` is never. */
export const isLater = (end: Date | null, other: Date | null): boolean =>
  (end?.getTime() ?? Number.POSITIVE_INFINITY) > (other?.getTime() ?? Number.POSITIVE_INFINITY);

export const earlier = (end: Date | null, other: Date | null): Date | null => (isLater(end, other) ? other : end);

/** Returns the state of a key, with `now` by the clock of the database. A revoked key stays revoked. */
export function keyState(
  { revokedAt, expiresAt, signInUntil }: Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'signInUntil'>,
  now: Date,
): KeyState {
  if (revokedAt !== null) return 'revoked';
  return isLater(earlier(expiresAt, signInUntil), now) ? 'active' : 'expired';
}

/** A condition for Prisma. */
export function inState(state: KeyState, now: Date): Prisma.ApiKeyWhereInput {
  switch (state) {
    case 'revoked':
      return { revokedAt: { not: null } };
    case 'expired':
      return { revokedAt: null, OR: [{ expiresAt: { lte: now } }, { signInUntil: { lte: now } }] };
    case 'active':
      return {
        revokedAt: null,
        AND: [
          { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
          { OR: [{ signInUntil: null }, { signInUntil: { gt: now } }] },
        ],
      };
  }
}
