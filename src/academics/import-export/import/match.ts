// Matching, in SQL over all rows at once: each wanted program, and then each wanted branch, gets the id of an existing
// record, or none and is created. A `key` says which records are equal, a `place` or `occurrence` counts equal ones.
import type { Client } from 'pg';
import { advisoryLocks } from '../../../database/locks.ts';

export async function tryImportLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ acquired: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS acquired', [
    advisoryLocks.import,
  ]);
  return rows[0]?.acquired === true;
}

/**
 * Matches staged rows with existing records: programs by code, else by name and duration among those without a code;
 * branches by name within their program. Among equals, the first in the file matches the oldest, and so on.
 * Where rows conflict, the first takes precedence.
 */
export async function matchRows(client: Client): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.import]);
  await client.query(`
    ANALYZE staged_rows;
    ${matchPrograms};
    ${matchBranches};`);
}

const matchPrograms = `
  CREATE TEMP TABLE wanted_programs ON COMMIT DROP AS
  SELECT *, row_number() OVER (PARTITION BY program_key ORDER BY number) AS place, NULL::integer AS id
  FROM (
    SELECT DISTINCT ON (program_key, program_occurrence)
      number, line, program_key, program_occurrence, program_code AS code, program_name AS name,
      program_duration AS duration
    FROM staged_rows
    ORDER BY program_key, program_occurrence, number
  ) first_rows;
  ANALYZE wanted_programs;

  UPDATE wanted_programs w SET id = found.id
  FROM (
    SELECT program_key, id, row_number() OVER (PARTITION BY program_key ORDER BY id) AS place
    FROM (
      SELECT w.program_key, p.id FROM wanted_programs w JOIN programs p ON p.code = w.code
      WHERE w.place = 1 AND w.code <> '' AND p.deleted_at IS NULL
      UNION ALL
      SELECT w.program_key, p.id FROM wanted_programs w JOIN programs p ON p.name = w.name AND p.duration = w.duration
      WHERE w.place = 1 AND w.code = '' AND coalesce(p.code, '') = '' AND p.deleted_at IS NULL
    ) alike
  ) found
  WHERE found.program_key = w.program_key AND found.place = w.place`;

const matchBranches = `
  CREATE TEMP TABLE wanted_branches ON COMMIT DROP AS
  SELECT *, row_number() OVER (PARTITION BY program_number, name COLLATE "C" ORDER BY number) AS place,
    NULL::integer AS id
  FROM (
    SELECT DISTINCT ON (p.number, s.branch_name COLLATE "C", s.branch_occurrence)
      s.number, s.line, p.number AS program_number, p.id AS program_id, s.branch_name AS name,
      s.branch_occurrence AS occurrence, s.branch_years AS years, s.branch_description AS description,
      s.branch_code_prefix AS code_prefix, s.branch_code_is_numeric AS code_is_numeric
    FROM staged_rows s JOIN wanted_programs p USING (program_key, program_occurrence)
    WHERE s.branch_name IS NOT NULL
    ORDER BY p.number, s.branch_name COLLATE "C", s.branch_occurrence, s.number
  ) first_rows;
  ANALYZE wanted_branches;

  UPDATE wanted_branches w SET id = found.id
  FROM (
    SELECT b.program_id, b.name, b.id,
      row_number() OVER (PARTITION BY b.program_id, b.name COLLATE "C" ORDER BY b.id) AS place
    FROM wanted_branches w JOIN branches b ON b.program_id = w.program_id AND b.name = w.name
    WHERE w.place = 1 AND b.deleted_at IS NULL
  ) found
  WHERE found.program_id = w.program_id AND found.name = w.name AND found.place = w.place`;
