/** A file that cannot be parsed. The message is for the user, and names the line. */
export class FileError extends Error {
  override readonly name = 'FileError';
}
