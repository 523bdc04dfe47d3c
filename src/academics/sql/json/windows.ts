import { type AnyTransaction, queryRows } from '@service/postgres/sql';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Window } from '../../../validation/cursors.ts';
import { readRows } from '../../lists/few-matches.ts';
import { cursorSql, type ListPosition } from '../../lists/order.ts';
import type { SearchedList } from '../../lists/ranking.ts';
import { readWithSimilarWords } from '../../lists/similar-words.ts';
import type { WithSimilarWords } from '../../lists/words.ts';
import type { Ordering } from '../../rules/lists.ts';
import { type ListsJson, listColumns, nameOf, namesOf, type RecordJson } from './records.ts';

/** A list of programs or of branches, in SQL. */
export interface ListSource<Filter> {
  readonly listOf: (filter: WithSimilarWords<Filter>) => SearchedList;
  /** The program of a row `record`. */
  readonly programId: Prisma.Sql;
  /** Whether it is of all records, of whose ids there is an index: then a window by id is quick. */
  readonly isIndexed: (list: SearchedList) => boolean;
}

export interface WindowRequest<Filter> {
  readonly filter: Filter;
  readonly orderBy: Ordering;
  readonly window: Window<ListPosition>;
}

interface WindowJson extends ListsJson {
  /** With the row beyond the window, if there are more. */
  readonly found: number;
  /** How many a search finds, if they are few. */
  readonly few: number | null;
  readonly cursors: readonly string[];
}

/** Reads a window in its direction, with the items of lists of its records as JSON. */
export async function readWindowJson<Filter extends { readonly search?: string | undefined }>(
  db: AnyTransaction,
  { listOf, programId, isIndexed }: ListSource<Filter>,
  lists: readonly RecordJson[],
  { filter, orderBy, window }: WindowRequest<Filter>,
) {
  const { limit, after, before, backwards } = window;
  const shown = Prisma.sql`FILTER (WHERE place <= ${limit})`;
  const bounds = `${after === undefined ? '' : ' after'}${before === undefined ? '' : ' before'}`;
  const order = `${orderBy.by}${orderBy.isDescending ? ', descending' : ''}${backwards ? ' backwards' : ''}`;
  const read = (searched: WithSimilarWords<Filter>): Promise<WindowJson> => {
    const list = listOf(searched);
    return readRows({
      list,
      ordering: orderBy,
      window: { ...window, limit: limit + 1 },
      fewIn: ({ few }) => few ?? 0,
      read: async ({ rows, ctes, few = Prisma.sql`NULL::int`, isPrepared }) => {
        const { text, values } = Prisma.sql`${ctes}
          SELECT count(*)::int AS found, ${few} AS few, coalesce(json_agg(record.cursor) ${shown}, '[]') AS cursors,
            ${listColumns(lists, programId, shown)}
          FROM (
            SELECT *, row_number() OVER () AS place, ${cursorSql(orderBy)} AS cursor FROM (${rows}) AS record
            ORDER BY place ${Prisma.raw(backwards ? 'DESC' : 'ASC')}
          ) AS record`;
        const pipelined = isIndexed(list) && orderBy.by === 'ID';
        const name = isPrepared ? nameOf(text) : `window by ${order}${bounds}, ${namesOf(lists)}`;
        const named = (pipelined || isPrepared) && { name };
        const [row] = await queryRows<WindowJson>(db, { text, values, pipelined, ...named });
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
