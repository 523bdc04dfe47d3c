import { Prisma } from '../../generated/prisma/client.ts';
import type { Window } from '../../validation/cursors.ts';
import type { Ordering } from '../rules/lists.ts';
import type { OrderKey } from './order-keys.ts';
import { hasOneOf, type SearchWords, similarMax, type Word } from './words.ts';

/** A place in a search: how relevant the record is, its name and its id. */
export type RankedPosition = ['relevance', rank: number, name: string, id: number];

/** The conditions of a search in one table. Tiers are nested: each includes all records of the one before. */
export interface SearchedTable {
  /** @param folded SQL of the folded words. */
  readonly isCode: (folded: Prisma.Sql) => Prisma.Sql;
  /** @param pattern SQL of a pattern that nothing may come before. */
  readonly beginsWith: (pattern: Prisma.Sql) => Prisma.Sql;
  /** A record has all words in its own columns. */
  readonly has: (words: Alternatives) => Prisma.Sql;
  /** A record matches all words. */
  readonly matches: (words: Alternatives) => Prisma.Sql;
}

/** The words of a search, each with those that count for it as well. */
export type Alternatives = readonly (readonly Word[])[];

const nameAndCode = Prisma.sql`searched_name`;
const allOf = (words: Alternatives, condition: (word: readonly Word[]) => Prisma.Sql): Prisma.Sql =>
  Prisma.join(words.map(condition), ' AND ');
const has = (words: Alternatives): Prisma.Sql => allOf(words, (word) => hasOneOf(nameAndCode, word));

/** How programs and branches are searched by their own columns. */
const searchedNameAndCode: SearchedTable = {
  isCode: (folded) => Prisma.sql`search_fold(code) = ${folded}`,
  beginsWith: (pattern) => Prisma.sql`(${nameAndCode} LIKE ${pattern} OR search_fold(code) LIKE ${pattern})`,
  has,
  matches: has,
};

const values = Prisma.sql`searched_attributes`;

/** Searches the values of attributes too, and ranks them below names. */
const searchedAttributes: SearchedTable = {
  ...searchedNameAndCode,
  matches: (words) => allOf(words, (word) => Prisma.sql`(${hasOneOf(nameAndCode, word)} OR ${hasOneOf(values, word)})`),
};

export const searchedBy = ({ searchAttributes }: { readonly searchAttributes?: boolean | undefined }): SearchedTable =>
  searchAttributes === true ? searchedAttributes : searchedNameAndCode;

/**
 * A condition: a record has the word of a pattern that is unknown when PostgreSQL plans the query. The condition is
 * repeated on purpose: PostgreSQL then estimates few rows and uses the index, instead of scanning for the first match.
 */
export const matchesRarely = ({ matches }: SearchedTable, pattern: Prisma.Sql): Prisma.Sql =>
  matches([[pattern], [pattern]]);

/** Ranks from here on are those of similar words. */
const similarRank = 4;
export const rankMax = similarRank + similarMax - 1;

const isSimilar = (rank: number): boolean => rank >= similarRank;

export const isRankOfSimilar = (position: readonly unknown[] | undefined): boolean =>
  position?.[0] === 'relevance' && isSimilar(Number(position[1]));

interface Tier {
  readonly rank: number;
  readonly condition: Prisma.Sql;
}

/**
 * The conditions of the tiers of words as they are, best first.
 * @param patterns SQL or the word of each, with what counts for the same.
 * @param sql puts expressions without columns into the statement.
 */
export function exactTiers(
  words: SearchWords,
  { isCode, beginsWith, has, matches }: SearchedTable,
  patterns: Alternatives,
  sql = (expression: Prisma.Sql) => expression,
): Prisma.Sql[] {
  const phrase = words.map(([word]) => word).join(' ');
  return [
    isCode(sql(Prisma.sql`search_fold(${phrase})`)),
    beginsWith(sql(Prisma.sql`search_pattern(${phrase}, '')`)),
    has(patterns),
    ...(has === matches ? [] : [matches(patterns)]),
  ];
}

/** Best first; a cursor has the rank, which therefore never depends on the filter. */
function tiersOf(words: SearchWords, searched: SearchedTable): Tier[] {
  const first = (count: number) => words.map((word) => word.slice(0, count));
  const similarCount = Math.max(...words.map((word) => word.length - 1));
  if (similarCount === 0) {
    return exactTiers(words, searched, first(1)).map((condition, rank) => ({ rank, condition }));
  }
  return Array.from({ length: similarCount }, (_, index) => ({
    rank: similarRank + index,
    condition: searched.matches(first(index + 2)),
  }));
}

