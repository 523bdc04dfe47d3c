// Whether the ids that rows name are of this catalog. Those of its copy agree up to the first gap; beyond it, each is that of
// another record.
import type { Client } from 'pg';
import { type KindWord, tableOf } from '../../../kinds.ts';
import { naturalPrograms } from './programs.ts';

const isKnown = (kind: KindWord): string => `EXISTS (
  SELECT FROM ${tableOf(kind)} known WHERE known.id = ${kind}_given_id AND deleted_at IS NULL)`;

/** Forgets the ids of records that are deleted, or were never here: their rows are matched as any other, by code and name. */
const forgetUnknown = `
  UPDATE staged_rows SET
    program_given_id = CASE WHEN ${isKnown('program')} THEN program_given_id ELSE 0 END,
    branch_given_id = CASE WHEN branch_key IS NULL THEN NULL WHEN ${isKnown('branch')} THEN branch_given_id ELSE 0 END
  WHERE program_given_id > 0 AND NOT ${isKnown('program')} OR branch_given_id > 0 AND NOT ${isKnown('branch')}`;

const sameAs = (kind: KindWord): string =>
  `(known.code = nullif(s.${kind}_code, '') OR known.name = s.${kind} ->> 'name')`;

/** Rows that name a deleted record by its id and, unless ids are known to be of this catalog, have its code or name. */
const ofDeleted = (kind: KindWord, ownIds: boolean): string => `
  SELECT s.number, '${kind}', known.id, NULL::integer, 'deleted'
  FROM staged_rows s JOIN ${tableOf(kind)} known ON known.id = s.${kind}_given_id
  WHERE known.deleted_at IS NOT NULL AND (${ownIds} OR ${sameAs(kind)})`;

/** Rows with an id of this catalog that no record has had yet: once they are imported, it is that of any of their records. */
const ofNone = (kind: KindWord): string => `
  SELECT s.number, '${kind}', s.${kind}_given_id, NULL::integer, 'ofNone'
  FROM staged_rows s WHERE s.${kind}_given_id > (SELECT coalesce(max(id), 0) FROM ${tableOf(kind)})`;

/** What rows name, by id: programs with the record that code, or name and duration, find (`found_id`), then branches. */
const named = `
  INSERT INTO program_ids
  SELECT DISTINCT program_given_id AS id, program_key, program_occurrence, coalesce(program_code, '') AS code,
    (program ->> 'name') COLLATE "C" AS name, (program ->> 'duration') COLLATE "C" AS duration, NULL::integer AS found_id
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
      coalesce(branch_code, '') AS code, (branch ->> 'name') COLLATE "C" AS name
    FROM staged_rows s
    JOIN (SELECT DISTINCT id, program_key, program_occurrence, found_id FROM program_ids) p ON p.id = program_given_id
      AND p.program_key = s.program_key AND p.program_occurrence = s.program_occurrence
    WHERE branch_given_id > 0
  ) row JOIN branches b USING (id);
  ANALYZE program_ids; ANALYZE branch_ids`;

/**
 * SQL of what rows say of a branch that it is not, and of the branches of their programs that no row names as their own: each
 * numbered among those of one code, of one name, and of both. Many may have the same.
 */
const claims = `
  claims AS MATERIALIZED (SELECT *, row_number() OVER () AS place FROM branch_ids WHERE NOT is_own),
  others AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY program_id, code ORDER BY id) AS of_code,
      row_number() OVER (PARTITION BY program_id, name ORDER BY id) AS of_name,
      row_number() OVER (PARTITION BY program_id, code, name ORDER BY id) AS of_both
    FROM (
      SELECT id, program_id, coalesce(code, '') AS code, name FROM branches b
      WHERE deleted_at IS NULL AND program_id IN (SELECT program_id FROM claims)
        AND NOT EXISTS (SELECT FROM branch_ids rightful WHERE rightful.id = b.id AND is_own)
    ) unclaimed
  )`;

