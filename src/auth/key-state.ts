import type { ApiKey, Prisma } from '../generated/prisma/client.ts';

/** Where a key is in its life: it works, or why it does not. */
export const keyStates = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof keyStates)[number];

/**
 * Whether a key works, or why it does not. Once revoked is revoked, whatever any clock says.
 *
 * @param now by the clock of the database, as `databaseNow` reads it.
 */
export function stateOf(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired';
  return 'active';
}

/** The condition under which `stateOf` returns a state. */
export function inState(state: KeyState, now: Date): Prisma.ApiKeyWhereInput {
  switch (state) {
    case 'revoked':
      return { revokedAt: { not: null } };
    case 'expired':
      return { revokedAt: null, expiresAt: { lte: now } };
    case 'active':
      return { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
  }
}
