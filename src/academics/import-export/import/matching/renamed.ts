// New records of the file that stand in the place of those that it lacks: perhaps they have only got another name or code.
import type { Client } from 'pg';
import { type KindWord, tableOf } from '../../../kinds.ts';
import type { Capped } from '../compare-rows.ts';
import { list } from '../preview.ts';

/** Limit of missing programs beyond the new ones. A file with more is a part of the catalog, and is not compared. */
const partMax = 1_000;

/** Rows in their order, with the last matched record before each, among those of the same part. */
const anchored = (rows: string, order: string, part = 'NULL'): string => `
  SELECT *, first_value(matched) OVER (PARTITION BY ${part}, after ORDER BY ${order}) AS anchor
  FROM (SELECT *, count(matched) OVER (PARTITION BY ${part} ORDER BY ${order}) AS after FROM (${rows}) rows) numbered`;

/**
 * Pairs those that have the same key, in their order, where as many are new as are missing. Records that have different
 * codes are two, unless all else that names them is equal.
 */
const pair = (kind: KindWord, key: string, condition: string): string => `
  INSERT INTO renamed_${tableOf(kind)}
  SELECT f.number, m.id
  FROM (
    SELECT *, row_number() OVER (PARTITION BY ${key} ORDER BY number) AS place, count(*) OVER (PARTITION BY ${key}) AS total
    FROM new_${kind}_rows new WHERE NOT EXISTS (SELECT FROM renamed_${tableOf(kind)} r WHERE r.number = new.number)
  ) f
  JOIN (
    SELECT *, row_number() OVER (PARTITION BY ${key} ORDER BY id) AS place, count(*) OVER (PARTITION BY ${key}) AS total
    FROM missing_${kind}_rows lacking WHERE NOT EXISTS (SELECT FROM renamed_${tableOf(kind)} r WHERE r.id = lacking.id)
  ) m USING (${key}, place, total)
  WHERE (f.code IS NULL OR m.code IS NULL OR f.names = m.names) AND (${condition});`;

/** SQL condition: no row numbers records that are equal to this: a renamed one would have another number the next time. */
const isUnnumbered = (kind: KindWord, key: string): string =>
  `(${key}) NOT IN (SELECT ${key} FROM ${kind}_refs WHERE ${kind}_occurrence > 1)`;

/** SQL condition: one record is new and one is missing. */
const isSingle = 'total = 1';

/** Finds the programs that may be renamed, and with `apply` matches them. */
export async function pairPrograms(client: Client, apply: boolean): Promise<void> {
  await client.query(`
    INSERT INTO new_program_rows
    SELECT number, program_given_id, program_key, program_occurrence, name, duration, ARRAY[name, duration] AS names,
      nullif(code, '') AS code, coalesce(anchor, 0) AS anchor
    FROM (${anchored('SELECT *, id AS matched FROM program_refs', 'number')}) placed
    WHERE id IS NULL AND ${isUnnumbered('program', 'program_key')};
    ANALYZE new_program_rows;
    INSERT INTO missing_program_rows
    SELECT id, name, duration, ARRAY[name, duration] AS names, nullif(code, '') AS code, coalesce(anchor, 0) AS anchor
    FROM (${anchored(
      `SELECT p.id, p.name, p.duration, p.code, r.id AS matched FROM programs p
       LEFT JOIN (SELECT DISTINCT id FROM program_refs) r USING (id)
       WHERE p.deleted_at IS NULL AND EXISTS (SELECT FROM new_program_rows)`,
      'id',
    )}) placed WHERE matched IS NULL;
    ANALYZE missing_program_rows;
    ${pair('program', 'name', isSingle)}`);
  const { rows } = await client.query<{ few: boolean }>(`
    SELECT (SELECT count(*) FROM missing_program_rows) <= (SELECT count(*) FROM new_program_rows) + ${partMax} AS few`);
  if (rows[0]?.few === true) await client.query(pairByBranches);
  if (apply) {
    await client.query(
      'UPDATE program_refs r SET id = pair.id FROM renamed_programs pair WHERE r.number = pair.number',
    );
  }
}

/** SQL condition: two programs have a branch of one name. `&&` compares each with each. */
const shareBranch = 'EXISTS (SELECT unnest(f.branches) INTERSECT SELECT unnest(m.branches))';

