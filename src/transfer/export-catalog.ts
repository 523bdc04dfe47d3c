import type { Client } from 'pg';
import type { Column } from './columns.ts';

/** Rows fetched at a time. */
const batchSize = 2_000;

/** A row of the import format. What a program without branches has no value for is `null` or empty. */
export type ExportRow = {
  readonly [Name in Column]: Name extends 'branch_years'
    ? number | null
    : Name extends 'branch_code_is_numeric'
      ? boolean | null
      : string;
};

/**
 * Reads the whole catalog, in batches: programs by id, their branches by id.
 *
 * @param client in a transaction, in which all is read as it stood at one moment if it is a repeatable one.
 */
export async function* readCatalog(client: Client): AsyncGenerator<readonly ExportRow[]> {
  await client.query(`
    DECLARE catalog NO SCROLL CURSOR FOR
    SELECT
      coalesce(p.code, '') AS program_code,
      p.name AS program_name,
      p.duration AS program_duration,
      coalesce(b.name, '') AS branch_name,
      coalesce(b.description, '') AS branch_description,
      CASE WHEN b.id IS NOT NULL THEN
        (SELECT count(*)::integer FROM branch_years y WHERE y.branch_id = b.id)
      END AS branch_years,
      coalesce(b.code_prefix, '') AS branch_code_prefix,
      b.code_is_numeric AS branch_code_is_numeric
    FROM programs p LEFT JOIN branches b ON b.program_id = p.id AND b.deleted_at IS NULL
    WHERE p.deleted_at IS NULL
    ORDER BY p.id, b.id`);
  for (;;) {
    const { rows } = await client.query<ExportRow>(`FETCH ${batchSize} FROM catalog`);
    if (rows.length === 0) return;
    yield rows;
  }
}
