import type { AnyTransaction } from '@service/postgres/sql';
import type { Permission, Role } from '../validation/permissions.ts';

/** Identity of a person, the same in tokens and at the identity provider; names may change. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

export interface TokenClaims {
  /** The user's name; `null` when the token has none, so that it has no active user. */
  readonly subject: string | null;
  /** `null` when it names no user. */
  readonly identity: Subject | null;
  readonly roles: readonly Role[];
  readonly expiresAt: Date;
}

export interface Caller {
  /** `null` for a token whose user has no row. */
  readonly userId: number | null;
  /** Of the user of a key, if they have signed in elsewhere; of a token, see `token`. */
  readonly identity?: Subject | undefined;
  /** The user's name; `null` when the credential names none. */
  readonly name: string | null;
  /** Whether the credential belongs to an active user; if not, only `ping` is allowed (`docs/contract.md` 2). */
  readonly active: boolean;
  /** The lowest for a role that this version does not know. */
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
  readonly readOnly: boolean;
  readonly keyId: number | null;
  /** Expiry of a token, by the clock of this instance; `null` for a key, whose expiry the database checks. */
  readonly expiresAt: Date | null;
  readonly token?: TokenClaims;
}

/**
 * Account that limits count for: the user's, with all their keys, sessions and tokens. A token without a row of its user
 * counts by issuer and subject; tokens that name nobody count together.
 */
export const accountOf = ({ userId, token }: Pick<Caller, 'userId' | 'token'>): string =>
  userId === null ? accountOfIdentity(token?.identity) : `user ${userId}`;

/**
 * Whose idempotency keys and editions a request has: the person's, by their identity, which is the same before and after a
 * user is made of a token; the user's without one.
 */
export function ownerOf(caller: Pick<Caller, 'userId' | 'token' | 'identity'>): string {
  const identity = caller.identity ?? caller.token?.identity;
  return identity == null ? accountOf(caller) : accountOfIdentity(identity);
}

const accountOfIdentity = (identity: Subject | null | undefined): string => `token ${JSON.stringify(identity ?? null)}`;

/** Follows the permissions of callers while they are served. */
export interface CallerWatch {
  /** Calls back at most once, with the changed caller or, if invalid, `undefined`. Returns a function that stops. */
  watch(caller: Caller, onChange: (now: Caller | undefined) => void): () => void;
  /** Whether a transaction sees the caller with the permissions that it has had. */
  isCurrent(tx: AnyTransaction, caller: Caller): Promise<boolean>;
}

/** Author of a change, for the audit log. */
export interface Actor {
  /** Name of the user, or `cli` or `start`. */
  readonly name: string;
  readonly keyId: number | null;
  readonly requestId: string | null;
  /** The change that the entries belong to, a UUID: unlike a number, it never names another change after a restore. */
  readonly changeId: string;
  /**
   * Time of all entries; by default the beginning of the transaction, which for an import comes before its file is
   * read.
   */
  readonly at?: Date;
}
