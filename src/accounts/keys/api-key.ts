import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createCredentialMask } from '@service/telemetry/untrusted-text';
import type { ApiKey, Prisma } from '../../generated/prisma/client.ts';

/** u-a-s: university academic structure. A fixed prefix lets secret scanners find a leaked key. */
const prefix = 'uas_';
/** Masks keys of this service, and tokens, in the texts of clients. */
export const maskCredentials = createCredentialMask(prefix);

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;
/** Characters of a key that lists show: enough to recognize it, far too few to guess it. */
const shownLength = 10;

const form = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** CRC-32 in base62: not a secret, only so that a typo is rejected without a query. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < checksumLength) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

/** A new API key: `uas_`, 32 random base62 characters (190 bits) and a 6-character checksum (`docs/contract.md` 3). */
export function makeApiKey(): string {
  const random = Array.from({ length: randomLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return prefix + random + checksumOf(prefix + random);
}

/** A key with the prefix `uas_` needs the right form and checksum; operators may choose any other text. */
export function isWellFormedApiKey(text: string): boolean {
  if (!text.startsWith(prefix)) return true;
  return form.test(text) && text.endsWith(checksumOf(text.slice(0, -checksumLength)));
}

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
export function stateOf(
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
