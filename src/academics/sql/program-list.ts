import { type AnyTransaction, type JsonRow, queryJson } from '@service/postgres/sql';
import { Prisma, type Program } from '../../generated/prisma/client.ts';
import type { Window } from '../../validation/cursors.ts';
import { conditionsBy, type FieldConditions, recordConditions } from '../lists/conditions.ts';
import { type ListPosition, type Placed, placedRowsIn } from '../lists/order.ts';
import { programKey } from '../lists/order-keys.ts';
import { allConditions, matchesRarely, type SearchedList, type SearchedTable, searchedBy } from '../lists/ranking.ts';
import { readWithSimilarWords } from '../lists/similar-words.ts';
import { type WithSimilarWords, wordsOf } from '../lists/words.ts';
import type { ProgramCondition, ProgramFilter } from '../rules/filters.ts';
import type { Ordering } from '../rules/lists.ts';
import { programSelection, withDates } from './records.ts';

const columns = Prisma.raw(programSelection);

export interface ListedProgram extends Program {
  /** The search, if it is one of branches too. */
  readonly foundBy?: WithSimilarWords<ProgramFilter>;
}

export const listedBy =
  (filter: WithSimilarWords<ProgramFilter>) =>
  <Row extends JsonRow<Omit<ListedProgram, 'foundBy'>>>(row: Row) => ({
    ...withDates(row),
    ...(filter.searchBranches === true && wordsOf(filter).length > 0 && { foundBy: filter }),
  });

/** Reads a window in its direction, with one more program if there are more. */
export async function programWindow(
  db: AnyTransaction,
  filter: ProgramFilter,
  order: Ordering,
  window: Window<ListPosition>,
) {
  return readWithSimilarWords(db, programList, {
    filter,
    bounds: [window.after, window.before],
    read: async (searched) => {
      const { text, values } = placedRowsIn(programList(searched), order, { ...window, limit: window.limit + 1 });
      return (await queryJson<Placed<ListedProgram>>(db, { text, values })).map(listedBy(searched));
    },
    isEmpty: (rows) => rows.length === 0,
  });
}

/** Whether a program has more branches than so many, or not. */
type HasMoreBranches = (count: number, isWanted: boolean) => Prisma.Sql;

const inCase = (isWanted: boolean): Prisma.Sql => (isWanted ? Prisma.empty : Prisma.sql`NOT `);

/** Programs with more branches than that, or all others. Reads no more of a program's branches, and only in an index. */
const withMoreBranchesThan =
  (ownBranches: Prisma.Sql): HasMoreBranches =>
  (count, isWanted) =>
    Prisma.sql`${inCase(isWanted)}EXISTS (
    SELECT 1 FROM branches WHERE branches.program_id = programs.id AND ${ownBranches} OFFSET ${count}::bigint
  )`;

/** The same where most programs are looked at: reads all branches once, in an index, in a quarter of the time. */
const amongThoseWithMoreThan =
  (ownBranches: Prisma.Sql): HasMoreBranches =>
  (count, isWanted) =>
    Prisma.sql`${inCase(isWanted)}EXISTS (
    SELECT FROM (
      SELECT program_id FROM branches WHERE ${ownBranches} GROUP BY program_id HAVING count(*) > ${count}::bigint
    ) AS held WHERE held.program_id = programs.id
  )`;

const programConditions = (hasMoreBranches: HasMoreBranches): FieldConditions<ProgramCondition> => ({
  ...recordConditions('Program'),
  duration: (duration) => Prisma.sql`duration = ${duration}`,
  durations: (durations) => Prisma.sql`duration = ANY (${durations}::text[])`,
  ids: (ids) => Prisma.sql`id = ANY (${`{${ids.join()}}`}::int[])`,
  hasBranches: (isWanted) => hasMoreBranches(0, isWanted),
  minBranches: (count) => (count === 0 ? [] : hasMoreBranches(count - 1, true)),
  maxBranches: (count) => hasMoreBranches(count, false),
});

/** Makes the tables of conditions once: to make one for each list would cost more than the rest of its SQL. */
const kindOf = (whole: Prisma.Sql, ownBranches: Prisma.Sql) => ({
  whole,
  ownBranches,
  ofPage: programConditions(withMoreBranchesThan(ownBranches)),
  ofMost: programConditions(amongThoseWithMoreThan(ownBranches)),
});

