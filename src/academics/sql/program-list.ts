import { queryJson } from '@service/postgres/sql';
import { z } from 'zod';
import { type Transaction, withDates } from '../../database/types.ts';
import { Prisma, type Program } from '../../generated/prisma/client.ts';
import { positionId, type Window } from '../../validation/lists.ts';
import { type ProgramFilter, type ProgramOrder, searchedWords } from '../rules/program-list.ts';
import { programColumns } from './records.ts';

/** PostgreSQL's text cannot contain NUL. */
const storable = z.string().refine((text) => !text.includes('\0'));
/** A time as `toISOString` writes it, and as PostgreSQL takes it: it knows no year 0. */
const instant = z.iso.datetime({ precision: 3 }).refine((text) => !text.startsWith('0000'));

/** A place in a list: the value that it is ordered by, if that is not the id, and the id. */
const programPosition = z.union([
  z.tuple([z.literal('id'), positionId]),
  z.tuple([z.literal('name'), storable, positionId]),
  z.tuple([z.enum(['created_at', 'updated_at', 'deleted_at']), instant, positionId]),
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
  DELETED_ASC: 'deleted_at',
  DELETED_DESC: 'deleted_at',
};

export const columns = Prisma.raw(programColumns);

/** A cursor of another order is rejected. */
export function positionSchemaOf(order: ProgramOrder) {
  return programPosition.refine(([column]) => column === columnOf[order]);
}

type Ordered = Pick<Program, 'id' | 'name' | 'createdAt' | 'updatedAt' | 'deletedAt'>;

export function positionIn(order: ProgramOrder): (record: Ordered) => ProgramPosition {
  const column = columnOf[order];
  return ({ id, name, createdAt, updatedAt, deletedAt }) => {
    if (column === 'id') return [column, id];
    if (column === 'name') return [column, name, id];
    const time = { created_at: createdAt, updated_at: updatedAt, deleted_at: deletedAt }[column];
    if (time === null) throw new Error(`Program or branch ${id} is not deleted and has no place in this list.`);
    return [column, time.toISOString(), id];
  };
}

/** In its direction, with one more if there are more; at any depth at the same cost, as it begins in an index. */
export async function programWindow(
  db: Transaction,
  filter: ProgramFilter,
  order: ProgramOrder,
  window: Window<ProgramPosition>,
): Promise<Program[]> {
  const { text, values } = Prisma.sql`SELECT ${columns} FROM programs
    WHERE ${inWindow(conditionsOf(filter), order, window)}`;
  return (await queryJson<Program>(db, { text, values })).map(withDates);
}

export function inWindow(
  conditions: readonly Prisma.Sql[],
  order: ProgramOrder,
  { limit, after, before, backwards }: Window<ProgramPosition>,
): Prisma.Sql {
  const ascending = order.endsWith('_ASC');
  const all = [
    ...conditions,
    ...(after === undefined ? [] : [beyond(after, ascending)]),
    ...(before === undefined ? [] : [beyond(before, !ascending)]),
  ];
  return Prisma.sql`${Prisma.join(all, ' AND ')} ORDER BY ${ordering(order, backwards)} LIMIT ${limit + 1}`;
}

export function ordering(order: ProgramOrder, backwards: boolean): Prisma.Sql {
  const column = Prisma.raw(columnOf[order]);
  const direction = Prisma.raw(order.endsWith('_ASC') === backwards ? 'DESC' : 'ASC');
  return columnOf[order] === 'id'
    ? Prisma.sql`${column} ${direction}`
    : Prisma.sql`${column} ${direction}, id ${direction}`;
}

/** Keyset pagination: a row comparison, which an index on both columns supports. */
function beyond(position: ProgramPosition, upwards: boolean): Prisma.Sql {
  const sign = Prisma.raw(upwards ? '>' : '<');
  if (position[0] === 'id') return Prisma.sql`id ${sign} ${position[1]}`;
  const [column, value, id] = position;
  const typed = column === 'name' ? Prisma.sql`${value}` : Prisma.sql`${value}::timestamptz`;
  return Prisma.sql`(${Prisma.raw(column)}, id) ${sign} (${typed}, ${id})`;
}

const existing = { whole: Prisma.sql`deleted_at IS NULL`, ownBranches: Prisma.sql`branches.deleted_at IS NULL` };
/** With the branches that were deleted together with their program. */
const deletedOnes = { whole: Prisma.sql`deleted_at IS NOT NULL`, ownBranches: Prisma.sql`deleted_with_program` };

/** The conditions of a filter; exactly one when it matches all programs, or all deleted ones. */
export function conditionsOf(filter: ProgramFilter): Prisma.Sql[] {
  const { search = '', searchBranches = false, duration, codes, ids, hasBranches, createdSince, updatedSince } = filter;
  const { minBranches, maxBranches } = filter;
  const { whole, ownBranches } = filter.deleted === true ? deletedOnes : existing;
  return [
    whole,
    ...searchedWords(search).map((word) => (searchBranches ? foundWithBranches(word, ownBranches) : found(word))),
    ...(duration === undefined ? [] : [Prisma.sql`duration = ${duration}`]),
    ...(codes === undefined ? [] : [Prisma.sql`code = ANY (${codes}::text[])`]),
    ...(ids === undefined ? [] : [Prisma.sql`id = ANY (${`{${ids.join()}}`}::int[])`]),
    ...(hasBranches === undefined ? [] : [withMoreBranchesThan(0, ownBranches, hasBranches)]),
    ...(minBranches === undefined || minBranches === 0 ? [] : [withMoreBranchesThan(minBranches - 1, ownBranches)]),
    ...(maxBranches === undefined ? [] : [withMoreBranchesThan(maxBranches, ownBranches, false)]),
    ...(createdSince === undefined ? [] : [Prisma.sql`created_at >= ${createdSince}`]),
    ...(updatedSince === undefined ? [] : [Prisma.sql`updated_at >= ${updatedSince}`]),
  ];
}

export const found = (word: string): Prisma.Sql => Prisma.sql`search_form(name, code) LIKE search_pattern(${word})`;

/** A UNION, so that each part uses its own index. */
const foundWithBranches = (word: string, ownBranches: Prisma.Sql): Prisma.Sql => Prisma.sql`id IN (
  SELECT id FROM programs WHERE ${found(word)}
  UNION ALL SELECT program_id FROM branches WHERE ${ownBranches} AND ${found(word)}
)`;

/** Programs with more branches than that, or all others. Reads no more of a program's branches, and only in an index. */
const withMoreBranchesThan = (count: number, ownBranches: Prisma.Sql, isWanted = true): Prisma.Sql =>
  Prisma.sql`${isWanted ? Prisma.empty : Prisma.sql`NOT `}EXISTS (
    SELECT 1 FROM branches WHERE branches.program_id = programs.id AND ${ownBranches} OFFSET ${count}::bigint
  )`;

/** A statement over all programs, or all deleted ones, is prepared under its name. */
export const nameIfWhole = (conditions: readonly Prisma.Sql[], name: string) =>
  conditions.length === 1 && { name: conditions[0] === existing.whole ? name : `${name}, deleted` };
