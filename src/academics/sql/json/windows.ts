import type { AnyTransaction } from '@service/postgres/sql';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Window } from '../../../validation/cursors.ts';
import { readRows } from '../../lists/few-matches.ts';
import { type ListPosition, positionSql } from '../../lists/order.ts';
import type { SearchedList } from '../../lists/ranking.ts';
import { readWithSimilarWords } from '../../lists/similar-words.ts';
import type { WithSimilarWords } from '../../lists/words.ts';
import type { Ordering } from '../../rules/lists.ts';
import { readMeasured } from './measured.ts';
import { base64url } from './pieces.ts';
import { type BoundedLists, type ListsText, nameOf } from './records.ts';

/** A list of programs or of branches, in SQL. */
export interface ListSource<Filter> {
  readonly listOf: (filter: WithSimilarWords<Filter>) => SearchedList;
  /** Whether it is of all records, of whose ids there is an index: then a window by id is quick. */
  readonly isIndexed: (list: SearchedList) => boolean;
}

export interface WindowRequest<Filter> {
  readonly filter: Filter;
  readonly orderBy: Ordering;
  readonly window: Window<ListPosition>;
}

interface WindowText extends ListsText {
  /** With the row beyond the window, if there are more. */
  readonly found: number;
  /** How many a search finds, if they are few. */
  readonly few: number | null;
  /** The places of the rows of the window. */
  readonly positions: readonly unknown[];
}

/** What aggregates read of the rows of a window. */
export const withinWindow = Prisma.sql`FILTER (WHERE "isWithin")`;

/**
 * Reads a window in its direction, with the items of lists of its records as JSON.
 * @param lists `withinWindow`.
 */
export async function readWindowJson<Filter extends { readonly search?: string | undefined }>(
  db: AnyTransaction,
  { listOf, isIndexed }: ListSource<Filter>,
  { lists, bytesMax }: BoundedLists,
  { filter, orderBy, window }: WindowRequest<Filter>,
) {
  const { limit, after, before, backwards } = window;
  const bounds = `${after === undefined ? '' : ' after'}${before === undefined ? '' : ' before'}`;
  const order = `${orderBy.by}${orderBy.isDescending ? ', descending' : ''}${backwards ? ' backwards' : ''}`;
  const read = (searched: WithSimilarWords<Filter>): Promise<WindowText> => {
    const list = listOf(searched);
    return readRows({
      list,
      ordering: orderBy,
      window: { ...window, limit: limit + 1 },
      fewIn: ({ few }) => few ?? 0,
      read: async ({ rows, ctes, few = Prisma.sql`NULL::int`, isPrepared }) => {
        const { text, values } = Prisma.sql`${ctes}
          SELECT found, few, positions, ${lists.shown} FROM (
          SELECT count(*)::int AS found, ${few} AS few, ${lists.columns},
            coalesce(json_agg(position::json) ${withinWindow}, '[]') AS positions
          FROM (${lists.rows(Prisma.sql`
            SELECT *, place <= ${limit} AS "isWithin", ${Prisma.raw(base64url('position'))} AS cursor FROM (
              SELECT *, row_number() OVER () AS place, ${positionSql(orderBy)} AS position FROM (${rows}) AS record
            ) AS record ORDER BY place ${Prisma.raw(backwards ? 'DESC' : 'ASC')}`)}
          ) AS record ) AS read`;
        const isWindowOfIndex = orderBy.by === 'ID' && (isIndexed(list) || list.isLookup);
        const name = isPrepared
          ? nameOf(text)
          : isWindowOfIndex
            ? `window by ${order}${bounds}, ${lists.name}`
            : undefined;
        const { isMeasured, isTooLarge } = lists;
        const byIndex = { isIndexed: isWindowOfIndex, recordsMax: limit };
        const row = await readMeasured<WindowText>(
          db,
          { text, name, isPrepared, isMeasured, isTooLarge, ...byIndex },
          values,
          bytesMax,
        );
        if (row === undefined) throw new Error('An aggregate has one row.');
        return row;
      },
    });
  };
  return readWithSimilarWords(db, listOf, {
    filter,
    bounds: [after, before],
    read,
    isEmpty: ({ found }) => found === 0,
  });
}
