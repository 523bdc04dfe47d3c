import type { Permission } from './permissions.ts';

export interface Caller {
  /** `null` for a token, whose user needs no row. */
  readonly userId: number | null;
  /** The user's name; `null` when the credential names none. */
  readonly name: string | null;
  /** Whether the credential belongs to an active user; if not, only `ping` is allowed (`docs/contract.md` 2). */
  readonly active: boolean;
  readonly permissions: ReadonlySet<Permission>;
  readonly readOnly: boolean;
  readonly keyId: number | null;
  /** Whether the key is a session. */
  readonly isSession?: boolean;
  /** When a token expires, by the clock of this instance; `null` for a key, whose expiry the database checks. */
  readonly expiresAt: Date | null;
}
