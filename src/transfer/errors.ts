/** A file that cannot be read as rows of the format. The message is for whoever gave the file, and names the line. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** The catalog changed while it was compared with a file, in a way that matters. Trying again helps. */
export class CatalogChangedError extends Error {
  override readonly name = 'CatalogChangedError';
}

/** A backup that cannot be made or restored. The message is for whoever asked for it. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
