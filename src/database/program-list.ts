import { z } from 'zod';
import { positionId, type Window } from '../academics/connection.ts';
import { type ProgramFilter, type ProgramOrder, searchedWords } from '../academics/program-list.ts';
import { Prisma, type Program } from '../generated/prisma/client.ts';
import type { Transaction } from './client.ts';
import { dated, programColumns } from './records.ts';
import { select } from './select.ts';

/** What PostgreSQL takes for a text: it knows no NUL. */
const storable = z.string().refine((text) => !text.includes('\0'));
/** What PostgreSQL takes for a time: it knows no year 0. */
const instant = z.iso.datetime().refine((text) => !text.startsWith('0000'));

/** A place in a list of programs: the value that it is ordered by, if that is not the id, and the id. */
const programPosition = z.union([
  z.tuple([z.literal('id'), positionId]),
  z.tuple([z.literal('name'), storable, positionId]),
  z.tuple([z.enum(['created_at', 'updated_at']), instant, positionId]),
]);
export type ProgramPosition = z.output<typeof programPosition>;

type Column = ProgramPosition[0];

const columnOf: Readonly<Record<ProgramOrder, Column>> = {
  ID_ASC: 'id',
  ID_DESC: 'id',
  NAME_ASC: 'name',
  NAME_DESC: 'name',
  CREATED_ASC: 'created_at',
  CREATED_DESC: 'created_at',
  UPDATED_ASC: 'updated_at',
  UPDATED_DESC: 'updated_at',
};

const columns = Prisma.raw(programColumns);

/** The column of an order; a cursor of another order is none of this list's. */
export function positionSchemaOf(order: ProgramOrder) {
  return programPosition.refine(([column]) => column === columnOf[order]);
}

/** Where a program is in an order. */
export function positionIn(order: ProgramOrder): (program: Program) => ProgramPosition {
  const column = columnOf[order];
  return ({ id, name, createdAt, updatedAt }) => {
    if (column === 'id') return [column, id];
    if (column === 'name') return [column, name, id];
    return [column, (column === 'created_at' ? createdAt : updatedAt).toISOString(), id];
  };
}

/**
 * Reads the programs of a window, in its direction, and one more if there are more. A page costs the same at any
 * depth: it begins at its cursor in an index.
 */
export async function programsIn(
  db: Transaction,
  filter: ProgramFilter,
  order: ProgramOrder,
  { limit, after, before, backwards }: Window<ProgramPosition>,
): Promise<Program[]> {
  const ascending = order.endsWith('_ASC');
  const conditions = [
    ...conditionsOf(filter),
    ...(after === undefined ? [] : [beyond(after, ascending)]),
    ...(before === undefined ? [] : [beyond(before, !ascending)]),
  ];
  return read(
    db,
    Prisma.sql`SELECT ${columns} FROM programs WHERE ${Prisma.join(conditions, ' AND ')}
      ORDER BY ${ordering(order, backwards)} LIMIT ${limit + 1}`,
  );
}

/** A page of all programs that skips no more than these is quick, and its statement prepared. */
const fewSkipped = 1_000;

/** A page of a list of programs. */
export interface ProgramPage {
  readonly filter: ProgramFilter;
  readonly orderBy: ProgramOrder;
  /** How many programs come before the page. */
  readonly offset: number;
  readonly size: number;
  /** How many programs the list has; without it, the page is read from the beginning. */
  readonly count?: number | undefined;
}

/**
 * Reads a page of programs by its number. The far half of a list is read from its end, so that the last page costs no
 * more than the first.
 */
export async function programPage(
  db: Transaction,
  { filter, orderBy, offset, size, count = Number.POSITIVE_INFINITY }: ProgramPage,
): Promise<Program[]> {
  const within = Math.min(size, count - offset);
  if (within <= 0) return [];
  const backwards = offset > count / 2;
  const skipped = backwards ? count - offset - within : offset;
  const conditions = conditionsOf(filter);
  const rows = await read(
    db,
    Prisma.sql`SELECT ${columns} FROM programs WHERE ${Prisma.join(conditions, ' AND ')}
      ORDER BY ${ordering(orderBy, backwards)} LIMIT ${within} OFFSET ${skipped}`,
    conditions.length === 1 && skipped <= fewSkipped
      ? `page by ${orderBy}${backwards ? ', from the end' : ''}`
      : undefined,
  );
  return backwards ? rows.reverse() : rows;
}

/** Counts the programs of a list. */
export async function countPrograms(db: Transaction, filter: ProgramFilter): Promise<number> {
  const conditions = conditionsOf(filter);
  const { text, values } = Prisma.sql`SELECT count(*)::int AS count FROM programs
    WHERE ${Prisma.join(conditions, ' AND ')}`;
  const named = conditions.length === 1 && { name: 'count of all programs' };
  const [row] = await select<{ count: number }>(db, { text, values, ...named });
  return row?.count ?? 0;
}

async function read(db: Transaction, { text, values }: Prisma.Sql, name?: string): Promise<Program[]> {
  return (await select<Program>(db, { text, values, ...(name !== undefined && { name, isQuick: true }) })).map(dated);
}

function ordering(order: ProgramOrder, backwards: boolean): Prisma.Sql {
  const column = Prisma.raw(columnOf[order]);
  const direction = Prisma.raw(order.endsWith('_ASC') === backwards ? 'DESC' : 'ASC');
  return columnOf[order] === 'id'
    ? Prisma.sql`${column} ${direction}`
    : Prisma.sql`${column} ${direction}, id ${direction}`;
}

/** A comparison of rows, which an index on both columns answers in one step. */
function beyond(position: ProgramPosition, upwards: boolean): Prisma.Sql {
  const sign = Prisma.raw(upwards ? '>' : '<');
  if (position[0] === 'id') return Prisma.sql`id ${sign} ${position[1]}`;
  const [column, value, id] = position;
  const typed = column === 'name' ? Prisma.sql`${value}` : Prisma.sql`${value}::timestamptz`;
  return Prisma.sql`(${Prisma.raw(column)}, id) ${sign} (${typed}, ${id})`;
}

function conditionsOf(filter: ProgramFilter): Prisma.Sql[] {
  const { search, duration, ids, hasBranches, createdSince, updatedSince } = filter;
  const words = search === undefined ? [] : searchedWords(search);
  return [
    Prisma.sql`deleted_at IS NULL`,
    ...words.map((word) => Prisma.sql`search_form(name, code) LIKE ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`),
    ...(duration === undefined ? [] : [Prisma.sql`duration = ${duration}`]),
    ...(ids === undefined ? [] : [Prisma.sql`id = ANY (${ids}::int[])`]),
    ...(hasBranches === undefined ? [] : [hasBranches ? withBranches : Prisma.sql`NOT ${withBranches}`]),
    ...(createdSince === undefined ? [] : [Prisma.sql`created_at >= ${createdSince}`]),
    ...(updatedSince === undefined ? [] : [Prisma.sql`updated_at >= ${updatedSince}`]),
  ];
}

const withBranches = Prisma.sql`EXISTS (
  SELECT 1 FROM branches WHERE branches.program_id = programs.id AND branches.deleted_at IS NULL
)`;
