import type { Client } from 'pg';
import { yearSuffixes } from '../../rules/year-codes.ts';
import { withValues } from '../../sql/attributes.ts';
import { branchFields, columnsOf, programFields } from '../../sql/columns.ts';
import { branchDefaults, programDefaults } from '../columns.ts';

const programColumns = columnsOf(programFields);
const branchColumns = columnsOf(branchFields);
const valuesIn = (record: 'made' | 'after', columns: readonly string[]): string =>
  columns.map((column) => `(${record}).${column}`).join(', ');

const noAttributes = `'{}'::jsonb`;

/** A record changed while it was compared with the file. A retry helps. */
export class CatalogChangedError extends Error {
  override readonly name = 'CatalogChangedError';
}

/**
 * Creates in the order of the file, which an export then preserves. `created_at` is not the beginning of the transaction,
 * before the file was read: a client that polls with `createdSince` would miss the records.
 * @throws CatalogChangedError when the program of a new branch has just been deleted.
 */
export async function createMissing(client: Client): Promise<void> {
  await lockExisting(client);
  await client.query(`
    CREATE TEMP TABLE year_suffixes (is_numeric boolean, year integer, suffix text) ON COMMIT DROP`);
  await client.query('INSERT INTO year_suffixes SELECT * FROM json_populate_recordset(NULL::year_suffixes, $1)', [
    yearSuffixes,
  ]);
  await client.query(`
    ANALYZE year_suffixes;
    CREATE TEMP TABLE new_programs ON COMMIT DROP AS
    SELECT nextval(pg_get_serial_sequence('programs', 'id'))::integer AS id, w.*
    FROM (
      SELECT number, ${withValues(programDefaults, noAttributes, 'given')} AS made
      FROM wanted_programs WHERE id IS NULL ORDER BY number
    ) w;
    ANALYZE new_programs (id);

    INSERT INTO programs (id, ${programColumns.join(', ')}, created_at, updated_at)
    SELECT id, ${valuesIn('made', programColumns)}, statement_timestamp(), statement_timestamp()
    FROM new_programs ORDER BY id;

    CREATE TEMP TABLE new_branches ON COMMIT DROP AS
    SELECT nextval(pg_get_serial_sequence('branches', 'id'))::integer AS id, w.*
    FROM (
      SELECT w.years, ${withValues(
        branchDefaults,
        noAttributes,
        `(w.given || jsonb_build_object('program_id', coalesce(w.program_id, p.id)))`,
      )} AS made
      FROM wanted_branches w LEFT JOIN new_programs p ON p.number = w.program_number
      WHERE w.id IS NULL
      ORDER BY w.number
    ) w;
    ANALYZE new_branches (id);

    INSERT INTO branches (id, ${branchColumns.join(', ')}, created_at, updated_at)
    SELECT id, ${valuesIn('made', branchColumns)}, statement_timestamp(), statement_timestamp()
    FROM new_branches ORDER BY id;

    INSERT INTO branch_years (branch_id, year, code)
    SELECT b.id, y.year, (made).code_prefix || y.suffix
    FROM new_branches b JOIN year_suffixes y ON y.is_numeric = (made).code_is_numeric AND y.year <= b.years
    ORDER BY b.id, y.year;`);
}

/** Locks what changes, and programs of new branches against deletion, in the order of all transactions (`locks.ts`). */
async function lockExisting(client: Client): Promise<void> {
  const { rowCount: changed } = await client.query('SELECT FROM changed_programs LIMIT 1');
  const { rows } = await client.query<{ wanted: number; held: number }>(`
    WITH parents AS (
      SELECT DISTINCT program_id AS id FROM wanted_branches WHERE id IS NULL AND program_id IS NOT NULL
    ), held AS MATERIALIZED (
      SELECT id FROM programs
      WHERE deleted_at IS NULL AND id IN (SELECT id FROM parents UNION SELECT id FROM changed_programs)
      ORDER BY id ${changed === 0 ? 'FOR KEY SHARE' : 'FOR NO KEY UPDATE'}
    )
    SELECT (SELECT count(*)::integer FROM parents) AS wanted,
      (SELECT count(*)::integer FROM held JOIN parents USING (id)) AS held`);
  if (rows[0]?.wanted !== rows[0]?.held) {
    throw new CatalogChangedError(
      'A program of the file has just been deleted. Nothing was imported: please try again.',
    );
  }
  await client.query(
    'SELECT count(*) FROM (SELECT FROM branches WHERE id IN (SELECT id FROM changed_branches) ORDER BY id FOR UPDATE) held',
  );
}

/**
 * Updates the records that differ. Remaining years keep their ids.
 * @throws CatalogChangedError when fewer than `expected` are updated: one was changed or deleted during the import.
 */
export async function applyChanges(
  client: Client,
  expected: { readonly programs: number; readonly branches: number },
): Promise<void> {
  const programs = await client.query(`
    UPDATE programs p SET (${programColumns.join(', ')}) = ROW(${valuesIn('after', programColumns)}),
      version = p.version + 1, updated_at = statement_timestamp()
    FROM changed_programs c WHERE p.id = c.id AND p.version = c.version AND p.deleted_at IS NULL`);
  const branches = await client.query(`
    UPDATE branches b SET (${branchColumns.join(', ')}) = ROW(${valuesIn('after', branchColumns)}),
      version = b.version + 1, updated_at = statement_timestamp()
    FROM changed_branches c WHERE b.id = c.id AND b.version = c.version AND b.deleted_at IS NULL`);
  if (programs.rowCount !== expected.programs || branches.rowCount !== expected.branches) {
    throw new CatalogChangedError(
      'A record of the file has just been changed. Nothing was imported: please try again.',
    );
  }
  await client.query(`
    DELETE FROM branch_years y USING changed_branches c WHERE y.branch_id = c.id AND y.year > c.years;

    UPDATE branch_years y SET code = (after).code_prefix || s.suffix
    FROM changed_branches c JOIN year_suffixes s ON s.is_numeric = (after).code_is_numeric
    WHERE y.branch_id = c.id AND y.year = s.year AND y.code <> (after).code_prefix || s.suffix;

    INSERT INTO branch_years (branch_id, year, code)
    SELECT c.id, s.year, (after).code_prefix || s.suffix
    FROM changed_branches c JOIN year_suffixes s ON s.is_numeric = (after).code_is_numeric AND s.year <= c.years
    WHERE NOT EXISTS (SELECT 1 FROM branch_years y WHERE y.branch_id = c.id AND y.year = s.year)
    ORDER BY c.id, s.year;`);
}
