import { StartupError } from '../../errors.ts';

const SENTENCES: Record<string, string> = {
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  EROFS: 'The file system is read-only',
  ENOSPC: 'There is no space left on the disk',
  EDQUOT: 'The disk quota is used up',
  ENOTDIR: 'Not a directory',
  EEXIST: 'Not a directory',
};

export function hasCode(error: unknown, code: string): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && error.code === code;
}

export function osErrorReason(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  if (!(error instanceof Error)) return `${String(error)}.`;
  const { code, path } = error as NodeJS.ErrnoException;
  const sentence = code === undefined ? undefined : SENTENCES[code];
  if (sentence !== undefined) return path === undefined ? `${sentence}.` : `${sentence}: ${path}.`;
  return `${error.message.split('\n')[0]?.replace(/\.$/, '')}.`;
}