const existing = kindOf(Prisma.sql`deleted_at IS NULL`, Prisma.sql`branches.deleted_at IS NULL`);
/** Deleted programs, with the branches that were deleted together with them. */
const deletedOnes = kindOf(Prisma.sql`deleted_at IS NOT NULL`, Prisma.sql`deleted_with_program`);

const kindFor = ({ deleted }: ProgramFilter) => (deleted === true ? deletedOnes : existing);

/**
 * The list of a filter; with exactly one condition when it matches all programs, or all deleted ones.
 *
 * @param all whether all of it are read, as by a count, and not a page.
 */
export function programList(filter: WithSimilarWords<ProgramFilter>, all = false): SearchedList {
  const { searchBranches = false, codes, attributes, ids } = filter;
  const kind = kindFor(filter);
  const { whole, ownBranches } = kind;
  const searched = searchedBy(filter);
  const isNarrow = wordsOf(filter).length > 0 || [ids, codes, attributes].some((wanted) => wanted !== undefined);
  return {
    table: Prisma.sql`programs`,
    columns,
    isLookup: ids !== undefined || codes !== undefined,
    words: wordsOf(filter),
    searched: searchBranches ? withBranches(searched, kind) : searched,
    occurs: (pattern) => Prisma.sql`(
      EXISTS (SELECT FROM programs WHERE ${whole} AND ${matchesRarely(searched, pattern)})
      OR ${searchBranches} AND EXISTS (SELECT FROM branches WHERE ${ownBranches} AND ${matchesRarely(searched, pattern)})
    )`,
    deletedNames:
      filter.deleted === true
        ? Prisma.sql`SELECT name FROM programs WHERE deleted_at IS NOT NULL
            UNION ALL SELECT name FROM branches WHERE ${searchBranches} AND deleted_with_program`
        : undefined,
    orderKey: programKey(ownBranches),
    conditions: [whole, ...conditionsBy(all && !isNarrow ? kind.ofMost : kind.ofPage, filter)],
  };
}

export const conditionsOf = (filter: WithSimilarWords<ProgramFilter>): Prisma.Sql[] =>
  allConditions(programList(filter, true));

/**
 * Programs and branches are looked up apart, each by its own index. Several words, of which a program may have some and
 * its branches others, are looked for in one pass: one for each word would take as long for each common one. Words with
 * alternatives, as misspelled ones have, are looked for one by one: a pass for all of them would read too much.
 */
const withBranches = (searched: SearchedTable, { whole, ownBranches }: typeof existing): SearchedTable => ({
  ...searched,
  matches: (words) => {
    const both = (matches: Prisma.Sql, union: 'UNION' | 'UNION ALL', columns = '') => Prisma.sql`
      SELECT id AS program ${Prisma.raw(columns)} FROM programs WHERE ${whole} AND ${matches}
      ${Prisma.raw(union)} SELECT program_id ${Prisma.raw(columns)} FROM branches WHERE ${ownBranches} AND ${matches}`;
    if (words.length === 1 || words.some(({ length }) => length > 1)) {
      const each = words.map((word) => Prisma.sql`id IN (${both(searched.matches([word]), 'UNION')})`);
      return Prisma.join(each, ' AND ');
    }
    const read = both(searched.matches([words.flat()]), 'UNION ALL', ', searched_name, searched_attributes');
    const all = words.map((word) => Prisma.sql`bool_or(${searched.matches([word])})`);
    return Prisma.sql`id IN (
      SELECT program FROM (${read}) AS searched GROUP BY program HAVING ${Prisma.join(all, ' AND ')}
    )`;
  },
});

/** Whether a list is of all programs, none of them deleted. */
export function isOfAllPrograms(list: SearchedList): boolean {
  const [only, ...others] = allConditions(list);
  return only === existing.whole && others.length === 0;
}

/** A statement over all programs, or all deleted ones, is prepared under its name. */
export const nameIfWhole = (list: SearchedList, name: string): string | undefined =>
  allConditions(list).length !== 1 ? undefined : isOfAllPrograms(list) ? name : `${name}, deleted`;
