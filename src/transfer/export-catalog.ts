import type { Client } from 'pg';
import { type Column, columns, knownColumns } from './columns.ts';

/** Rows fetched at a time. */
const batchSize = 2_000;

/** A row of the import format; for a program without branches, the branch columns are `null` or empty. */
export type ExportRow = {
  readonly [Name in Column]: Name extends 'branch_years' | 'program_occurrence' | 'branch_occurrence'
    ? number | null
    : Name extends 'branch_code_is_numeric'
      ? boolean | null
      : string;
};

/**
 * The columns of an export: with the occurrence columns if the catalog has equal records.
 *
 * @param client in the same repeatable-read transaction as `readCatalog`.
 */
export async function columnsOf(client: Client): Promise<readonly Column[]> {
  const { rows } = await client.query<{ alike: boolean }>(`
    SELECT EXISTS (
      SELECT 1 FROM programs WHERE deleted_at IS NULL GROUP BY ${programKey} COLLATE "C" HAVING count(*) > 1
    ) OR EXISTS (
      SELECT 1 FROM branches WHERE deleted_at IS NULL GROUP BY program_id, name COLLATE "C" HAVING count(*) > 1
    ) AS alike`);
  return rows[0]?.alike === true ? knownColumns : columns;
}

/** The key by which programs are matched. A code has no line break, so the two kinds cannot collide. */
const programKey = `(CASE WHEN coalesce(code, '') = '' THEN name || E'\\n' || duration ELSE code END)`;

/**
 * Reads the whole catalog, in batches: programs by id, their branches by id.
 *
 * @param client in a transaction; repeatable read makes the export a snapshot.
 */
export async function* readCatalog(
  client: Client,
  columns: readonly Column[],
): AsyncGenerator<readonly Partial<ExportRow>[]> {
  await client.query(`
    DECLARE catalog NO SCROLL CURSOR FOR
    SELECT ${columns.map((column) => `${expressions[column]} AS ${column}`).join(', ')}
    FROM ${columns.includes('program_occurrence') ? numberedPrograms : 'programs'} p
    LEFT JOIN ${columns.includes('branch_occurrence') ? numberedBranches : 'branches'} b
      ON b.program_id = p.id AND b.deleted_at IS NULL
    WHERE p.deleted_at IS NULL
    ORDER BY p.id, b.id`);
  for (;;) {
    const { rows } = await client.query<Partial<ExportRow>>(`FETCH ${batchSize} FROM catalog`);
    if (rows.length === 0) return;
    yield rows;
  }
}

const expressions: Readonly<Record<Column, string>> = {
  program_code: `coalesce(p.code, '')`,
  program_name: 'p.name',
  program_duration: 'p.duration',
  branch_name: `coalesce(b.name, '')`,
  branch_description: `coalesce(b.description, '')`,
  branch_years: `CASE WHEN b.id IS NOT NULL THEN
    (SELECT count(*)::integer FROM branch_years y WHERE y.branch_id = b.id)
  END`,
  branch_code_prefix: `coalesce(b.code_prefix, '')`,
  branch_code_is_numeric: 'b.code_is_numeric',
  program_occurrence: 'p.occurrence',
  branch_occurrence: 'b.occurrence',
};

const numberedPrograms = `(
  SELECT *, row_number() OVER (PARTITION BY ${programKey} COLLATE "C" ORDER BY id)::integer AS occurrence
  FROM programs WHERE deleted_at IS NULL
)`;

const numberedBranches = `(
  SELECT *, row_number() OVER (PARTITION BY program_id, name COLLATE "C" ORDER BY id)::integer AS occurrence
  FROM branches WHERE deleted_at IS NULL
)`;