/** Pairs programs by the names of all branches, then by the place if a branch or the duration is the same. */
const pairByBranches = `
  UPDATE new_program_rows n SET branches = b.names FROM (
    SELECT program_given_id, program_key, program_occurrence,
      array_agg(DISTINCT (branch ->> 'name') COLLATE "C" ORDER BY (branch ->> 'name') COLLATE "C") AS names
    FROM staged_rows WHERE branch IS NOT NULL GROUP BY 1, 2, 3
  ) b
  WHERE (n.program_given_id, n.program_key, n.program_occurrence) = (b.program_given_id, b.program_key, b.program_occurrence);
  UPDATE missing_program_rows m SET branches = b.names FROM (
    SELECT program_id, array_agg(DISTINCT name COLLATE "C" ORDER BY name COLLATE "C") AS names
    FROM branches WHERE deleted_at IS NULL AND program_id IN (SELECT id FROM missing_program_rows) GROUP BY program_id
  ) b WHERE b.program_id = m.id;
  ${pair('program', 'branches', isSingle)}
  ${pair('program', 'anchor', `f.duration = m.duration AND anchor > 0 OR ${shareBranch}`)}`;

/** Finds the branches that may be renamed, each within its program, and with `apply` matches them. */
export async function pairBranches(client: Client, apply: boolean): Promise<void> {
  const values = (years: string, record: (column: string) => string): string =>
    `concat_ws(E'\\n', ${years}, ${['description', 'code_prefix'].map(record).join(', ')})`;
  await client.query(`
    INSERT INTO new_branch_rows
    SELECT number, program_id, ARRAY[name] AS names, nullif(code, '') AS code, coalesce(anchor, 0) AS anchor,
      ${values('years', (column) => `coalesce(given ->> '${column}', '')`)} AS others
    FROM (${anchored('SELECT *, id AS matched FROM branch_refs WHERE program_id IS NOT NULL', 'number', 'program_id')}) placed
    WHERE id IS NULL AND ${isUnnumbered('branch', 'program_number, branch_key')};
    ANALYZE new_branch_rows;
    INSERT INTO missing_branch_rows
    SELECT id, program_id, ARRAY[name] AS names, nullif(code, '') AS code, coalesce(anchor, 0) AS anchor,
      ${values('(SELECT count(*) FROM branch_years y WHERE y.branch_id = placed.id)', (column) => column)} AS others
    FROM (${anchored(
      `SELECT b.id, b.program_id, b.name, b.code, b.description, b.code_prefix, r.id AS matched FROM branches b
       LEFT JOIN (SELECT DISTINCT id FROM branch_refs) r USING (id)
       WHERE b.deleted_at IS NULL AND b.program_id IN (SELECT program_id FROM new_branch_rows)`,
      'id',
      'program_id',
    )}) placed WHERE matched IS NULL;
    ANALYZE missing_branch_rows;
    ${pair('branch', 'program_id, others', isSingle)}
    ${pair('branch', 'program_id, anchor', 'true')}
    ${pair('branch', 'program_id', isSingle)}`);
  if (apply) {
    await client.query('UPDATE branch_refs r SET id = pair.id FROM renamed_branches pair WHERE r.number = pair.number');
  }
}

/** A new record of the file, and the one of the catalog in whose place it stands. */
export interface RenamedRecord {
  readonly line: number;
  readonly kind: KindWord;
  readonly recordId: number;
  /** The new name and the present one. */
  readonly name: string;
  readonly code: string | null;
  readonly oldName: string;
  readonly oldCode: string | null;
  readonly programName: string | null;
}

/** The new records that may be renamed ones, in the order of the file; none when they were taken for them. */
export function listRenamed(client: Client, listedMax: number): Promise<Capped<RenamedRecord>> {
  const fields = (kind: KindWord, programName: string): string => `
    SELECT w.number, w.line, '${kind}' AS kind, old.id AS "recordId", w.name, nullif(w.code, '') AS code,
      old.name AS "oldName", nullif(old.code, '') AS "oldCode", ${programName} AS "programName"
    FROM wanted_${tableOf(kind)} w JOIN renamed_${tableOf(kind)} r USING (number)
    JOIN ${tableOf(kind)} old ON old.id = r.id`;
  return list(
    client,
    `${fields('program', 'NULL::text')} WHERE w.id IS NULL
     UNION ALL ${fields('branch', 'p.name')} JOIN programs p ON p.id = old.program_id WHERE w.id IS NULL`,
    {
      order: 'number, kind DESC',
      fields: 'line, kind, "recordId", name, code, "oldName", "oldCode", "programName"',
      listedMax,
    },
  );
}