/** SQL: of two that are alike, one is another than the claim's own. */
const otherwise = (alike: string, number: string): string => `
  SELECT claim.place, other.id, other.code = claim.code AND other.name = claim.name AS is_same
  FROM claims claim JOIN others other ON other.program_id = claim.program_id AND ${alike}
  WHERE ${number} <= 2 AND other.id <> claim.id`;

/**
 * SQL: the branch that a claim is of: first those with its code and name, then those with its code, and those with its name
 * unless they have another code.
 */
const otherBranches = `
  SELECT DISTINCT ON (place) * FROM (
    ${otherwise('other.code = claim.code AND other.name = claim.name', 'of_both')}
    UNION ALL ${otherwise("other.code = nullif(claim.code, '')", 'of_code')}
    UNION ALL ${otherwise("other.name = claim.name AND claim.code = ''", 'of_name')}
    UNION ALL ${otherwise("other.name = claim.name AND claim.code <> '' AND other.code = ''", 'of_both')}
  ) alike
  ORDER BY place, is_same DESC, id`;

/**
 * Rows that have the id of one record and the values of another (`other_id`), which no row of its own names: all that name
 * it, or, beside an id that agrees with the row in nothing, the code or the name.
 */
const contradict = `
  WITH ${claims}
  INSERT INTO contradictions
  SELECT s.number, 'program' AS kind, of_row.id, other_id, 'contradictory' AS rule
  FROM (
    SELECT DISTINCT row.id, program_key, program_occurrence, other.id AS other_id
    FROM program_ids row JOIN programs own ON own.id = row.id JOIN programs other ON other.id = row.found_id
    WHERE row.found_id <> row.id
      AND (coalesce(own.code, ''), own.name, own.duration) <> (row.code, row.name, row.duration)
      AND ((coalesce(other.code, ''), other.name, other.duration) = (row.code, row.name, row.duration)
        OR NOT (own.code = nullif(row.code, '') IS TRUE OR (own.name, own.duration) = (row.name, row.duration)))
      AND NOT EXISTS (SELECT FROM program_ids rightful WHERE rightful.id = other.id AND rightful.found_id = other.id)
  ) of_row
  JOIN staged_rows s ON s.program_given_id = of_row.id
    AND s.program_key = of_row.program_key AND s.program_occurrence = of_row.program_occurrence
  UNION ALL
  SELECT s.number, 'branch', of_row.id, other_id, rule
  FROM (
    SELECT DISTINCT ON (claim.id, branch_key, rule) claim.id, branch_key, other.id AS other_id, rule
    FROM claims claim JOIN branches own ON own.id = claim.id LEFT JOIN (${otherBranches}) other USING (place)
    CROSS JOIN LATERAL (SELECT CASE WHEN other.id IS NULL THEN 'elsewhere' ELSE 'contradictory' END AS rule) found
    WHERE CASE WHEN own.program_id = claim.program_id
      THEN other.id IS NOT NULL AND (is_same OR own.name <> claim.name)
      ELSE (is_same IS TRUE OR own.name <> claim.name)
        AND NOT EXISTS (SELECT FROM branch_ids rightful WHERE rightful.id = claim.id AND is_own)
    END
    ORDER BY claim.id, branch_key, rule, other.id
  ) of_row
  JOIN staged_rows s ON s.branch_given_id = of_row.id AND s.branch_key = of_row.branch_key`;

/** SQL: a staged row has the code of the record of its id, present or new. */
const hasCode = (kind: KindWord): string =>
  `coalesce(own.code IN (nullif(s.${kind}_code, ''), s.${kind} ->> 'code'), false)`;

/** SQL: both have codes, and they differ: an empty one says nothing, since its column may be missing, or the code be new. */
const hasOtherCode = (kind: KindWord): string => `coalesce(s.${kind}_code <> '' AND own.code <> s.${kind}_code, false)`;

/**
 * Rows that have nothing of the record of their id: another name, and another code or, of a program, duration, and no branch of
 * it (`unlike`). One with another name, of whose code nothing is known, may have been renamed (`doubtful`).
 */
