import type { Problem } from '@service/errors/problems';

/** A file that cannot be parsed. The message is for the user, and names the line. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message, options);
    this.problem = problem;
  }
}
