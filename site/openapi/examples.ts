import { pageOf } from '../../src/validation/pages.ts';

/** A fresh service after the example requests, the program first. A test sends them and compares. */
export const newProgram = { name: 'Bachelor of Technology', duration: '4 Years' };
export const newBranch = {
  programId: 1,
  name: 'Computer Science and Engineering',
  years: 4,
  codePrefix: 'CS',
  codeIsNumeric: true,
  description: 'Algorithms, systems, theory.',
};

const { name, description } = newBranch;
const branch = {
  id: 1,
  name,
  description,
  years: [1, 2, 3, 4].map((year) => ({ id: year, year, code: `CS${year}` })),
};
const program = { id: 1, ...newProgram, branches: [branch] };

/** Example records, by GraphQL type; operations select fields from them as from the database. */
export const exampleOfType: Readonly<Record<string, object>> = {
  PingResult: { status: 'ok' },
  Program: program,
  Branch: branch,
  ProgramPage: pageOf([program], 1, 1, 20),
};

export const unknownIdentifier = 42;
