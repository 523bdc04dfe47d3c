interface OperationTexts {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly success: string;
}

export const tags = [
  { name: 'Programs', description: 'Structured sets of courses that lead to a qualification, and their branches.' },
  { name: 'Branches', description: 'Specializations within a program, and their years.' },
  { name: 'Service', description: 'Checking your credentials.' },
];

/** The texts of each operation, by the name of its document. */
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
  },
  CreateProgram: {
    tag: 'Programs',
    summary: 'Create a program',
    description:
      'Creates a program without branches. Send an `Idempotency-Key` so that a retry does not create it twice.',
    success: 'The new program; its URL is in `Location`.',
  },
  RetrieveProgram: {
    tag: 'Programs',
    summary: 'Retrieve a program',
    description: 'Returns a program with its branches, ordered by id.',
    success: 'The program.',
  },
  RetrieveBranch: {
    tag: 'Branches',
    summary: 'Retrieve a branch',
    description: 'Returns a branch with its years, in order.',
    success: 'The branch.',
  },
  CreateBranch: {
    tag: 'Branches',
    summary: 'Create a branch',
    description:
      'Creates a branch of a program, with its years: `years: 3` with the prefix `L` creates the years `L1`, `L2` and `L3`, or `LA`, `LB` and `LC` when `codeIsNumeric` is false. The response does not include the years: [retrieve the branch](#retrieveBranch) to see them.',
    success: 'The new branch; its URL is in `Location`.',
  },
};
