import { type AnyTransaction, queryRows } from '@service/postgres/sql';
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

type StoredUser = Pick<User, 'id' | 'name' | 'role' | 'disabled' | 'issuer' | 'subject'>;

/** The users of tokens, in their order. */
export async function readTokenUsers(db: AnyTransaction, tokens: readonly TokenClaims[]): Promise<TokenUser[]> {
  const names = [...new Set(tokens.flatMap(({ subject }) => subject ?? []))];
  const subjects = [...new Set(tokens.flatMap(({ identity }) => identity?.subject ?? []))];
  const known = await queryRows<StoredUser>(db, {
    text: `SELECT id, name, role, disabled, issuer, subject FROM users WHERE subject = ANY ($1::text[])
      UNION SELECT id, name, role, disabled, issuer, subject FROM users
      WHERE name = ANY ($2::text[]) AND issuer IS NULL AND disabled`,
    values: [subjects, names],
  });
  const disabledNames = new Set(
    known.flatMap(({ name, issuer, disabled }) => (issuer === null && disabled ? name : [])),
  );
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