export interface SearchedList {
  readonly table: Prisma.Sql;
  readonly columns: Prisma.Sql;
  /** What it is ordered by, if that is none of its own columns with an index. */
  readonly orderKey: (ordering: Ordering) => OrderKey | undefined;
  /** The conditions of the filter, without those of the search. */
  readonly conditions: readonly Prisma.Sql[];
  /** Whether it has given ids or codes, which an index finds: one plan suits any. */
  readonly isLookup: boolean;
  readonly words: SearchWords;
  readonly searched: SearchedTable;
  /** Whether a record has the word of this pattern, whatever the other conditions. */
  readonly occurs: (pattern: Prisma.Sql) => Prisma.Sql;
  /** A query of the names of deleted records, whose words are not counted. */
  readonly deletedNames: Prisma.Sql | undefined;
}

/** All conditions of a list in SQL, its words among them. */
export const allConditions = ({ conditions, words, searched }: SearchedList): Prisma.Sql[] => [
  ...conditions,
  ...(words.length === 0 ? [] : [searched.matches(words)]),
];

/**
 * The rows of a search, most relevant first, then by name and id, with their `rank`. A tier is read only while those
 * before it do not fill the window, and none further than the window; the whole records are read of the window alone.
 */
export function rankedRows(
  { table, columns, conditions, words, searched }: SearchedList,
  { limit, after, before, backwards }: Window<RankedPosition>,
  offset = 0,
): Prisma.Sql {
  const rowsMax = limit + offset;
  const direction = Prisma.raw(backwards ? 'DESC' : 'ASC');
  const tiers = tiersOf(words, searched).map((tier, index, all) => ({ ...tier, narrower: all[index - 1]?.condition }));
  const wanted = tiers.filter(({ rank }) => isWithin(rank, after, before));
  if (backwards) wanted.reverse();
  const beyond = (position: RankedPosition | undefined, sign: '>' | '<', rank: number): Prisma.Sql[] =>
    position?.[1] === rank
      ? [Prisma.sql`(sorted_name, id) ${Prisma.raw(sign)} (sort_key(${position[2]}), ${position[3]})`]
      : [];
  const names = wanted.map(({ rank }) => Prisma.raw(`tier_${rank}`));
  const reads = wanted.map(({ rank, condition, narrower }, index) => {
    const full = names.slice(0, index).map((name) => Prisma.sql`(SELECT count(*) FROM ${name})`);
    const all = [
      ...(full.length === 0 ? [] : [Prisma.sql`${Prisma.join(full, ' + ')} < ${rowsMax}`]),
      ...conditions,
      condition,
      ...(narrower === undefined ? [] : [Prisma.sql`(${narrower}) IS NOT TRUE`]),
      ...beyond(after, '>', rank),
      ...beyond(before, '<', rank),
    ];
    return Prisma.sql`${names[index]} AS MATERIALIZED (
      SELECT id AS ranked, sorted_name AS sorted, ${rank}::int AS rank FROM ${table} WHERE ${Prisma.join(all, ' AND ')}
      ORDER BY sorted_name ${direction}, id ${direction} LIMIT ${rowsMax}
    )`;
  });
  if (reads.length === 0) return Prisma.sql`SELECT ${columns}, 0 AS rank FROM ${table} WHERE false`;
  const rows = names.map((name) => Prisma.sql`SELECT * FROM ${name}`);
  return Prisma.sql`WITH ${Prisma.join(reads)}
    SELECT ${columns}, rank FROM (
      SELECT * FROM (${Prisma.join(rows, ' UNION ALL ')}) AS tiers
      ORDER BY rank ${direction}, sorted ${direction}, ranked ${direction} LIMIT ${limit} OFFSET ${offset}
    ) AS page JOIN ${table} ON id = ranked
    ORDER BY rank ${direction}, sorted_name ${direction}, id ${direction}`;
}

/** Between two pages, the last exact match may be deleted, or the first be created: a list stays exact, or similar. */
function isWithin(rank: number, after: RankedPosition | undefined, before: RankedPosition | undefined): boolean {
  const bound = after ?? before;
  if (bound !== undefined && isSimilar(bound[1]) !== isSimilar(rank)) return false;
  return rank >= (after?.[1] ?? 0) && rank <= (before?.[1] ?? rankMax);
}
