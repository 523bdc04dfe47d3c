// Matching, in SQL over all rows at once: each wanted program, and then each wanted branch, gets the id of an existing
// record, or none and is created. A `key` says which records are equal, an `occurrence` numbers equal ones.
import { shortened } from '@service/errors';
import type { Client } from 'pg';
import { advisoryLocks } from '../../../database/locks.ts';
import { attributesMax } from '../../rules/attributes.ts';
import { changedAttributes, hasTooManyAttributes } from '../../sql/attributes.ts';
import { type Kind, type Problem, valueMax } from '../columns.ts';
import type { Listed } from './conflicts.ts';

/** Takes the lock of all instances for one import at a time; `false` when another has it. */
export async function tryImportLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ acquired: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS acquired', [
    advisoryLocks.import,
  ]);
  return rows[0]?.acquired === true;
}

/**
 * Matches staged rows with existing records: programs by code, else by name and duration among those without a code;
 * branches by code within their program, else by name. Among equals, occurrence 1 matches the oldest, 2 the next, and so
 * on, whichever others the file has. Where rows conflict, the first takes precedence.
 */
export async function matchRows(client: Client): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.import]);
  await client.query(`
    ANALYZE staged_rows (number, program_key, program_occurrence, branch_key, branch_occurrence);
    ${matchPrograms};
    ${matchBranches};`);
}

const matchPrograms = `
  CREATE TEMP TABLE wanted_programs ON COMMIT DROP AS
  SELECT *, given ->> 'code' AS code, given ->> 'name' AS name, given ->> 'duration' AS duration,
    NULL::integer AS id
  FROM (
    SELECT DISTINCT ON (program_key, program_occurrence)
      number, line, program_key, program_occurrence, program AS given
    FROM staged_rows
    ORDER BY program_key, program_occurrence, number
  ) first_rows;
  ANALYZE wanted_programs (number, program_key, program_occurrence, code, name, duration);

  UPDATE wanted_programs w SET id = found.id
  FROM (
    SELECT program_key, id, row_number() OVER (PARTITION BY program_key ORDER BY id) AS occurrence
    FROM (
      SELECT program_key, p.id FROM (SELECT DISTINCT program_key, code FROM wanted_programs WHERE code <> '') coded
      JOIN programs p USING (code) WHERE p.deleted_at IS NULL
      UNION ALL
      SELECT program_key, p.id
      FROM (SELECT DISTINCT program_key, name, duration FROM wanted_programs WHERE coalesce(code, '') = '') named
      JOIN programs p USING (name, duration) WHERE coalesce(p.code, '') = '' AND p.deleted_at IS NULL
    ) alike
  ) found
  WHERE found.program_key = w.program_key AND found.occurrence = w.program_occurrence`;

const unmatchedBranch = `deleted_at IS NULL AND program_id IN (SELECT program_id FROM wanted_branches WHERE id IS NULL)
  AND NOT EXISTS (SELECT FROM wanted_branches WHERE wanted_branches.id = branches.id)`;

/** Two codes are of two branches, whatever their names: those without one come first, and find each other. */
const existingByName = `
  SELECT id, program_id, name, has_code,
    row_number() OVER (PARTITION BY program_id, name COLLATE "C" ORDER BY has_code, id) AS place
  FROM branches CROSS JOIN LATERAL (SELECT coalesce(code, '') <> '' AS has_code) coded WHERE ${unmatchedBranch}`;
const wantedByName = `
  SELECT number, program_id, name, has_code, CASE WHEN has_code
    THEN coalesce(max(branch_occurrence) FILTER (WHERE NOT has_code) OVER (PARTITION BY program_id, name COLLATE "C"), 0)
      + row_number() OVER (PARTITION BY program_id, name COLLATE "C", has_code ORDER BY number)
    ELSE branch_occurrence END AS place
  FROM wanted_branches CROSS JOIN LATERAL (SELECT coalesce(code, '') <> '' AS has_code) coded
  WHERE id IS NULL AND program_id IS NOT NULL`;

const matchBranches = `
  CREATE TEMP TABLE wanted_branches ON COMMIT DROP AS
  SELECT *, given ->> 'code' AS code, given ->> 'name' AS name, (given ->> 'years')::integer AS years,
    NULL::integer AS id
  FROM (
    SELECT DISTINCT ON (p.number, s.branch_key, s.branch_occurrence)
      s.number, s.line, p.number AS program_number, p.id AS program_id, s.branch_key, s.branch_occurrence,
      s.branch AS given
    FROM staged_rows s JOIN wanted_programs p USING (program_key, program_occurrence)
    WHERE s.branch_key IS NOT NULL
    ORDER BY p.number, s.branch_key, s.branch_occurrence, s.number
  ) first_rows;
  ANALYZE wanted_branches (number, program_number, program_id, branch_key, branch_occurrence, code, name);

  UPDATE wanted_branches w SET id = found.id
  FROM (
    SELECT program_id, code, b.id, row_number() OVER (PARTITION BY program_id, code ORDER BY b.id) AS occurrence
    FROM (SELECT DISTINCT program_id, code FROM wanted_branches WHERE code <> '') coded
    JOIN branches b USING (program_id, code) WHERE b.deleted_at IS NULL
  ) found
  WHERE found.program_id = w.program_id AND found.code = w.code AND found.occurrence = w.branch_occurrence;

  UPDATE wanted_branches w SET id = b.id
  FROM (${wantedByName}) unmatched JOIN (${existingByName}) b USING (program_id, name, place)
  WHERE w.number = unmatched.number AND NOT (unmatched.has_code AND b.has_code)`;

