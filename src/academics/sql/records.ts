import { queryJson } from '@service/postgres/sql';
import { type Transaction, withDates } from '../../database/types.ts';
import type { Branch, BranchYear, Program } from '../../generated/prisma/client.ts';
import { branchRow, programRow, selectList, yearRow } from './columns.ts';

export const programColumns = selectList(programRow);
export const branchColumns = selectList(branchRow);
const yearColumns = selectList(yearRow);

/** Not the deleted ones; in any order. */
export async function programsById(db: Transaction, ids: readonly number[]): Promise<Program[]> {
  const text = `SELECT ${programColumns} FROM programs WHERE id = ANY ($1::int[]) AND deleted_at IS NULL`;
  return (await queryJson<Program>(db, { name: 'programs by id', pipelined: true, text, values: [ids] })).map(
    withDates,
  );
}

export async function anyProgramsById(db: Transaction, ids: readonly number[]): Promise<Program[]> {
  const text = `SELECT ${programColumns} FROM programs WHERE id = ANY ($1::int[])`;
  return (await queryJson<Program>(db, { name: 'any programs by id', pipelined: true, text, values: [ids] })).map(
    withDates,
  );
}

export async function branchesById(db: Transaction, ids: readonly number[]): Promise<Branch[]> {
  const text = `SELECT ${branchColumns} FROM branches WHERE id = ANY ($1::int[]) AND deleted_at IS NULL`;
  return (await queryJson<Branch>(db, { name: 'branches by id', pipelined: true, text, values: [ids] })).map(withDates);
}

export async function branchesOf(db: Transaction, programIds: readonly number[]): Promise<Branch[]> {
  const text = `SELECT ${branchColumns} FROM branches
    WHERE program_id = ANY ($1::int[]) AND deleted_at IS NULL ORDER BY id`;
  return (
    await queryJson<Branch>(db, { name: 'branches of programs', pipelined: true, text, values: [programIds] })
  ).map(withDates);
}

export async function branchYears(db: Transaction, branchIds: readonly number[]): Promise<BranchYear[]> {
  const text = `SELECT ${yearColumns} FROM branch_years
    WHERE branch_id = ANY ($1::int[]) ORDER BY year`;
  return queryJson<BranchYear>(db, { name: 'years of branches', pipelined: true, text, values: [branchIds] });
}

/** Given as pairs of `branchId` and `year`; not those of deleted branches, in any order. */
export async function branchYearsAt(
  db: Transaction,
  years: readonly Pick<BranchYear, 'branchId' | 'year'>[],
): Promise<BranchYear[]> {
  const text = `SELECT branch_years.id, branch_id AS "branchId", year, code
    FROM branch_years JOIN branches ON branches.id = branch_id
    WHERE (branch_id, year) IN (SELECT * FROM unnest($1::int[], $2::int[])) AND deleted_at IS NULL`;
  const values = [years.map(({ branchId }) => branchId), years.map(({ year }) => year)];
  return queryJson<BranchYear>(db, { name: 'years by branch and year', pipelined: true, text, values });
}
