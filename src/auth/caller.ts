import type { Permission } from './permissions.ts';

/** Who stands behind a request whose credential is good. */
export interface Caller {
  /** The user's name; `null` when the credential names none. */
  readonly name: string | null;
  /** Whether an active user stands behind the credential; if not, only `ping` answers (`docs/contract.md` 2). */
  readonly active: boolean;
  readonly permissions: ReadonlySet<Permission>;
  /** Whether the key may only read (`docs/contract.md` 3). */
  readonly readOnly: boolean;
  /** The API key that was used; `null` for a token. */
  readonly keyId: number | null;
  /** When a token stops working, by the clock of this instance; `null` for a key, whose end the database tells. */
  readonly expiresAt: Date | null;
}
