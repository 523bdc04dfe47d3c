import type { ApiKey, Prisma } from '../../generated/prisma/client.ts';

export const keyStates = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof keyStates)[number];

/** A revoked key stays revoked, whatever the clock; `now` is by the clock of the database. */
export function stateOf(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired';
  return 'active';
}

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