/**
 * Finds records that would have too many attributes together with those of their first row, which are then left out.
 * Only an update adds to those of an existing record.
 */
export async function refuseTooManyAttributes(client: Client, listedMax: number): Promise<Listed<Problem>> {
  const [programs, branches] = (['program', 'branch'] as const).map(
    (kind) => `
    SELECT w.number, w.line, '${kind}' AS kind, w.id FROM wanted_${plurals[kind]} w JOIN ${plurals[kind]} existing USING (id)
    WHERE w.given ? 'attributes'
      AND ${hasTooManyAttributes(changedAttributes('existing.attributes', `w.given -> 'attributes'`))}`,
  );
  const { rows } = await client.query<{ line: number; kind: Kind; id: number; total: number }>(
    `WITH refused AS MATERIALIZED (${programs} UNION ALL ${branches}), from_programs AS (
       UPDATE wanted_programs SET given = given - 'attributes'
       WHERE number IN (SELECT number FROM refused WHERE kind = 'program')
     ), from_branches AS (
       UPDATE wanted_branches SET given = given - 'attributes'
       WHERE number IN (SELECT number FROM refused WHERE kind = 'branch')
     ), from_rows AS (
       UPDATE staged_rows SET
         program = CASE WHEN kinds ? 'program' THEN program - 'attributes' ELSE program END,
         branch = CASE WHEN kinds ? 'branch' THEN branch - 'attributes' ELSE branch END
       FROM (SELECT number, jsonb_agg(kind) AS kinds FROM refused GROUP BY number) of_rows
       WHERE staged_rows.number = of_rows.number
     )
     SELECT line, kind, id, count(*) OVER ()::integer AS total FROM refused ORDER BY number, kind DESC LIMIT $1`,
    [listedMax],
  );
  return {
    total: rows[0]?.total ?? 0,
    listed: rows.map(({ line, kind, id }) => ({
      line,
      column: null,
      message: `The ${kind} ${id} would have more than ${attributesMax} attributes together with those that it has.`,
      value: null,
    })),
  };
}

const plurals = { program: 'programs', branch: 'branches' } as const;

interface Found {
  readonly line: number;
  readonly column: string;
  readonly code: string;
  readonly ids: readonly number[];
  readonly records: number;
  readonly total: number;
}

/** The first row of each code. */
const firstOf = (kind: 'programs' | 'branches', key: string): string =>
  `SELECT DISTINCT ON (${key}) * FROM wanted_${kind} WHERE code <> '' ORDER BY ${key}, number`;

/** Codes of the file that several records have, at their first row. */
export async function findAmbiguousCodes(client: Client, listedMax: number): Promise<Listed<Problem>> {
  const alike = `(array_agg(existing.id ORDER BY existing.id))[:${idsMax}] AS ids, count(*)::integer AS records`;
  const group = 'GROUP BY w.number, w.line, w.code HAVING count(*) > 1';
  const { rows } = await client.query<Found>(
    `SELECT *, count(*) OVER ()::integer AS total FROM (
       SELECT w.number, w.line, 'program_code' AS "column", w.code, ${alike}
       FROM (${firstOf('programs', 'program_key')}) w JOIN programs existing USING (code)
       WHERE existing.deleted_at IS NULL ${group}
       UNION ALL
       SELECT w.number, w.line, 'branch_code', w.code, ${alike}
       FROM (${firstOf('branches', 'program_number, branch_key')}) w JOIN branches existing USING (program_id, code)
       WHERE existing.deleted_at IS NULL ${group}
     ) ambiguous
     ORDER BY number, "column" LIMIT $1`,
    [listedMax],
  );
  return { total: rows[0]?.total ?? 0, listed: rows.map(ambiguousCode) };
}

/** Ids that a message lists. */
const idsMax = 10;

function ambiguousCode({ line, column, code, ids, records }: Found): Problem {
  const kind = column === 'program_code' ? 'programs' : 'branches';
  const more = records > ids.length ? ' and others' : '';
  const message = `${column} ${JSON.stringify(code)} is the code of ${records} ${kind}: ${ids.join(', ')}${more}. Rows match them in this order.`;
  return { line, column, message, value: shortened(code, valueMax) };
}
