/** A file that cannot be parsed. The message is for the user, and names the line. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** A record changed while it was compared with the file. A retry helps. */
export class CatalogChangedError extends Error {
  override readonly name = 'CatalogChangedError';
}

export class BackupError extends Error {
  override readonly name = 'BackupError';
}
