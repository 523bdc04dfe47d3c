/** Why somebody is not signed in; the console has a sentence for each. */
type Problem = 'no-role' | 'disabled' | 'cancelled' | 'failed' | 'away' | 'misconfigured';

/** Reasons that no user can mend: they are a warning for the operator. */
const faults: readonly Problem[] = ['away', 'misconfigured'];

export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly problem: Problem;
  readonly isFault: boolean;

  /** `said`: the cause, for the operator; never a part of a token or of a secret. */
  constructor(problem: Problem, said?: string) {
    super(said ?? problem);
    this.problem = problem;
    this.isFault = faults.includes(problem);
  }
}
