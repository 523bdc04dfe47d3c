import { lockAccounts } from '../../database/locks.ts';
import type { Transaction } from '../../database/types.ts';
import { type ApiKey, Prisma } from '../../generated/prisma/client.ts';
import { apiKeyInvalid } from '../../operations/authentication-errors.ts';
import type { Caller } from '../../operations/caller.ts';
import { keyState } from './api-key.ts';
import { noSignInEnd, type SignInEnd } from './sign-in-end.ts';

// A key passes its restrictions on to keys and sessions made with it (`docs/contract.md` 3): they end no later, are
// read-only when it is, and are revoked with it.

/** Restrictions that a credential passes on to a key made with it. */
export interface Inherited {
  readonly madeWith: number | null;
  readonly source: 'token' | null;
  readonly readOnly: boolean;
  /** The latest end of the key; `null` when there is none. */
  readonly latest: Date | null;
  readonly signIn: SignInEnd;
}

/** Applies on the command line, and in a session that began at the identity provider: its owner acts in person. */
export const unrestricted: Inherited = {
  madeWith: null,
  source: null,
  readOnly: false,
  latest: null,
  signIn: noSignInEnd,
};

/**
 * Reads the restrictions that the caller passes on; no key changes until the transaction ends.
 * @throws ServiceError `API_KEY_INVALID` when the credential has ended since.
 */
export async function inheritedFrom(tx: Transaction, caller: Caller): Promise<Inherited> {
  const { keyId, token } = caller;
  const now = await lockAccounts(tx);
  if (keyId === null) {
    if (token === undefined || token.expiresAt <= now) throw apiKeyInvalid();
    return { ...unrestricted, source: 'token', latest: token.expiresAt };
  }
  const key = await tx.apiKey.findUnique({ where: { id: keyId } });
  if (key === null || keyState(key, now) !== 'active') throw apiKeyInvalid();
  if (key.source === 'provider') return { ...unrestricted, readOnly: key.readOnly };
  const source = key.source === 'token' ? 'token' : null;
  const { signInOf, signInUntil } = key;
  return {
    madeWith: key.id,
    source,
    readOnly: key.readOnly,
    latest: await endOf(tx, key),
    signIn: { signInOf, signInUntil },
  };
}

/** Returns the end to pass on. A session passes on the end of its origin: its own, earlier end is about the browser. */
async function endOf(tx: Transaction, { kind, madeWith, expiresAt, endsAt }: ApiKey): Promise<Date | null> {
  if (kind !== 'session') return expiresAt;
  const maker = madeWith === null ? null : await tx.apiKey.findUnique({ where: { id: madeWith } });
  return maker === null ? endsAt : maker.expiresAt;
}

/**
 * Finds, as `made`, all that was made with a key or with those whose place it has taken, directly or not, and what took
 * the place of any of it; of a session also what took its own place: whoever has it made that, too.
 */
const madeWith = (id: number): Prisma.Sql => Prisma.sql`
  WITH RECURSIVE place AS (
    SELECT id, replaces FROM api_keys WHERE id = ${id}
    UNION SELECT api_keys.id, api_keys.replaces FROM api_keys JOIN place ON api_keys.id = place.replaces
  ), made AS (
    SELECT id FROM api_keys
      WHERE (made_with IN (SELECT id FROM place) OR (kind = 'session' AND replaces = ${id})) AND id <> ${id}
    UNION SELECT api_keys.id FROM api_keys JOIN made ON made.id IN (api_keys.made_with, api_keys.replaces)
      WHERE api_keys.id <> ${id}
  )`;

/** Revokes what was made with a key; returns the ids of those that were active. */
export async function revokeMadeWith(tx: Transaction, id: number, at: Date): Promise<number[]> {
  const revoked = await tx.$queryRaw<{ id: number; wasActive: boolean }[]>`
    ${madeWith(id)}
    UPDATE api_keys SET revoked_at = ${at} WHERE id IN (SELECT id FROM made) AND revoked_at IS NULL
    RETURNING id, coalesce(least(expires_at, sign_in_until) > ${at}, true) AS "wasActive"`;
  return revoked.flatMap((key) => (key.wasActive ? key.id : [])).sort((one, other) => one - other);
}

/** Ends what was made with a key no later than then. */
export async function shortenMadeWith(tx: Transaction, id: number, end: Date | null): Promise<void> {
  await tx.$executeRaw`
    ${madeWith(id)}
    UPDATE api_keys SET expires_at = least(expires_at, ${end}::timestamptz(3)),
      ends_at = CASE kind WHEN 'session' THEN least(ends_at, ${end}::timestamptz(3)) END
    WHERE id IN (SELECT id FROM made) AND revoked_at IS NULL`;
}

/** Ends the sessions of a replaced key; keys made with it now belong to its replacement. */
export async function endSessionsOf(tx: Transaction, { id, revokedAt, expiresAt }: ApiKey): Promise<void> {
  await tx.$executeRaw`
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${revokedAt}::timestamptz(3)),
      expires_at = least(expires_at, ${expiresAt}::timestamptz(3)), ends_at = least(ends_at, ${expiresAt}::timestamptz(3))
    WHERE made_with = ${id} AND kind = 'session'`;
}

/**
 * Deletes keys. What was made with them is from then on made with what took their place, or else with what they come
 * from, the latest of several: it is still revoked with that.
 */
export async function forgetKeys(tx: Transaction, ids: readonly number[]): Promise<void> {
  const gone = Prisma.sql`gone AS (SELECT id, made_with, replaces FROM api_keys WHERE id = ANY (${ids}::int[]))`;
  await tx.$executeRaw`
    WITH RECURSIVE ${gone}, origin AS (
      SELECT api_keys.id AS made, gone.id, gone.id AS nearest FROM api_keys JOIN gone ON gone.id = api_keys.made_with
        WHERE api_keys.id NOT IN (SELECT id FROM gone)
      UNION SELECT origin.made, api_keys.id, origin.nearest FROM origin JOIN gone USING (id)
        JOIN api_keys ON api_keys.id IN (gone.made_with, gone.replaces)
    ), left_of AS (
      SELECT made, nearest, max(id) FILTER (WHERE id NOT IN (SELECT id FROM gone)) AS latest
      FROM origin GROUP BY made, nearest
    )
    UPDATE api_keys SET made_with = coalesce((SELECT max(id) FROM api_keys heir
      WHERE heir.replaces = nearest AND heir.id NOT IN (SELECT id FROM gone)), latest)
    FROM left_of WHERE api_keys.id = made`;
  await tx.$executeRaw`
    WITH ${gone}
    UPDATE api_keys SET replaces = gone.replaces FROM gone
    WHERE api_keys.replaces = gone.id AND api_keys.id NOT IN (SELECT id FROM gone)`;
  await tx.$executeRaw`DELETE FROM api_keys WHERE id = ANY (${ids}::int[])`;
}
