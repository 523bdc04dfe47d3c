import { messageOf, type Problem } from '@service/errors/problems';

/** A file that cannot be parsed. The message is for the user, and names the line. */
export class FileError extends Error {
  override readonly name = 'FileError';
  /** A text alone for what hardly any file has. */
  readonly problem: string | Problem;

  constructor(problem: string | Problem, options?: ErrorOptions) {
    super(messageOf(problem), options);
    this.problem = problem;
  }
}
