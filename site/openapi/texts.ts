import { newBranch, newProgram } from './examples.ts';

interface OperationTexts {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly success: string;
  /** Example input. */
  readonly valid?: Readonly<Record<string, unknown>>;
  /** Input with as many errors as possible. */
  readonly invalid?: Readonly<Record<string, unknown>>;
}

export const tags = [
  { name: 'Programs', description: 'Structured sets of courses that lead to a qualification, and their branches.' },
  { name: 'Branches', description: 'Specializations within a program, and their years.' },
  { name: 'Service', description: 'Checking your credentials.' },
];

/** The texts and example input of each endpoint, by its name. */
export const operationTexts: Readonly<Record<string, OperationTexts>> = {
  Ping: {
    tag: 'Service',
    summary: 'Ping',
    description: 'Checks that your API key is accepted.',
    success: 'The key is valid.',
  },
  ListPrograms: {
    tag: 'Programs',
    summary: 'List programs',
    description:
      'Returns one page of programs, ordered by id. A page past the end is empty, not an error. Branches are not included: [retrieve a program](#retrieveProgram) to see them.',
    success: 'The requested page.',
    valid: { page: 1, size: 20 },
    invalid: { page: 0, size: 0 },
  },
  CreateProgram: {
    tag: 'Programs',
    summary: 'Create a program',
    description:
      'Creates a program without branches. Send an `Idempotency-Key` so that a retry does not create it twice.',
    success: 'The new program; its URL is in `Location`.',
    valid: newProgram,
    invalid: { name: '', duration: 4 },
  },
  RetrieveProgram: {
    tag: 'Programs',
    summary: 'Retrieve a program',
    description: 'Returns a program with its branches, ordered by id.',
    success: 'The program.',
    valid: { id: 1 },
    invalid: { id: 'seven' },
  },
  RetrieveBranch: {
    tag: 'Branches',
    summary: 'Retrieve a branch',
    description: 'Returns a branch with its years, in order.',
    success: 'The branch.',
    valid: { id: 1 },
    invalid: { id: 'seven' },
  },
  CreateBranch: {
    tag: 'Branches',
    summary: 'Create a branch',
    description:
      'Creates a branch of a program, with its years: `years: 3` with the prefix `L` creates the years `L1`, `L2` and `L3`, or `LA`, `LB` and `LC` when `codeIsNumeric` is false. The response does not include the years: [retrieve the branch](#retrieveBranch) to see them.',
    success: 'The new branch; its URL is in `Location`.',
    valid: newBranch,
    invalid: { programId: '1', years: 12, codeIsNumeric: 'yes' },
  },
};
