/** A backup or a restore that cannot be done. The message is for the operator. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError';
}

/** The database to restore into has rows. */
export class NotEmptyError extends BackupError {
  override readonly name = 'NotEmptyError';
}
