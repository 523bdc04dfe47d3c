/** Who changes something, for the audit log. */
export interface Actor {
  /** The user's name, or that of the command line or the start. */
  readonly name: string;
  readonly keyId: number | null;
  readonly requestId: string | null;
  /** The change that the entries belong to, a UUID: unlike a number, it never names another change after a restore. */
  readonly changeId: string;
}
