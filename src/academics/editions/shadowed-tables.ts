import type { Client } from 'pg';
import { z } from 'zod';
import { branchFields, columnsOf, integer, programFields } from '../kinds.ts';
import type { CatalogState } from './catalog-state.ts';

/**
 * Puts the records of a state, until the transaction ends, in front of the tables `programs`, `branches` and
 * `branch_years`: statements read them by the same names. They have the columns that clients set; the generated ones
 * would take five times as long, so that only what attributes are compared by is there, where a statement uses it.
 */
export async function shadowTables(client: Client, { records: { text, values } }: CatalogState): Promise<void> {
  // Entries of the log are read by their ids. Each snapshot is made once and not for each column, because of OFFSET 0.
  await client.query('SET LOCAL enable_nestloop = on');
  await client.query(
    `CREATE TEMPORARY TABLE catalog_records AS SELECT kind, id, ${columns} FROM (${text} OFFSET 0) AS record`,
    values,
  );
  await client.query(`SET LOCAL enable_nestloop = off; ${views}`);
}

const fields = columnsOf(z.object({ ...programFields.shape, ...branchFields.shape, years: integer }));

const columns = fields.map((field) => `${field.in('snapshot')} AS ${field.column}`).join(', ');

const view = (name: string, kind: string): string => `CREATE TEMPORARY VIEW ${name} AS
  SELECT id, ${fields.map(({ column }) => column)}, sort_attributes(attributes) AS sorted_attributes,
    NULL::timestamptz AS deleted_at
  FROM catalog_records WHERE kind = '${kind}';`;

const views = `
  CREATE INDEX ON catalog_records (id);
  CREATE INDEX ON catalog_records (program_id);
  ANALYZE catalog_records (kind, id, program_id);
  ${view('programs', 'Program')} ${view('branches', 'Branch')}
  CREATE TEMPORARY VIEW branch_years AS
    SELECT id AS branch_id, year FROM catalog_records, generate_series(1, years) AS year WHERE kind = 'Branch'`;
