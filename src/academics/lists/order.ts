import { z } from 'zod';
import { Prisma, type Program } from '../../generated/prisma/client.ts';
import { positionId, type Window } from '../../validation/cursors.ts';
import type { ListOrder } from '../rules/lists.ts';
import { base64url, timeJson } from '../sql/json-fields.ts';
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
]);
export type ListPosition = z.output<typeof listPosition>;

type Column = ListPosition[0];

const columnOf: Readonly<Record<ListOrder, Column>> = {
  ID_ASC: 'id',
  ID_DESC: 'id',
  NAME_ASC: 'name',
  NAME_DESC: 'name',
  CREATED_ASC: 'created_at',
  CREATED_DESC: 'created_at',
  UPDATED_ASC: 'updated_at',
  UPDATED_DESC: 'updated_at',
  DELETED_ASC: 'deleted_at',
  DELETED_DESC: 'deleted_at',
  RELEVANCE: 'relevance',
};

/** A cursor of another order is rejected. */
export function positionSchemaOf(order: ListOrder) {
  return listPosition.refine(([column]) => column === columnOf[order]);
}

type Ordered = Pick<Program, 'id' | 'name' | 'createdAt' | 'updatedAt' | 'deletedAt'> & {
  /** The rank in a search by relevance. */
  readonly rank?: number;
};

/** Where a record stands in a list of this order. */
export function positionIn(order: ListOrder): (record: Ordered) => ListPosition {
  const column = columnOf[order];
  return ({ id, name, createdAt, updatedAt, deletedAt, rank }) => {
    if (column === 'id') return [column, id];
    if (column === 'name') return [column, name, id];
    if (column === 'relevance') return [column, rank ?? 0, name, id];
    const time = { created_at: createdAt, updated_at: updatedAt, deleted_at: deletedAt }[column];
    if (time === null) throw new Error(`Program or branch ${id} is not deleted and has no place in this list.`);
    return [column, time.toISOString(), id];
  };
}

/** The cursor of a row `record` in SQL: its position as `positionIn` gives it, encoded as `cursorOf` does. */
export function cursorSql(order: ListOrder): Prisma.Sql {
  const column = columnOf[order];
  const name = 'to_json(record.name)';
  const time = (field: string): string[] => [timeJson(`record."${field}"`)];
  const values: Readonly<Record<Column, readonly string[]>> = {
    id: [],
    name: [name],
    relevance: ['record.rank', name],
    created_at: time('createdAt'),
    updated_at: time('updatedAt'),
    deleted_at: time('deletedAt'),
  };
  const parts = [`'"${column}"'`, ...values[column], 'record.id'];
  return Prisma.raw(base64url(`'[' || ${parts.join(" || ',' || ")} || ']'`));
}

/** The rows of a list in its direction; at any depth at the same cost, where the order has an index. */
export function rowsIn(
  list: SearchedList,
  order: ListOrder,
  { limit, after, before, backwards }: Window<ListPosition>,
  offset = 0,
): Prisma.Sql {
  if (order === 'RELEVANCE') {
    return rankedRows(list, { limit, after: ranked(after), before: ranked(before), backwards }, offset);
  }
  const ascending = order.endsWith('_ASC');
  const all = [
    ...allConditions(list),
    ...(after === undefined ? [] : [beyond(after, ascending)]),
    ...(before === undefined ? [] : [beyond(before, !ascending)]),
  ];
  return Prisma.sql`SELECT ${list.columns} FROM ${list.table} WHERE ${Prisma.join(all, ' AND ')}
    ORDER BY ${ordering(order, backwards)} LIMIT ${limit} OFFSET ${offset}`;
}

const ranked = (position: ListPosition | undefined): RankedPosition | undefined =>
  position?.[0] === 'relevance' ? position : undefined;

function ordering(order: ListOrder, backwards: boolean): Prisma.Sql {
  const column = columnOf[order];
  const direction = Prisma.raw(order.endsWith('_ASC') === backwards ? 'DESC' : 'ASC');
  if (column === 'id') return Prisma.sql`id ${direction}`;
  return Prisma.sql`${Prisma.raw(column === 'name' ? 'sorted_name' : column)} ${direction}, id ${direction}`;
}

/** Keyset pagination: a row comparison, which an index on both columns supports. */
function beyond(position: ListPosition, upwards: boolean): Prisma.Sql {
  const sign = Prisma.raw(upwards ? '>' : '<');
  if (position[0] === 'id') return Prisma.sql`id ${sign} ${position[1]}`;
  const [column, value, id] = position;
  if (column === 'name') return Prisma.sql`(sorted_name, id) ${sign} (sort_key(${value}), ${id})`;
  return Prisma.sql`(${Prisma.raw(column)}, id) ${sign} (${value}::timestamptz, ${id})`;
}
