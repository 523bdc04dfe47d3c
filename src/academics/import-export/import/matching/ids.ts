// Whether the ids that rows name are of this catalog. Those of its copy agree up to the first gap; beyond it, each is that of
// another record.
import type { Client } from 'pg';
import { type KindWord, tableOf } from '../../../kinds.ts';
import { naturalPrograms } from './programs.ts';

const isKnown = (kind: KindWord): string => `EXISTS (
  SELECT FROM ${tableOf(kind)} known WHERE known.id = ${kind}_given_id AND deleted_at IS NULL)`;

/** Forgets the ids of records that are deleted, or were never here: their rows are matched as any other. */
const forgetUnknown = `
  UPDATE staged_rows SET
    program_given_id = CASE WHEN ${isKnown('program')} THEN program_given_id ELSE 0 END,
    branch_given_id = CASE WHEN branch_key IS NULL THEN NULL WHEN ${isKnown('branch')} THEN branch_given_id ELSE 0 END
  WHERE program_given_id > 0 AND NOT ${isKnown('program')} OR branch_given_id > 0 AND NOT ${isKnown('branch')}`;

/** What rows name, by id: programs with the record that code, or name and duration, find (`found_id`), then branches. */
const named = `
  INSERT INTO program_ids
  SELECT DISTINCT program_given_id AS id, program_key, program_occurrence, coalesce(program_code, '') AS code,
    program ->> 'name' AS name, program ->> 'duration' AS duration, NULL::integer AS found_id
  FROM staged_rows;
  ANALYZE program_ids;
  UPDATE program_ids row SET found_id = found.id
  FROM (${naturalPrograms('program_ids')}) found
  WHERE found.program_key = row.program_key AND found.occurrence = row.program_occurrence;

  INSERT INTO branch_ids
  SELECT row.*,
    b.program_id IS NOT DISTINCT FROM row.program_id
      AND coalesce(b.code, '') = row.code AND (b.name = row.name OR row.code <> '') AS is_own
  FROM (
    SELECT DISTINCT branch_given_id AS id, branch_key, coalesce(nullif(program_given_id, 0), found_id) AS program_id,
      coalesce(branch_code, '') AS code, branch ->> 'name' AS name
    FROM staged_rows s JOIN program_ids p ON p.id = program_given_id
      AND p.program_key = s.program_key AND p.program_occurrence = s.program_occurrence
    WHERE branch_given_id > 0
  ) row JOIN branches b USING (id);
  ANALYZE program_ids; ANALYZE branch_ids`;

/**
 * Rows that have the id of one record and the values of another (`other_id`), which no row of its own names: all that name
 * it, or, beside an id that agrees with the row in nothing, the code or the name.
 */
const contradict = `
  INSERT INTO contradictions
  SELECT s.number, 'program' AS kind, row.id, other.id AS other_id
  FROM program_ids row JOIN programs own ON own.id = row.id JOIN programs other ON other.id = row.found_id
  JOIN staged_rows s ON s.program_given_id = row.id
    AND s.program_key = row.program_key AND s.program_occurrence = row.program_occurrence
  WHERE row.found_id <> row.id
    AND (coalesce(own.code, ''), own.name, own.duration) <> (row.code, row.name, row.duration)
    AND ((coalesce(other.code, ''), other.name, other.duration) = (row.code, row.name, row.duration)
      OR NOT (own.code = nullif(row.code, '') IS TRUE OR (own.name, own.duration) = (row.name, row.duration)))
    AND NOT EXISTS (SELECT FROM program_ids rightful WHERE rightful.id = other.id AND rightful.found_id = other.id)
  UNION ALL
  SELECT s.number, 'branch', row.id, other.id
  FROM branch_ids row JOIN branches own ON own.id = row.id
  LEFT JOIN LATERAL (
    SELECT id, name = row.name AND coalesce(code, '') = row.code AS is_same FROM branches b
    WHERE program_id = row.program_id AND id <> row.id AND deleted_at IS NULL
      AND (code = nullif(row.code, '') OR name = row.name AND (row.code = '' OR coalesce(code, '') = ''))
      AND NOT EXISTS (SELECT FROM branch_ids rightful WHERE rightful.id = b.id AND is_own)
    ORDER BY is_same DESC, id LIMIT 1
  ) other ON true
  JOIN staged_rows s ON s.branch_given_id = row.id AND s.branch_key = row.branch_key
  WHERE NOT row.is_own AND CASE WHEN own.program_id = row.program_id
    THEN other.id IS NOT NULL AND (is_same OR own.name <> row.name)
    ELSE (is_same IS TRUE OR own.name <> row.name)
      AND NOT EXISTS (SELECT FROM branch_ids rightful WHERE rightful.id = row.id AND is_own)
  END`;

const votes = `
  SELECT (SELECT count(DISTINCT (kind, id))::integer FROM contradictions) AS against,
    (SELECT count(*) FROM program_ids WHERE found_id = id)::integer
      + (SELECT count(*) FROM branch_ids WHERE is_own)::integer AS for`;

/** A file of this catalog has a contradiction where somebody has exchanged two names: in fewer than one of so many records. */
const recordsOfOne = 50;

/** Whether the ids of a file belong to this catalog, or to another one and are ignored; `null` without ids. */
export type Ids = 'matched' | 'ofAnotherCatalog' | null;

/**
 * Keeps the ids of records that exist, unless some of the file speak against them: it comes from another catalog. Notes the
 * rows that do in `contradictions`.
 * @param ownIds whether the caller says that they are of this one.
 */
export async function checkIds(client: Client, ownIds: boolean): Promise<Ids> {
  await client.query(forgetUnknown);
  await client.query('ANALYZE staged_rows (program_given_id, program_key, branch_given_id)');
  if (ownIds) return 'matched';
  await client.query(`${named}; ${contradict}`);
  const { rows } = await client.query<{ readonly against: number; readonly for: number }>(votes);
  const [found = { against: 0, for: 0 }] = rows;
  if (found.against * recordsOfOne <= found.against + found.for) return 'matched';
  await client.query(`
    UPDATE staged_rows SET program_given_id = 0, branch_given_id = CASE WHEN branch_key IS NULL THEN NULL ELSE 0 END`);
  return 'ofAnotherCatalog';
}
