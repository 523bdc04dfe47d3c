import { inSnapshot } from '@service/postgres/snapshot';
import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import { type Branch, Prisma } from '../../generated/prisma/client.ts';
import type { Window } from '../../validation/cursors.ts';
import { conditionsBy, type FieldConditions, hasText, recordConditions } from '../lists/conditions.ts';
import { type ListPosition, type Placed, placedRowsIn } from '../lists/order.ts';
import { branchKey } from '../lists/order-keys.ts';
import { allConditions, matchesRarely, type SearchedList, searchedBy } from '../lists/ranking.ts';
import { readWithSimilarWords } from '../lists/similar-words.ts';
import { type WithSimilarWords, wordsOf } from '../lists/words.ts';
import type { BranchCondition, BranchFilter } from '../rules/filters.ts';
import type { Ordering } from '../rules/lists.ts';
import { type CountRow, countedIn, type Total, totalOf } from './counts.ts';
import { branchSelection, withDates } from './records.ts';

const columns = Prisma.raw(branchSelection);

/** Reads a window of all branches, in its direction, and one more if there are more. */
export function allBranchesIn(db: AnyTransaction, filter: BranchFilter, order: Ordering, window: Window<ListPosition>) {
  return readWithSimilarWords(db, branchList, {
    filter,
    bounds: [window.after, window.before],
    read: async (searched) => {
      const { text, values } = placedRowsIn(branchList(searched), order, { ...window, limit: window.limit + 1 });
      return (await queryJson<Placed<Branch>>(db, { text, values })).map(withDates);
    },
    isEmpty: (rows) => rows.length === 0,
  });
}

/** Counts the branches of each filter, in one snapshot. */
export async function countsOfAllBranches(db: AnyTransaction, filters: readonly BranchFilter[]): Promise<number[]> {
  const total = totalOf(db, 'Branch');
  const [filter, ...others] = filters;
  if (filter !== undefined && others.length === 0) return [await countBranchesOf(db, filter, total)];
  return inSnapshot(db, async (tx) => {
    const counts: number[] = [];
    for (const each of filters) counts.push(await countBranchesOf(tx, each, total));
    return counts;
  });
}

async function countBranchesOf(db: AnyTransaction, filter: BranchFilter, total: Total): Promise<number> {
  const read = (searched: WithSimilarWords<BranchFilter>) => countMatching(db, searched, total);
  return (await readWithSimilarWords(db, branchList, { filter, read, isEmpty: (count) => count === 0 })).result;
}

async function countMatching(
  db: AnyTransaction,
  filter: WithSimilarWords<BranchFilter>,
  totalOfAll: Total,
): Promise<number> {
  const conditions = allConditions(branchList(filter));
  const total = conditions.length === 1 && filter.deleted !== true ? totalOfAll : undefined;
  const { text, values } =
    total === undefined
      ? Prisma.sql`SELECT count(*)::int AS count, NULL AS "countedIn" FROM branches
          WHERE ${Prisma.join(conditions, ' AND ')}`
      : Prisma.sql`SELECT ${total.count} AS count, ${countedIn} AS "countedIn"`;
  const [row] = await queryJson<CountRow>(db, { text, values });
  return total?.remember(row) ?? row?.count ?? 0;
}

export function branchList(filter: WithSimilarWords<BranchFilter>): SearchedList {
  const { deleted = false, ids, codes } = filter;
  const whole = deleted ? Prisma.sql`deleted_at IS NOT NULL` : Prisma.sql`deleted_at IS NULL`;
  const searched = searchedBy(filter);
  return {
    table: Prisma.sql`branches`,
    columns,
    isLookup: ids !== undefined || codes !== undefined,
    words: wordsOf(filter),
    searched,
    occurs: (pattern) =>
      Prisma.sql`EXISTS (SELECT FROM branches WHERE ${whole} AND ${matchesRarely(searched, pattern)})`,
    deletedNames: deleted ? Prisma.sql`SELECT name FROM branches WHERE deleted_at IS NOT NULL` : undefined,
    orderKey: branchKey,
    conditions: [whole, ...conditionsBy(branchConditions, filter)],
  };
}

/** The years of a branch are those from 1 to its last: unlike their count, one is found for many branches at once. */
const hasYear = (year: number): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT FROM branch_years WHERE branch_id = branches.id AND year = ${year}::bigint)`;

const branchConditions: FieldConditions<BranchCondition> = {
  ...recordConditions('Branch'),
  programId: (programId) => Prisma.sql`program_id = ${programId}`,
  programIds: (programIds) => Prisma.sql`program_id = ANY (${programIds}::int[])`,
  years: (years) => [hasYear(years), Prisma.sql`NOT ${hasYear(years + 1)}`],
  yearCounts: (counts) =>
    Prisma.sql`(SELECT max(year) FROM branch_years WHERE branch_id = branches.id) = ANY (${counts}::int[])`,
  minYears: (years) => hasYear(Math.max(1, years)),
  maxYears: (years) => Prisma.sql`NOT ${hasYear(years + 1)}`,
  yearCodes: (codes) => Prisma.sql`id IN (SELECT branch_id FROM branch_years WHERE code = ANY (${codes}::text[]))`,
  hasDescription: (isWanted) => hasText(Prisma.sql`description`, isWanted),
  hasCodePrefix: (isWanted) => hasText(Prisma.sql`code_prefix`, isWanted),
  ids: (ids) => Prisma.sql`id = ANY (${ids}::int[])`,
};
