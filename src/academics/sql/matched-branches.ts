import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import { type Branch, Prisma } from '../../generated/prisma/client.ts';
import { searchedBy } from '../lists/ranking.ts';
import { type WithSimilarWords, wordsOf } from '../lists/words.ts';
import type { ProgramFilter } from '../rules/filters.ts';
import { branchSelection, withDates } from './records.ts';

/** A program, and the search that has found it. */
export interface FoundProgram {
  readonly programId: number;
  readonly foundBy: WithSimilarWords<ProgramFilter>;
}

/** A program may have hundreds that match. */
export const matchedMax = 10;

/** Finds the branches of each program that have words of its search in name or code, those with most words first. */
export async function matchedBranches(db: AnyTransaction, found: readonly FoundProgram[]): Promise<Branch[][]> {
  const bySearch = new Map<FoundProgram['foundBy'], Map<number, Branch[]>>();
  for (const { programId, foundBy } of found) {
    bySearch.set(foundBy, (bySearch.get(foundBy) ?? new Map<number, Branch[]>()).set(programId, []));
  }
  for (const [filter, byProgram] of bySearch) {
    for (const branch of await branchesIn(db, [...byProgram.keys()], filter)) {
      byProgram.get(branch.programId)?.push(branch);
    }
  }
  return found.map(({ programId, foundBy }) => bySearch.get(foundBy)?.get(programId) ?? []);
}

async function branchesIn(db: AnyTransaction, programs: number[], filter: FoundProgram['foundBy']): Promise<Branch[]> {
  const matches = wordsOf(filter).map((word) => Prisma.sql`(${searchedBy(filter).matches([word])})`);
  const counted = matches.map((match) => Prisma.sql`(${match} IS TRUE)::int`);
  const own = filter.deleted === true ? Prisma.sql`deleted_with_program` : Prisma.sql`deleted_at IS NULL`;
  const { text, values } = Prisma.sql`
    SELECT ${Prisma.raw(branchSelection)} FROM unnest(${programs}::int[]) AS found (program) CROSS JOIN LATERAL (
      SELECT *, ${Prisma.join(counted, ' + ')} AS matches FROM branches
      WHERE program_id = program AND ${own} AND (${Prisma.join(matches, ' OR ')})
      ORDER BY matches DESC, sorted_name, id LIMIT ${matchedMax}
    ) AS branch
    ORDER BY program, matches DESC, sorted_name, id`;
  return (await queryJson<Branch>(db, { text, values })).map(withDates);
}
