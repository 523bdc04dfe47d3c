import { pageOf } from '../../academics/page.ts';
import { yearsOf } from '../../academics/year-codes.ts';

/**
 * A small catalog for examples: what a fresh service holds and answers once the example requests have been made,
 * the program first. A test makes them.
 */
const newProgram = { name: 'Bachelor of Technology', duration: '4 Years' };
const newBranch = {
  programId: 1,
  name: 'Computer Science and Engineering',
  years: 4,
  codePrefix: 'CS',
  codeIsNumeric: true,
  description: 'Algorithms, systems, theory.',
};

const { name, description, years, codePrefix, codeIsNumeric } = newBranch;
const branch = {
  id: 1,
  name,
  description,
  years: yearsOf(years, codePrefix, codeIsNumeric).map((year, index) => ({ id: index + 1, ...year })),
};
const program = { id: 1, ...newProgram, branches: [branch] };

/** What the catalog holds, by GraphQL type; operations select from it as they do from the database. */
export const exampleOfType: Readonly<Record<string, object>> = {
  PingResult: { status: 'ok' },
  Program: program,
  Branch: branch,
  ProgramPage: pageOf([program], 1, 1, 20),
};

interface ExampleRequests {
  /** Input that is accepted. */
  readonly good?: Readonly<Record<string, unknown>>;
  /** Input in which everything is wrong that can be. */
  readonly bad?: Readonly<Record<string, unknown>>;
}

/** Input for each operation that takes any, by the name of its document. */
export const exampleRequests: Readonly<Record<string, ExampleRequests>> = {
  ListPrograms: { good: { page: 1, size: 20 }, bad: { page: 0, size: 0 } },
  CreateProgram: { good: newProgram, bad: { name: '', duration: 4 } },
  RetrieveProgram: { good: { id: 1 }, bad: { id: 'seven' } },
  RetrieveBranch: { good: { id: 1 }, bad: { id: 'seven' } },
  CreateBranch: { good: newBranch, bad: { programId: '1', years: 12, codeIsNumeric: 'yes' } },
};

/** An identifier that the catalog does not know. */
export const unknownIdentifier = 42;
