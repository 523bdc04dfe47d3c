import type { Client } from 'pg';
import { CatalogChangedError } from './errors.ts';

/** One number for all imports: they go one after the other, so that two of the same file make nothing twice. */
const lockKey = 0x75_61_73_33;

/** What an import makes and what it finds. */
export interface Counts {
  readonly programs: { readonly created: number; readonly unchanged: number };
  readonly branches: { readonly created: number; readonly unchanged: number };
  readonly years: { readonly created: number };
  /** Rows that name the branch of an earlier row again. */
  readonly repeated: number;
}

/**
 * Gathers the programs and branches that the staged rows want and finds those that exist: programs by code where
 * there is one, else by name and duration among those without a code; branches by name within their program. Of
 * several alike, the oldest counts. Where rows contradict each other, the first one counts.
 */
export async function match(client: Client): Promise<Counts> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
  await client.query(`
    ANALYZE staged_rows;

    CREATE TEMP TABLE wanted_programs ON COMMIT DROP AS
    SELECT DISTINCT ON (program_key)
      line, program_key, program_code AS code, program_name AS name, program_duration AS duration, NULL::integer AS id
    FROM staged_rows
    ORDER BY program_key, line;
    ANALYZE wanted_programs;

    UPDATE wanted_programs w SET id = found.id
    FROM (
      SELECT line, min(id) AS id
      FROM (
        SELECT w.line, p.id FROM wanted_programs w JOIN programs p ON p.code = w.code
        WHERE w.code <> '' AND p.deleted_at IS NULL
        UNION ALL
        SELECT w.line, p.id FROM wanted_programs w JOIN programs p ON p.name = w.name AND p.duration = w.duration
        WHERE w.code = '' AND coalesce(p.code, '') = '' AND p.deleted_at IS NULL
      ) alike
      GROUP BY line
    ) found
    WHERE found.line = w.line;

    CREATE TEMP TABLE wanted_branches ON COMMIT DROP AS
    SELECT DISTINCT ON (p.line, s.branch_name COLLATE "C")
      s.line, p.line AS program_line, p.id AS program_id, s.branch_name AS name, s.branch_description AS description,
      s.branch_code_prefix AS code_prefix, s.branch_code_is_numeric AS code_is_numeric, s.year_codes, NULL::integer AS id
    FROM staged_rows s JOIN wanted_programs p USING (program_key)
    WHERE s.branch_name IS NOT NULL
    ORDER BY p.line, s.branch_name COLLATE "C", s.line;
    ANALYZE wanted_branches;

    UPDATE wanted_branches w SET id = found.id
    FROM (
      SELECT w.line, min(b.id) AS id
      FROM wanted_branches w JOIN branches b ON b.program_id = w.program_id AND b.name = w.name
      WHERE b.deleted_at IS NULL
      GROUP BY w.line
    ) found
    WHERE found.line = w.line;`);
  return count(client);
}

async function count(client: Client): Promise<Counts> {
  const { rows } = await client.query<
    Record<'programs' | 'programsNew' | 'branches' | 'branchesNew' | 'years' | 'rows', number>
  >(`
    SELECT
      (SELECT count(*)::integer FROM wanted_programs) AS programs,
      (SELECT count(*)::integer FROM wanted_programs WHERE id IS NULL) AS "programsNew",
      (SELECT count(*)::integer FROM wanted_branches) AS branches,
      (SELECT count(*)::integer FROM wanted_branches WHERE id IS NULL) AS "branchesNew",
      (SELECT coalesce(sum(cardinality(year_codes)), 0)::integer FROM wanted_branches WHERE id IS NULL) AS years,
      (SELECT count(branch_name)::integer FROM staged_rows) AS rows`);
  const [found] = rows;
  if (found === undefined) throw new Error('A query that always has one row had none.');
  return {
    programs: { created: found.programsNew, unchanged: found.programs - found.programsNew },
    branches: { created: found.branchesNew, unchanged: found.branches - found.branchesNew },
    years: { created: found.years },
    repeated: found.rows - found.branches,
  };
}

/**
 * Creates what was wanted and not found, in the order of the file, so that an export of it has the same order.
 *
 * @throws CatalogChangedError when a program that shall get a branch has just been deleted.
 */
export async function createMissing(client: Client): Promise<void> {
  await holdParents(client);
  await client.query(`
    CREATE TEMP TABLE new_programs ON COMMIT DROP AS
    SELECT nextval(pg_get_serial_sequence('programs', 'id'))::integer AS id, w.*
    FROM (SELECT line, name, duration, code FROM wanted_programs WHERE id IS NULL ORDER BY line) w;
    ANALYZE new_programs;

    INSERT INTO programs (id, name, duration, code)
    SELECT id, name, duration, nullif(code, '') FROM new_programs ORDER BY id;

    CREATE TEMP TABLE new_branches ON COMMIT DROP AS
    SELECT nextval(pg_get_serial_sequence('branches', 'id'))::integer AS id, w.*
    FROM (
      SELECT coalesce(w.program_id, p.id) AS program_id, w.name, w.description, w.code_prefix, w.code_is_numeric, w.year_codes
      FROM wanted_branches w LEFT JOIN new_programs p ON p.line = w.program_line
      WHERE w.id IS NULL
      ORDER BY w.line
    ) w;
    ANALYZE new_branches;

    INSERT INTO branches (id, program_id, name, description, code_prefix, code_is_numeric)
    SELECT id, program_id, name, description, code_prefix, code_is_numeric FROM new_branches ORDER BY id;

    INSERT INTO branch_years (branch_id, year, code)
    SELECT b.id, y.year, y.code
    FROM new_branches b CROSS JOIN LATERAL unnest(b.year_codes) WITH ORDINALITY AS y (code, year)
    ORDER BY b.id, y.year;`);
}

/** Keeps the programs that shall get branches from being deleted until the transaction ends; they can be read. */
async function holdParents(client: Client): Promise<void> {
  const { rows } = await client.query<{ wanted: number; held: number }>(`
    WITH parents AS (
      SELECT DISTINCT program_id AS id FROM wanted_branches WHERE id IS NULL AND program_id IS NOT NULL
    ), held AS MATERIALIZED (
      SELECT p.id FROM programs p JOIN parents USING (id) WHERE p.deleted_at IS NULL FOR SHARE OF p
    )
    SELECT (SELECT count(*)::integer FROM parents) AS wanted, (SELECT count(*)::integer FROM held) AS held`);
  if (rows[0]?.wanted !== rows[0]?.held) {
    throw new CatalogChangedError(
      'A program of the file has just been deleted. Nothing was imported: please try again.',
    );
  }
}
