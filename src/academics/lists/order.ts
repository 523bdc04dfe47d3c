import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Prisma } from '../../generated/prisma/client.ts';
import { positionId, type Window } from '../../validation/cursors.ts';
import { identifierMax } from '../../validation/validate.ts';
import { isByNumber, type Ordering } from '../rules/lists.ts';
import { allConditions, type RankedPosition, rankedRows, rankMax, type SearchedList } from './ranking.ts';

/** PostgreSQL's text cannot contain NUL. */
const storable = z.string().refine((text) => !text.includes('\0'));
/** A time as `toISOString` writes it, and as PostgreSQL takes it: it knows no year 0. */
const instant = z.iso.datetime({ precision: 3 }).refine((text) => !text.startsWith('0000'));

/** A place in a list: the value that it is ordered by, if that is not the id, and the id. */
const listPosition = z.union([
  z.tuple([z.literal('id'), positionId]),
  z.tuple([z.literal('name'), storable, positionId]),
  z.tuple([z.enum(['created_at', 'updated_at', 'deleted_at']), instant, positionId]),
  z.tuple([z.literal('relevance'), z.int().min(0).max(rankMax), storable, positionId]),
  z.tuple([z.literal('number'), z.string(), z.int().min(0).max(identifierMax), positionId]),
  z.tuple([z.literal('text'), z.string(), storable, positionId]),
]);
export type ListPosition = z.output<typeof listPosition>;

const times = { CREATED: 'created_at', UPDATED: 'updated_at', DELETED: 'deleted_at' } as const;

/** The first part of a position: a cursor of another order is rejected. */
function nameIn(ordering: Ordering): readonly string[] {
  const { by, attribute } = ordering;
  switch (by) {
    case 'ID':
    case 'NAME':
    case 'RELEVANCE':
      return [by.toLowerCase()];
    case 'CREATED':
    case 'UPDATED':
    case 'DELETED':
      return [times[by]];
    default:
      return isByNumber(ordering) ? ['number', by] : ['text', attribute === undefined ? by : `${by} ${attribute}`];
  }
}

const schemaFor = (names: readonly string[]) =>
  listPosition.refine((position) => names.every((name, place) => position[place] === name));

/** To make one takes as long as to check the rest of a request. */
const schemas = new LRUCache<string, ReturnType<typeof schemaFor>>({ max: 100 });

export function positionSchemaOf(ordering: Ordering) {
  const names = nameIn(ordering);
  const key = names.join('\n');
  const schema = schemas.get(key) ?? schemaFor(names);
  schemas.set(key, schema);
  return schema;
}

/** Where a row `record` stands in a list of this order, as JSON in SQL. */
export function positionSql(ordering: Ordering): Prisma.Sql {
  const name = 'to_json(record.name)';
  const fields = { CREATED: 'createdAt', UPDATED: 'updatedAt', DELETED: 'deletedAt' } as const;
  const valuesOf = (by: Ordering['by']): readonly string[] => {
    switch (by) {
      case 'ID':
        return [];
      case 'NAME':
        return [name];
      case 'RELEVANCE':
        return ['record.rank', name];
      case 'CREATED':
      case 'UPDATED':
      case 'DELETED':
        return [timeJson(`record."${fields[by]}"`)];
      default:
        return ['to_json(record."orderKey")'];
    }
  };
  const parts = [...nameIn(ordering).map((text) => `'"${text}"'`), ...valuesOf(ordering.by), 'record.id'];
  return Prisma.raw(`'[' || ${parts.join(" || ',' || ")} || ']'`);
}

/** The rows of a list in its direction; at any depth at the same cost, where the order has an index. */
export function rowsIn(
  list: SearchedList,
  ordering: Ordering,
  { limit, after, before, backwards }: Window<ListPosition>,
  offset = 0,
): Prisma.Sql {
  if (ordering.by === 'RELEVANCE') {
    return rankedRows(list, { limit, after: ranked(after), before: ranked(before), backwards }, offset);
  }
  const { key, isOwn, from, direction } = orderIn(list, ordering, backwards);
  const all = [
    ...allConditions(list),
    ...(after === undefined ? [] : [beyond(after, key, !ordering.isDescending)]),
    ...(before === undefined ? [] : [beyond(before, key, ordering.isDescending)]),
  ];
  const sorted = ordering.by === 'ID' ? Prisma.sql`id ${direction}` : Prisma.sql`${key} ${direction}, id ${direction}`;
  return Prisma.sql`SELECT ${list.columns}${isOwn ? Prisma.empty : Prisma.sql`, ${key} AS "orderKey"`} FROM ${from}
    WHERE ${Prisma.join(all, ' AND ')} ORDER BY ${sorted} LIMIT ${limit} OFFSET ${offset}`;
}

/** A row, and where it stands in its list. */
export type Placed<Row> = Row & { readonly position: ListPosition };

/** The rows of a list in its direction, each with its position. */
export const placedRowsIn = (
  list: SearchedList,
  ordering: Ordering,
  window: Window<ListPosition>,
): Prisma.Sql => Prisma.sql`
  SELECT *, (${positionSql(ordering)})::json AS position FROM (${rowsIn(list, ordering, window)}) AS record`;

/** What rows are ordered by, and where it comes from. Ties are broken by id, in the same direction. */
export function orderIn(
  { table, orderKey }: Pick<SearchedList, 'table' | 'orderKey'>,
  ordering: Ordering,
  isBackwards = false,
) {
  const made = orderKey(ordering);
  return {
    key: made?.sql ?? ownColumn(ordering.by),
    isOwn: made === undefined,
    from: made?.join === undefined ? table : Prisma.sql`${table} ${made.join}`,
    direction: Prisma.raw(ordering.isDescending === isBackwards ? 'ASC' : 'DESC'),
  };
}

const ranked = (position: ListPosition | undefined): RankedPosition | undefined =>
  position?.[0] === 'relevance' ? position : undefined;

function ownColumn(by: Ordering['by']): Prisma.Sql {
  if (by === 'CREATED' || by === 'UPDATED' || by === 'DELETED') return Prisma.raw(times[by]);
  return Prisma.raw(by === 'NAME' ? 'sorted_name' : 'id');
}

/** Keyset pagination: a row comparison, which an index on both columns supports. */
function beyond(position: ListPosition, key: Prisma.Sql, isUpwards: boolean): Prisma.Sql {
  const sign = Prisma.raw(isUpwards ? '>' : '<');
  switch (position[0]) {
    case 'id':
      return Prisma.sql`id ${sign} ${position[1]}`;
    case 'name':
      return Prisma.sql`(sorted_name, id) ${sign} (sort_key(${position[1]}), ${position[2]})`;
    case 'number':
      return Prisma.sql`(${key}, id) ${sign} (${position[2]}::int, ${position[3]})`;
    case 'text':
      // The first condition alone can be looked up in the index of another table.
      return Prisma.sql`${key} ${sign}= ${position[2]} AND (${key}, id) ${sign} (${position[2]}, ${position[3]})`;
    case 'relevance':
      throw new Error('A list that is not by relevance has no such place.');
    default:
      return Prisma.sql`(${key}, id) ${sign} (${position[1]}::timestamptz, ${position[2]})`;
  }
}

/** An expression for a time as JSON, as cursors and responses have it. */
export function timeJson(time: string): string {
  return `'"' || to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'`;
}
