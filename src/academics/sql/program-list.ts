import { type JsonRow, queryJson } from '@service/postgres/sql';
import type { Transaction } from '../../database/types.ts';
import { Prisma, type Program } from '../../generated/prisma/client.ts';
import type { Window } from '../../validation/cursors.ts';
import { type ListPosition, rowsIn } from '../lists/order.ts';
import { allConditions, matchesRarely, type SearchedList, type SearchedTable, searchedBy } from '../lists/ranking.ts';
import { readWithSimilarWords } from '../lists/similar-words.ts';
import { type WithSimilarWords, wordsOf } from '../lists/words.ts';
import type { ListOrder, ProgramFilter } from '../rules/lists.ts';
import { attributeConditions, hasText } from './attributes.ts';
import { programSelection, withDates } from './records.ts';

const columns = Prisma.raw(programSelection);

/** A program of a list. */
export interface ListedProgram extends Program {
  /** The rank in a search by relevance. */
  readonly rank?: number;
  /** The search, if it is one of branches too. */
  readonly foundBy?: WithSimilarWords<ProgramFilter>;
}

export const listedBy =
  (filter: WithSimilarWords<ProgramFilter>) =>
  (row: JsonRow<Omit<ListedProgram, 'foundBy'>>): ListedProgram => ({
    ...withDates(row),
    ...(filter.searchBranches === true && wordsOf(filter).length > 0 && { foundBy: filter }),
  });

/** Reads a window in its direction, with one more program if there are more. */
export async function programWindow(
  db: Transaction,
  filter: ProgramFilter,
  order: ListOrder,
  window: Window<ListPosition>,
) {
  return readWithSimilarWords(db, programList, {
    filter,
    bounds: [window.after, window.before],
    read: async (searched) => {
      const { text, values } = rowsIn(programList(searched), order, { ...window, limit: window.limit + 1 });
      return (await queryJson<ListedProgram>(db, { text, values })).map(listedBy(searched));
    },
    isEmpty: (rows) => rows.length === 0,
  });
}

const existing = { whole: Prisma.sql`deleted_at IS NULL`, ownBranches: Prisma.sql`branches.deleted_at IS NULL` };
/** Deleted programs, with the branches that were deleted together with them. */
const deletedOnes = { whole: Prisma.sql`deleted_at IS NOT NULL`, ownBranches: Prisma.sql`deleted_with_program` };

const conditionsFor = ({ deleted }: ProgramFilter) => (deleted === true ? deletedOnes : existing);

/**
 * The list of a filter; with exactly one condition when it matches all programs, or all deleted ones.
 *
 * @param all whether all of it are read, as by a count, and not a page.
 */
export function programList(filter: WithSimilarWords<ProgramFilter>, all = false): SearchedList {
  const {
    searchBranches = false,
    duration,
    codes,
    hasCode,
    attributes,
    ids,
    hasBranches,
    createdSince,
    updatedSince,
  } = filter;
  const { minBranches, maxBranches } = filter;
  const { whole, ownBranches } = conditionsFor(filter);
  const searched = searchedBy(filter);
  const isNarrow = wordsOf(filter).length > 0 || [ids, codes, attributes].some((wanted) => wanted !== undefined);
  const more = all && !isNarrow ? amongThoseWithMoreThan : withMoreBranchesThan;
  return {
    table: Prisma.sql`programs`,
    columns,
    words: wordsOf(filter),
    searched: searchBranches ? withBranches(searched, conditionsFor(filter)) : searched,
    occurs: (pattern) => Prisma.sql`(
      EXISTS (SELECT FROM programs WHERE ${whole} AND ${matchesRarely(searched, pattern)})
      OR ${searchBranches} AND EXISTS (SELECT FROM branches WHERE ${ownBranches} AND ${matchesRarely(searched, pattern)})
    )`,
    deletedNames:
      filter.deleted === true
        ? Prisma.sql`SELECT name FROM programs WHERE deleted_at IS NOT NULL
            UNION ALL SELECT name FROM branches WHERE ${searchBranches} AND deleted_with_program`
        : undefined,
    conditions: [
      whole,
      ...(duration === undefined ? [] : [Prisma.sql`duration = ${duration}`]),
      ...(codes === undefined ? [] : [Prisma.sql`code = ANY (${codes}::text[])`]),
      ...hasText(Prisma.sql`code`, hasCode),
      ...attributeConditions(attributes),
      ...(ids === undefined ? [] : [Prisma.sql`id = ANY (${`{${ids.join()}}`}::int[])`]),
      ...(hasBranches === undefined ? [] : [more(0, ownBranches, hasBranches)]),
      ...(minBranches === undefined || minBranches === 0 ? [] : [more(minBranches - 1, ownBranches, true)]),
      ...(maxBranches === undefined ? [] : [more(maxBranches, ownBranches, false)]),
      ...(createdSince === undefined ? [] : [Prisma.sql`created_at >= ${createdSince}`]),
      ...(updatedSince === undefined ? [] : [Prisma.sql`updated_at >= ${updatedSince}`]),
    ],
  };
}

/** The conditions of a filter in SQL. */
export const conditionsOf = (filter: WithSimilarWords<ProgramFilter>): Prisma.Sql[] =>
  allConditions(programList(filter, true));

/** A UNION, so that each part uses its own index. */
const withBranches = (searched: SearchedTable, { whole, ownBranches }: typeof existing): SearchedTable => ({
  ...searched,
  matches: (words) => Prisma.sql`id IN (
    SELECT id FROM programs WHERE ${whole} AND ${searched.matches(words)}
    UNION SELECT program_id FROM branches WHERE ${ownBranches} AND ${searched.matches(words)}
  )`,
});

const inCase = (isWanted: boolean): Prisma.Sql => (isWanted ? Prisma.empty : Prisma.sql`NOT `);

/** Programs with more branches than that, or all others. Reads no more of a program's branches, and only in an index. */
const withMoreBranchesThan = (count: number, ownBranches: Prisma.Sql, isWanted: boolean): Prisma.Sql =>
  Prisma.sql`${inCase(isWanted)}EXISTS (
    SELECT 1 FROM branches WHERE branches.program_id = programs.id AND ${ownBranches} OFFSET ${count}::bigint
  )`;

/** The same where most programs are looked at: reads all branches once, in an index, in a quarter of the time. */
const amongThoseWithMoreThan = (count: number, ownBranches: Prisma.Sql, isWanted: boolean): Prisma.Sql =>
  Prisma.sql`${inCase(isWanted)}EXISTS (
    SELECT FROM (
      SELECT program_id FROM branches WHERE ${ownBranches} GROUP BY program_id HAVING count(*) > ${count}::bigint
    ) AS held WHERE held.program_id = programs.id
  )`;

/** A statement over all programs, or all deleted ones, is prepared under its name. */
export const nameIfWhole = (conditions: readonly Prisma.Sql[], name: string) =>
  conditions.length === 1 && { name: conditions[0] === existing.whole ? name : `${name}, deleted` };
