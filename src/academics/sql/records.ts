import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import type { Branch, BranchYear, Program } from '../../generated/prisma/client.ts';
import type { Table } from '../kinds.ts';
import { branchRow, programRow, selectList, yearRow } from './columns.ts';
import { isNearCode, nearCodeKey } from './near-codes.ts';

export const programSelection = selectList(programRow);
export const branchSelection = selectList(branchRow);
export const yearSelection = selectList(yearRow);

/** Records that are read in some milliseconds, though each may have 100 kB of attributes; and branches, of whose years. */
const fewMax = 10;
const fewBranchesMax = 100;

interface Timestamps {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
}

/** A row as JSON, with its times as dates. */
export function withDates<Row extends Timestamps>(row: Row) {
  return {
    ...row,
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
    deletedAt: row.deletedAt === null ? null : new Date(row.deletedAt),
  };
}

/** Programs of these ids, deleted ones too, in any order. */
export async function programsById(db: AnyTransaction, ids: readonly number[]): Promise<Program[]> {
  return (await queryJson<Program>(db, byId('programs', programSelection, ids))).map(withDates);
}

/** Branches of these ids, deleted ones too, in any order. */
export async function branchesById(db: AnyTransaction, ids: readonly number[]): Promise<Branch[]> {
  return (await queryJson<Branch>(db, byId('branches', branchSelection, ids))).map(withDates);
}

const byId = (table: Table, selection: string, ids: readonly number[]) => ({
  name: `${table} by id`,
  pipelined: ids.length <= fewMax,
  text: `SELECT ${selection} FROM ${table} WHERE id = ANY ($1::int[])`,
  values: [ids],
});

/** The record, unless there is none or it was deleted. */
export const existing = <Row extends Pick<Program, 'deletedAt'>>(record: Row | undefined): Row | undefined =>
  record?.deletedAt === null ? record : undefined;

/** The existing branches of programs, by id. */
export async function branchesOf(db: AnyTransaction, programIds: readonly number[]): Promise<Branch[]> {
  const text = `SELECT ${branchSelection} FROM branches
    WHERE program_id = ANY ($1::int[]) AND deleted_at IS NULL ORDER BY id`;
  return (await queryJson<Branch>(db, { name: 'branches of programs', text, values: [programIds] })).map(withDates);
}

/** Whether a program has so many branches or more, deleted ones included; counts no further, in an index. */
export async function hasBranches(db: AnyTransaction, programId: number, count: number): Promise<boolean> {
  const text = 'SELECT 1 FROM branches WHERE program_id = $1::int OFFSET $2::int LIMIT 1';
  const found = await queryJson(db, { name: 'has branches', pipelined: true, text, values: [programId, count - 1] });
  return found.length > 0;
}

/** The years of branches, in order. */
export async function branchYears(db: AnyTransaction, branchIds: readonly number[]): Promise<BranchYear[]> {
  const text = `SELECT ${yearSelection} FROM branch_years
    WHERE branch_id = ANY ($1::int[]) ORDER BY year`;
  return queryJson<BranchYear>(db, {
    name: 'years of branches',
    pipelined: branchIds.length <= fewBranchesMax,
    text,
    values: [branchIds],
  });
}

/** Records with the code or the name of another. */
export interface Alike {
  /** The index of the other one among those given. */
  readonly place: number;
  readonly field: 'code' | 'name';
  /** Whether the codes are nearly equal only. */
  readonly isNear: boolean;
  /** The first ones found, in order. */
  readonly ids: readonly number[];
}

const alikeMax = 10;
/** Of thousands that are alike, no more are read: a warning has ten. */
const comparedMax = 100;

/**
 * Finds existing records with the code of given ones, or their name but for case, accents and the like; branches within
 * the same program. Each by index, with a key that is made once (`OFFSET 0`) and not for each branch of the program.
 */
export async function alikeRecords(
  db: AnyTransaction,
  table: Table,
  given: readonly (Pick<Program, 'id' | 'code'> & { readonly place: number; readonly name: string | null })[],
): Promise<Alike[]> {
  const isOther = `id <> given.id AND deleted_at IS NULL ${table === 'branches' ? 'AND program_id = given."programId"' : ''}`;
  const text = `SELECT place, field, "isNear", json_agg(other.id ORDER BY other.id) AS ids
    FROM (
      SELECT *, name_key(name) AS key, ${nearCodeKey('code')} AS code_key
      FROM json_to_recordset($1::json) AS given (place int, id int, "programId" int, code text, name text)
      OFFSET 0
    ) AS given CROSS JOIN LATERAL (
      (SELECT 'code' AS field, false AS "isNear", id
       FROM (SELECT id FROM ${table} WHERE code = given.code AND code <> '' AND ${isOther} LIMIT ${comparedMax}) AS equal
       ORDER BY id LIMIT ${alikeMax})
      UNION ALL
      (SELECT 'code', true, id
       FROM (SELECT code, id FROM ${table} WHERE ${isNearCode('code', 'given.code_key')} AND ${isOther} LIMIT ${comparedMax}) AS near
       WHERE code <> given.code ORDER BY id LIMIT ${alikeMax})
      UNION ALL
      (SELECT 'name', false, id
       FROM (SELECT id FROM ${table} WHERE sorted_name >= key || E'\\x01' AND sorted_name < key || E'\\x02' AND ${isOther} LIMIT ${comparedMax}) AS named
       ORDER BY id LIMIT ${alikeMax})
    ) AS other GROUP BY place, field, "isNear" ORDER BY place, field, "isNear"`;
  return queryJson<Alike>(db, { name: `alike ${table}`, text, values: [JSON.stringify(given)] });
}
