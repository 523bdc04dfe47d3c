import type { Database } from '../../database/types.ts';
import type { User } from '../../generated/prisma/client.ts';
import type { Caller, TokenClaims } from '../../operations/caller.ts';
import { highestOf, lowerOf, lowestRole, rightsOf, roleOf } from '../../validation/permissions.ts';
import { isReservedName } from '../audit/audit.ts';
import { clockToleranceSeconds } from '../jwt/tokens.ts';

/** The known user of a token; a token needs no row. */
export interface TokenUser {
  /** The user with its issuer and subject, from a sign-in at the identity provider or with a token. */
  readonly user: Pick<User, 'id' | 'name' | 'role' | 'disabled'> | undefined;
  /** Whether a user without an issuer has its name, and is disabled. */
  readonly isNameDisabled: boolean;
}

/** The users of tokens, in their order; in two statements. */
export async function readTokenUsers(db: Database, tokens: readonly TokenClaims[]): Promise<TokenUser[]> {
  const names = [...new Set(tokens.flatMap(({ subject }) => subject ?? []))];
  const subjects = [...new Set(tokens.flatMap(({ identity }) => identity?.subject ?? []))];
  const select = { id: true, name: true, role: true, disabled: true, issuer: true, subject: true } as const;
  const [known, named] = await Promise.all([
    db.user.findMany({ where: { subject: { in: subjects } }, select }),
    db.user.findMany({ where: { name: { in: names }, issuer: null, disabled: true }, select }),
  ]);
  const disabledNames = new Set(named.map(({ name }) => name));
  return tokens.map(({ subject, identity }) => ({
    user: known.find((user) => user.subject === identity?.subject && user.issuer === identity?.issuer),
    isNameDisabled: subject !== null && disabledNames.has(subject),
  }));
}

/** Limits a known user to the role of their latest sign-in. */
export function callerOfToken(token: TokenClaims, { user, isNameDisabled }: TokenUser): Caller {
  const { subject, roles, expiresAt } = token;
  const name = user?.name ?? (subject === null || isReservedName(subject) ? null : subject);
  const granted = highestOf(roles) ?? lowestRole;
  const role = user === undefined ? granted : lowerOf(granted, roleOf(user.role));
  return {
    userId: user?.id ?? null,
    name,
    active: name !== null && user?.disabled !== true && !isNameDisabled,
    ...rightsOf(role),
    readOnly: false,
    keyId: null,
    expiresAt: new Date(expiresAt.getTime() + clockToleranceSeconds * 1_000),
    token,
  };
}
