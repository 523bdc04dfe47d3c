import type { Client } from 'pg';
import type { CatalogState } from './catalog-state.ts';

/**
 * Puts the records of a state, until the transaction ends, in front of the tables `programs`, `branches` and
 * `branch_years`: statements read them by the same names. They have the columns that clients set; the generated ones
 * would take five times as long, so that only what attributes are compared by is there, where a statement uses it.
 */
export async function shadowTables(client: Client, { records: { text, values } }: CatalogState): Promise<void> {
  // Many entries of the log are read by their ids.
  await client.query('SET LOCAL enable_nestloop = on');
  await client.query(`CREATE TEMPORARY TABLE catalog_records AS ${text}`, values);
  await client.query(`SET LOCAL enable_nestloop = off; ${tables}`);
}

const columns = (types: Readonly<Record<string, string>>): string =>
  Object.entries(types)
    .map(([column, value]) => `${value} AS ${column}`)
    .join(', ');

const text = (field: string): string => `snapshot ->> '${field}'`;

const shared = { name: text('name'), code: text('code'), attributes: `snapshot -> 'attributes'` };

const programs = columns({ id: 'id', ...shared, duration: text('duration') });

const branches = columns({
  id: 'id',
  program_id: `(${text('programId')})::int`,
  ...shared,
  description: text('description'),
  code_prefix: text('codePrefix'),
  code_is_numeric: `(${text('codeIsNumeric')})::boolean`,
});

const view = (name: string): string => `CREATE TEMPORARY VIEW ${name} AS
  SELECT *, sort_attributes(attributes) AS sorted_attributes, NULL::timestamptz AS deleted_at FROM catalog_${name};`;

const tables = `
  CREATE TEMPORARY TABLE catalog_programs AS SELECT ${programs} FROM catalog_records WHERE kind = 'Program';
  CREATE TEMPORARY TABLE catalog_branches AS SELECT ${branches} FROM catalog_records WHERE kind = 'Branch';
  CREATE TEMPORARY TABLE branch_years AS
    SELECT id AS branch_id, year FROM catalog_records, generate_series(1, (${text('years')})::int) AS year
    WHERE kind = 'Branch';
  CREATE INDEX ON branch_years (branch_id);
  ANALYZE catalog_programs, catalog_branches, branch_years;
  ${view('programs')} ${view('branches')}`;
