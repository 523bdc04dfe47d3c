import { ServiceError, StartupError } from '../errors.ts';
import { BackupError, CatalogChangedError, FileError } from '../transfer/errors.ts';

const failed = 1;
const fileHasProblems = 3;

/** A command that cannot do its work, in words for whoever typed it: printed as it is, then exit code 1. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
}

/** A file with rows that cannot be imported, so that nothing was: exit code 3. */
export class FileRefused extends CommandFailure {
  override readonly name = 'FileRefused';
}

/** The reason of an abort signal: the command ends early, undoing what it has not finished. */
export class Interrupted extends Error {
  override readonly name = 'Stopped';
  readonly exitCode: number;

  /** @param message what to say at the end; empty for nothing. */
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Errors whose messages are written for whoever reads them. */
const forPeople = [CommandFailure, StartupError, ServiceError, FileError, CatalogChangedError, BackupError];

/** What to print of an error: one sentence, never a stack. */
export function messageFor(problem: unknown): string {
  if (problem instanceof Error && forPeople.some((kind) => problem instanceof kind)) return problem.message;
  if (problem instanceof AggregateError && problem.errors.length > 0) return messageFor(problem.errors[0]);
  // Prisma puts an extract of our code before the reason, which comes last.
  const lines = problem instanceof Error ? problem.message.split('\n').filter((line) => line.trim() !== '') : [];
  return `The command failed: ${lines.at(-1)?.trim() ?? 'unknown reason'}`;
}

/** The exit code for an error: 3 when it is the file's to import, else 1. */
export function exitCodeOf(problem: unknown): number {
  return problem instanceof FileRefused || problem instanceof FileError ? fileHasProblems : failed;
}
