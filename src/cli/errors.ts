import { BackupError } from '@service/backup/errors';
import { ServiceError, StartupError } from '@service/errors';
import { messageOf } from '@service/errors/problems';
import { connectionReason, isOutage } from '@service/postgres/errors';
import { FileError } from '@service/tabular/errors';
import { CatalogChangedError } from '../academics/import-export/import/merge.ts';

const failed = 1;
const fileHasProblems = 3;

/** A failed command, exit code 1. The message is printed as it is. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
}

/** A file with invalid rows; nothing was imported: exit code 3. */
export class FileRejected extends CommandFailure {
  override readonly name = 'FileRejected';
}

/** The reason of an abort signal: the command ends early and rolls back. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  /** @param message printed at the end, unless empty. */
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Errors whose messages are meant for users. */
const userErrors = [CommandFailure, StartupError, ServiceError, FileError, CatalogChangedError, BackupError];

/** Errors of the operating system about a file to be written, as sentences that an operator can act on. */
const fileProblems: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large for its file system',
};

function fileProblemOf(problem: unknown): string | undefined {
  if (!(problem instanceof Error && 'code' in problem && 'syscall' in problem)) return undefined;
  const sentence = fileProblems[String(problem.code)];
  const place = 'path' in problem ? ` ${String(problem.path).replace(/\.unfinished-[\w-]+$/, '')}` : '';
  return sentence && `Cannot write${place}: ${sentence}.`;
}

/** The message to print for an error: one line, never a stack. */
export function messageFor(problem: unknown): string {
  // Whose own message speaks of a request.
  if (problem instanceof ServiceError && problem.code === 'VALIDATION_FAILED' && problem.errors !== undefined) {
    return Object.values(problem.errors).flat().map(messageOf).join(' ');
  }
  if (problem instanceof Error && userErrors.some((kind) => problem instanceof kind)) return problem.message;
  if (problem instanceof AggregateError && problem.errors.length > 0) return messageFor(problem.errors[0]);
  if (isOutage(problem))
    return `The database cannot be reached, or does not respond in time (${connectionReason(problem)}). Please try again.`;
  const ofFile = fileProblemOf(problem);
  if (ofFile !== undefined) return ofFile;
  // Prisma's message has an excerpt of the code first and the reason last.
  const lines = problem instanceof Error ? problem.message.split('\n').filter((line) => line.trim() !== '') : [];
  return `The command failed: ${lines.at(-1)?.trim() ?? 'unknown reason'}`;
}

/** The exit code for an error: 3 for errors in a file to import, else 1. */
export function exitCodeOf(problem: unknown): number {
  return problem instanceof FileRejected || problem instanceof FileError ? fileHasProblems : failed;
}
