/** `NO_DATABASE`: there is none yet, and none was to be made. `OTHER_VERSION`: its files are another major version's. */
type Code = 'NO_DATABASE' | 'OTHER_VERSION' | 'UNUSABLE';

/** Why an embedded database cannot be used, in sentences for an operator; what to do instead is the caller's to say. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: Code;

  constructor(message: string, code: Code = 'UNUSABLE') {
    super(message);
    this.code = code;
  }
}

const sentences: Record<string, string> = {
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  EROFS: 'The file system is read-only',
  ENOSPC: 'There is no space left on the disk',
  EDQUOT: 'The disk quota is used up',
  ENOTDIR: 'Not a directory',
  EEXIST: 'Not a directory',
};

/** Whether it is an error of the operating system with this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Converts any error; errors of the operating system become a sentence. */
export function toEmbeddedPostgresError(error: unknown): EmbeddedPostgresError {
  return error instanceof EmbeddedPostgresError ? error : new EmbeddedPostgresError(reasonOf(error));
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)}.`;
  const { code, path } = error as NodeJS.ErrnoException;
  const sentence = code === undefined ? undefined : sentences[code];
  if (sentence !== undefined) return path === undefined ? `${sentence}.` : `${sentence}: ${path}.`;
  return `${error.message.split('\n')[0]?.replace(/\.$/, '')}.`;
}
