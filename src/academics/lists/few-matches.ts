// Most searches find few records. All of them are then read by index and ranked at once, in a statement that is prepared
// and has no more than they need; only when there are more, the tiers of the ranking are read one by one.

import { Prisma } from '../../generated/prisma/client.ts';
import type { Window } from '../../validation/cursors.ts';
import type { Ordering } from '../rules/lists.ts';
import { type ListPosition, rowsIn } from './order.ts';
import { exactTiers, isRankOfSimilar, type SearchedList } from './ranking.ts';
import { patternsOf } from './words.ts';

/** Ranking more takes longer than to read a page of their tiers. */
const fewMax = 200;
/** The trigrams of an index find no shorter word. */
const lengthMin = 3;

/** How the rows of a list are read. */
export interface ListRows {
  readonly rows: Prisma.Sql;
  /** What the statement begins with. */
  readonly ctes: Prisma.Sql;
  /** How many records a search finds, if they are few. */
  readonly few: Prisma.Sql | undefined;
  /** Whether the statement is quick with one plan for any words. */
  readonly isPrepared: boolean;
}

interface ListRead<Row> {
  readonly list: SearchedList;
  readonly ordering: Ordering;
  readonly window: Window<ListPosition>;
  readonly offset?: number;
  readonly read: (rows: ListRows) => Promise<Row>;
  /** The value of `few` in what was read. */
  readonly fewIn: (row: Row) => number;
}

/** Reads rows of a list; of a search that finds many by a second statement. */
export async function readRows<Row>({ list, ordering, window, offset = 0, read, fewIn }: ListRead<Row>): Promise<Row> {
  const few = ordering.by === 'RELEVANCE' ? fewRows(list, window, offset) : undefined;
  const row = few && (await read(few));
  if (row !== undefined && fewIn(row) <= fewMax) return row;
  return read(allRows(list, ordering, window, offset));
}

/** Reads rows whose number is not known. */
export const allRows = (...[list, ...others]: Parameters<typeof rowsIn>): ListRows => ({
  rows: rowsIn(list, ...others),
  ctes: Prisma.empty,
  few: undefined,
  isPrepared: list.isLookup,
});

/** Evaluated once for a statement, where PostgreSQL does not know its parameters yet. */
const once = (expression: Prisma.Sql): Prisma.Sql => Prisma.sql`(SELECT ${expression})`;

function fewRows(
  { table, columns, conditions, words, searched }: SearchedList,
  { limit, after, before, backwards }: Window<ListPosition>,
  offset: number,
): ListRows | undefined {
  const isExact = words.every(({ length }) => length === 1) && ![after, before].some(isRankOfSimilar);
  if (!isExact || !words.some(([word = '']) => [...word].length >= lengthMin)) return undefined;
  const patterns = words.map(([word = '']) => patternsOf(word).map(once));
  const tiers = exactTiers(words, searched, patterns, once);
  const ranks = tiers
    .slice(0, -1)
    .map((condition, rank) => Prisma.sql`WHEN ${condition} THEN ${Prisma.raw(`${rank}`)}`);
  const all = [...conditions, searched.matches(patterns)];
  const beyond = (position: ListPosition | undefined, sign: '>' | '<'): Prisma.Sql[] =>
    position?.[0] === 'relevance'
      ? [
          Prisma.sql`(rank, sorted_name, id) ${Prisma.raw(sign)} (${position[1]}::int, sort_key(${position[2]}), ${position[3]}::int)`,
        ]
      : [];
  const direction = Prisma.raw(backwards ? 'DESC' : 'ASC');
  const few = Prisma.sql`(SELECT count(*)::int FROM found)`;
  return {
    ctes: Prisma.sql`WITH found AS MATERIALIZED (
      SELECT * FROM ${table} WHERE ${Prisma.join(all, ' AND ')} LIMIT ${Prisma.raw(`${fewMax + 1}`)}
    )`,
    few,
    rows: Prisma.sql`SELECT ${columns}, rank FROM (
      SELECT *, CASE ${Prisma.join(ranks, ' ')} ELSE ${Prisma.raw(`${tiers.length - 1}`)} END AS rank
      FROM found WHERE ${few} <= ${Prisma.raw(`${fewMax}`)}
    ) AS ranked
    WHERE ${Prisma.join([Prisma.sql`TRUE`, ...beyond(after, '>'), ...beyond(before, '<')], ' AND ')}
    ORDER BY rank ${direction}, sorted_name ${direction}, id ${direction} LIMIT ${limit} OFFSET ${offset}`,
    isPrepared: conditions.length === 1,
  };
}
