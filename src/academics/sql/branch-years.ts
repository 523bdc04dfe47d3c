import type { Transaction } from '../../database/types.ts';
import type { Year } from '../rules/year-codes.ts';

/** In one statement; years that stay keep their ids. */
export async function replaceYears(tx: Transaction, branchId: number, years: readonly Year[]): Promise<void> {
  await tx.$executeRaw`
    WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(years)}::json) AS given (year int, code text)
    ), removed AS (
      DELETE FROM branch_years WHERE branch_id = ${branchId} AND year NOT IN (SELECT year FROM given)
    ), renamed AS (
      UPDATE branch_years SET code = given.code FROM given
      WHERE branch_id = ${branchId} AND branch_years.year = given.year AND branch_years.code <> given.code
    )
    INSERT INTO branch_years (branch_id, year, code)
    SELECT ${branchId}, year, code FROM given
    WHERE year NOT IN (SELECT year FROM branch_years WHERE branch_id = ${branchId})
    ORDER BY year`;
}
