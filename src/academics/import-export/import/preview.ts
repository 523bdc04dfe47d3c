// The preview of an import: rows as they are understood, new records, and records that the file does not have.
import { firstRows } from '@service/postgres/sql';
import type { Client } from 'pg';
import type { KindWord } from '../../kinds.ts';
import { type ChangedRecord, listedBytesMax, type RecordChange, recordChangeOf } from '../../record-change.ts';
import { attributePrefixes, type Column, valueColumns } from '../columns.ts';
import type { CheckedRow } from './check-row.ts';
import type { Capped } from './compare-rows.ts';

/** A valid row as it is understood, by the known columns: normalized, `null` where it has no value. */
export interface SampleRow {
  readonly line: number;
  readonly cells: Readonly<Record<Column, unknown>>;
}

interface NamedRecord {
  readonly kind: KindWord;
  readonly code: string | null;
  readonly name: string;
  readonly programName: string | null;
}

export interface CreatedRecord extends NamedRecord {
  readonly line: number;
}

export interface MissingRecord extends NamedRecord {
  readonly recordId: number;
  readonly programId: number;
}

/** The number of valid rows that a report shows. */
export const sampleMax = 20;

/** A row as it will be, for the preview. */
export function sampleOf({ line, program, branch }: CheckedRow): SampleRow {
  const cells = [
    ...valueColumns.program.map(({ name, column }) => [name, program[column] ?? null]),
    ...valueColumns.branch.map(({ name, column }) => [name, branch?.[column] ?? null]),
    ...attributeCells('program', program),
    ...attributeCells('branch', branch),
  ];
  return { line, cells: Object.fromEntries(cells) };
}

const attributeCells = (kind: KindWord, values: CheckedRow['branch']) =>
  Object.entries(values?.attributes ?? {}).map(([key, value]) => [attributePrefixes[kind] + key, value]);

/** The records of the file that do not exist yet, in its order. */
export function listCreated(client: Client, listedMax: number): Promise<Capped<CreatedRecord>> {
  return list(
    client,
    `SELECT number, line, 'program' AS kind, nullif(given ->> 'code', '') AS code, name, NULL AS "programName"
     FROM wanted_programs WHERE id IS NULL
     UNION ALL
     SELECT w.number, w.line, 'branch', nullif(w.given ->> 'code', ''), w.name, p.name
     FROM wanted_branches w JOIN wanted_programs p ON p.number = w.program_number WHERE w.id IS NULL`,
    { order: 'number, kind DESC', fields: 'line, kind, code, name, "programName"', listedMax },
  );
}

/** Records of the catalog that differ from the file, with their old and new values; programs first, by id. */
export async function listChanged(client: Client, listedMax: number): Promise<Capped<RecordChange>> {
  const { total, listed } = await list<ChangedRecord>(client, 'SELECT kind, id, before, after FROM changed', {
    order: 'kind DESC, id',
    fields: `kind, id, before, after,
      CASE kind WHEN 'Branch' THEN (SELECT name FROM programs p WHERE p.id = (after ->> 'programId')::int) END AS "programName"`,
    listedMax,
  });
  return { total, listed: listed.map(recordChangeOf) };
}

interface MissingOptions {
  readonly listedMax: number;
  /** Whether programs are missing that the file does not have: it is meant to be the whole catalog. */
  readonly wholeCatalog: boolean;
  /** Whether the file says which branches there are. */
  readonly namesBranches: boolean;
}

/**
 * The records of the catalog that no row matches, by id: branches of those programs that the file has, and programs on
 * request. The branches of a program that is missing go with it.
 */
export async function listMissing(
  client: Client,
  { listedMax, wholeCatalog, namesBranches }: MissingOptions,
): Promise<Capped<MissingRecord>> {
  // ANALYZE, as matching has filled in the ids.
  await client.query('ANALYZE wanted_programs (id), wanted_branches (id)');
  return list(
    client,
    `SELECT p.id AS "programId", p.id AS "recordId", 'program' AS kind, nullif(p.code, '') AS code, p.name,
       NULL AS "programName"
     FROM programs p
     WHERE ${wholeCatalog} AND p.deleted_at IS NULL AND NOT EXISTS (SELECT FROM wanted_programs w WHERE w.id = p.id)
     UNION ALL
     SELECT p.id, b.id, 'branch', nullif(b.code, ''), b.name, p.name
     FROM branches b JOIN programs p ON p.id = b.program_id
     WHERE ${namesBranches} AND b.deleted_at IS NULL AND p.id IN (SELECT id FROM wanted_programs)
       AND NOT EXISTS (SELECT FROM wanted_branches w WHERE w.id = b.id)`,
    { order: '"programId", "recordId"', fields: 'kind, "recordId", "programId", code, name, "programName"', listedMax },
  );
}

/** The first of some records, and their number. */
export async function list<Item>(
  client: Client,
  records: string,
  { order, fields, listedMax }: { readonly order: string; readonly fields: string; readonly listedMax: number },
): Promise<Capped<Item>> {
  const { rows } = await client.query<{ readonly total: number; readonly listed: readonly Item[] }>(
    `WITH records AS MATERIALIZED (${records})
     SELECT (SELECT count(*)::integer FROM records) AS total,
       ${firstRows(`SELECT ${fields} FROM records ORDER BY ${order} LIMIT $1`, listedBytesMax)} AS listed`,
    [listedMax],
  );
  return rows[0] ?? { total: 0, listed: [] };
}
