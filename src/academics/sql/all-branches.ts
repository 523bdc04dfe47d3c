import { inSnapshot } from '@service/postgres/snapshot';
import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import { type Transaction, withDates } from '../../database/types.ts';
import { type Branch, Prisma } from '../../generated/prisma/client.ts';
import type { Window } from '../../validation/lists.ts';
import { type BranchFilter, type ProgramOrder, searchedWords } from '../rules/program-list.ts';
import { type CountRow, countedIn, type Total, totalOf } from './counts.ts';
import { found, inWindow, type ProgramPosition } from './program-list.ts';
import { branchColumns } from './records.ts';

const columns = Prisma.raw(branchColumns);

/** Reads a window of all branches, in its direction, and one more if there are more. */
export async function allBranchesIn(
  db: Transaction,
  filter: BranchFilter,
  order: ProgramOrder,
  window: Window<ProgramPosition>,
): Promise<Branch[]> {
  const { text, values } = Prisma.sql`SELECT ${columns} FROM branches
    WHERE ${inWindow(conditionsOf(filter), order, window)}`;
  return (await queryJson<Branch>(db, { text, values })).map(withDates);
}

/** In one snapshot. */
export async function countsOfAllBranches(db: Transaction, filters: readonly BranchFilter[]): Promise<number[]> {
  const total = totalOf(db, 'branches');
  const [filter, ...others] = filters;
  if (filter !== undefined && others.length === 0) return [await countBranchesOf(db, filter, total)];
  return inSnapshot(db, async (tx) => {
    const counts: number[] = [];
    for (const each of filters) counts.push(await countBranchesOf(tx, each, total));
    return counts;
  });
}

async function countBranchesOf(db: AnyTransaction, filter: BranchFilter, totalOfAll: Total): Promise<number> {
  const conditions = conditionsOf(filter);
  const total = conditions.length === 1 && filter.deleted !== true ? totalOfAll : undefined;
  const { text, values } =
    total === undefined
      ? Prisma.sql`SELECT count(*)::int AS count, NULL AS "countedIn" FROM branches
          WHERE ${Prisma.join(conditions, ' AND ')}`
      : Prisma.sql`SELECT ${total.count} AS count, ${countedIn} AS "countedIn"`;
  const [row] = await queryJson<CountRow>(db, { text, values });
  return total?.remember(row) ?? row?.count ?? 0;
}

export function conditionsOf(filter: BranchFilter): Prisma.Sql[] {
  const { search = '', programId, codes, years, yearCodes, ids, updatedSince, deleted = false } = filter;
  return [
    deleted ? Prisma.sql`deleted_at IS NOT NULL` : Prisma.sql`deleted_at IS NULL`,
    ...searchedWords(search).map(found),
    ...(programId === undefined ? [] : [Prisma.sql`program_id = ${programId}`]),
    ...(codes === undefined ? [] : [Prisma.sql`code = ANY (${codes}::text[])`]),
    ...(years === undefined ? [] : [Prisma.sql`${yearCount} = ${years}`]),
    ...(yearCodes === undefined ? [] : [withYearCodes(yearCodes)]),
    ...(ids === undefined ? [] : [Prisma.sql`id = ANY (${ids}::int[])`]),
    ...(updatedSince === undefined ? [] : [Prisma.sql`updated_at >= ${updatedSince}`]),
  ];
}

const withYearCodes = (codes: readonly string[]): Prisma.Sql =>
  Prisma.sql`id IN (SELECT branch_id FROM branch_years WHERE code = ANY (${codes}::text[]))`;

const yearCount = Prisma.sql`(SELECT count(*) FROM branch_years WHERE branch_id = branches.id)`;