const strange = `
  WITH shared AS MATERIALIZED (
    SELECT program_id AS id
    FROM (SELECT DISTINCT program_given_id AS program_id, branch ->> 'name' AS name FROM staged_rows) s
    JOIN branches b USING (program_id, name) WHERE b.deleted_at IS NULL
    UNION
    SELECT program_id
    FROM (SELECT DISTINCT program_given_id AS program_id, nullif(branch_code, '') AS code FROM staged_rows) s
    JOIN branches b USING (program_id, code) WHERE b.deleted_at IS NULL
  )
  INSERT INTO contradictions
  SELECT s.number, 'program', own.id, NULL::integer,
    CASE WHEN ${hasOtherCode('program')} OR own.duration <> s.program ->> 'duration' THEN 'unlike' ELSE 'doubtful' END
  FROM staged_rows s JOIN programs own ON own.id = s.program_given_id
  WHERE own.name <> s.program ->> 'name' AND NOT ${hasCode('program')} AND NOT EXISTS (SELECT FROM shared WHERE shared.id = own.id)
    AND NOT EXISTS (SELECT FROM contradictions known WHERE known.number = s.number AND known.kind = 'program')
  UNION ALL
  SELECT s.number, 'branch', own.id, NULL, CASE WHEN ${hasOtherCode('branch')} THEN 'unlike' ELSE 'doubtful' END
  FROM staged_rows s JOIN branches own ON own.id = s.branch_given_id
  WHERE own.name <> s.branch ->> 'name' AND s.branch_code <> '' AND NOT ${hasCode('branch')}
    AND NOT EXISTS (SELECT FROM contradictions known WHERE known.number = s.number AND known.kind = 'branch')`;

const votes = `
  SELECT (SELECT count(DISTINCT (kind, id))::integer FROM contradictions WHERE rule IN ('contradictory', 'elsewhere')) AS against,
    (SELECT count(DISTINCT (kind, id))::integer FROM contradictions WHERE rule IN ('unlike', 'doubtful')) AS strange,
    (SELECT count(*) FROM program_ids WHERE found_id = id)::integer
      + (SELECT count(*) FROM branch_ids WHERE is_own)::integer AS for`;

/** A file of this catalog has a contradiction where somebody has exchanged two names: in fewer than one of so many records. */
const recordsOfOne = 50;
/** Nobody changes the names of so many at once for each record that stays: a file with more of these is of another one. */
const renamedMax = 10;

/** Whether the ids of a file belong to this catalog, or to another one and are ignored; `null` without ids. */
export type Ids = 'matched' | 'ofAnotherCatalog' | null;

/**
 * Keeps the ids of records that exist, unless some of the file speak against them, or hardly any for them: it comes from
 * another catalog. Notes the rows that do, and those of deleted records, in `contradictions`.
 * @param ownIds whether the caller says that they are of this one.
 */
export async function checkIds(client: Client, ownIds: boolean): Promise<Ids> {
  await client.query(
    `INSERT INTO contradictions ${ofDeleted('program', ownIds)} UNION ALL ${ofDeleted('branch', ownIds)}`,
  );
  if (ownIds) await client.query(`INSERT INTO contradictions ${ofNone('program')} UNION ALL ${ofNone('branch')}`);
  await client.query(forgetUnknown);
  await client.query('ANALYZE staged_rows (program_given_id, program_key, branch_given_id)');
  if (ownIds) return 'matched';
  await client.query(`${named}; ${contradict}; ${strange}`);
  const { rows } = await client.query<Record<'against' | 'strange' | 'for', number>>(votes);
  const [found = { against: 0, strange: 0, for: 0 }] = rows;
  const isOwn = found.against * recordsOfOne <= found.against + found.for;
  if (isOwn && found.strange < renamedMax * Math.max(1, found.for)) return 'matched';
  await client.query(`
    UPDATE staged_rows SET program_given_id = 0, branch_given_id = CASE WHEN branch_key IS NULL THEN NULL ELSE 0 END;
    TRUNCATE contradictions`);
  return 'ofAnotherCatalog';
}
