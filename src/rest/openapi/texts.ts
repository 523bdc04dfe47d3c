interface OperationTexts {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** What a successful answer says. */
  readonly success: string;
}

/** The chapters of the reference. */
export const tags = [
  { name: 'Programs', description: 'Structured sets of courses that lead to a qualification, and their branches.' },
  { name: 'Branches', description: 'Specializations inside one program, and the years of each.' },
  { name: 'Service', description: 'Whether the service knows you.' },
];

/** What is told about each operation, by the name of its document. */
export const operationTexts: Readonly<Record<string, OperationTexts>> = {
  Ping: {
    tag: 'Service',
    summary: 'Ping',
    description: 'Checks that your API key is accepted.',
    success: 'The key is good.',
  },
  ListPrograms: {
    tag: 'Programs',
    summary: 'List programs',
    description:
      'One page of the programs, in the order of their ids. A page past the end is empty, not an error. Branches are not listed here: [retrieve a program](#retrieveProgram) to see its own.',
    success: 'The page.',
  },
  CreateProgram: {
    tag: 'Programs',
    summary: 'Create a program',
    description:
      'Adds a program, without branches yet. Send an `Idempotency-Key` to be able to repeat the request without adding it twice.',
    success: 'The new program; its address is in `Location`.',
  },
  RetrieveProgram: {
    tag: 'Programs',
    summary: 'Retrieve a program',
    description: 'One program with its branches, in the order of their ids.',
    success: 'The program.',
  },
  RetrieveBranch: {
    tag: 'Branches',
    summary: 'Retrieve a branch',
    description: 'One branch with its years, from the first to the last.',
    success: 'The branch.',
  },
  CreateBranch: {
    tag: 'Branches',
    summary: 'Create a branch',
    description:
      'Adds a branch to a program, and its years with it: `years: 3` with the prefix `L` makes the years `L1`, `L2` and `L3`, or `LA`, `LB` and `LC` when `codeIsNumeric` is false. The answer does not repeat the years: [retrieve the branch](#retrieveBranch) to see them.',
    success: 'The new branch; its address is in `Location`.',
  },
};
