import { Prisma } from '../../generated/prisma/client.ts';

/** The entries of a program, of its branches, and those by which branches left it: a condition for each, with an index. */
export const entriesOfProgram = (id: number): readonly Prisma.Sql[] => [
  Prisma.sql`subject = 'Program' AND subject_id = ${id}`,
  Prisma.sql`subject = 'Branch' AND (coalesce(after, before) ->> 'programId')::int = ${id}`,
  Prisma.sql`subject = 'Branch' AND before ->> 'programId' <> after ->> 'programId'
    AND (before ->> 'programId')::int = ${id}`,
];
