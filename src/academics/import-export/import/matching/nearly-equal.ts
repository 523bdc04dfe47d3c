// New records whose code or name is nearly that of another one, of the catalog or of the file. They are created all the
// same: whether they are one, people decide.
import { excerpt } from '@service/errors';
import type { Client } from 'pg';
import { problem } from '../../../../validation/problems.ts';
import { isNearCode, nearCodeKey } from '../../../sql/near-codes.ts';
import type { RowProblem } from '../../columns.ts';
import type { Capped } from '../compare-rows.ts';
import { list } from '../preview.ts';

interface NearlyEqual {
  readonly line: number;
  readonly column: string;
  readonly value: string;
  /** The code or name that the other one has. */
  readonly other: string;
  /** The other one: a record, or the line of a new one. */
  readonly id: number | null;
  readonly otherLine: number | null;
}

/** SQL: new records with the keys of their codes and names, and the program that they are compared in (none: all). */
const fresh = `
  SELECT number, line, 'program' AS kind, NULL::integer AS program_number, NULL::integer AS program_id,
    given ->> 'code' AS code, ${nearCodeKey("nullif(given ->> 'code', '')")} AS code_key, name, name_key(name) AS name_key
  FROM wanted_programs WHERE id IS NULL
  UNION ALL
  SELECT number, line, 'branch', program_number, program_id,
    given ->> 'code', ${nearCodeKey("nullif(given ->> 'code', '')")}, name, name_key(name)
  FROM wanted_branches WHERE id IS NULL`;

/** SQL: nearly the `field` of an earlier row, whose spelling comes first. */
const inFile = (field: 'code' | 'name'): string => `
  SELECT number, line, kind, '${field}' AS field, ${field} AS value, other, NULL::integer AS id, other_line
  FROM (
    SELECT *, first_value(${field}) OVER same AS other, first_value(line) OVER same AS other_line FROM fresh
    WHERE ${field}_key IS NOT NULL WINDOW same AS (PARTITION BY kind, program_number, ${field}_key ORDER BY number)
  ) spelled WHERE other <> ${field}`;

const namedBetween = (first: string, end: string): string => `
    (SELECT 'name', fresh.name, p.name, p.id FROM programs p
     WHERE p.sorted_name >= ${first} AND p.sorted_name < ${end} AND p.deleted_at IS NULL LIMIT 1)`;

/** SQL: programs by an index each; equal names, of which there may be thousands, are no part of what is read. */
const ofPrograms = `
  SELECT number, fresh.line, kind, near.field, near.value, near.other, near.id, NULL::integer
  FROM fresh CROSS JOIN LATERAL (
    (SELECT 'code' AS field, fresh.code AS value, p.code AS other, p.id FROM programs p
     WHERE ${isNearCode('p.code', 'fresh.code_key')} AND p.code <> fresh.code AND p.deleted_at IS NULL
     ORDER BY p.id LIMIT 1)
    UNION ALL ${namedBetween("fresh.name_key || E'\\x01'", "fresh.name_key || E'\\x01' || fresh.name")}
    UNION ALL ${namedBetween("fresh.name_key || E'\\x01' || fresh.name || E'\\x01'", "fresh.name_key || E'\\x02'")}
  ) near WHERE kind = 'program'`;

/** SQL: branches within their program, all at once. */
const ofBranches = (field: 'code' | 'name', key: string): string => `
  SELECT number, fresh.line, kind, '${field}', fresh.${field}, b.${field}, b.id, NULL::integer
  FROM fresh JOIN (
    SELECT id, program_id, ${field}, ${key} AS key FROM branches
    WHERE deleted_at IS NULL AND program_id IN (SELECT program_id FROM fresh)
  ) b ON b.program_id = fresh.program_id AND b.key = fresh.${field}_key
  WHERE kind = 'branch' AND b.${field} <> fresh.${field}`;

/** The codes and names of new records that are nearly those of others, in the order of the file, each with one other. */
export async function findNearlyEqual(client: Client, listedMax: number): Promise<Capped<RowProblem>> {
  const { total, listed } = await list<NearlyEqual>(
    client,
    `WITH fresh AS MATERIALIZED (${fresh}),
     near (number, line, kind, field, value, other, id, other_line) AS (
       ${ofPrograms}
       UNION ALL ${ofBranches('code', nearCodeKey('code'))}
       UNION ALL ${ofBranches('name', "split_part(sorted_name, E'\\x01', 1)")}
       UNION ALL ${inFile('code')} UNION ALL ${inFile('name')}
     )
     SELECT DISTINCT ON (number, kind, field) * FROM near ORDER BY number, kind, field, id`,
    {
      order: 'number, kind DESC, field',
      fields: `line, kind || '_' || field AS "column", value, other, id, other_line AS "otherLine"`,
      listedMax,
    },
  );
  return { total, listed: listed.map(nearlyEqual) };
}

function nearlyEqual({ line, column, value, other, id, otherLine }: NearlyEqual): RowProblem {
  const both = { field: column, value: JSON.stringify(excerpt(value)), other: JSON.stringify(excerpt(other)) };
  const found =
    id === null
      ? problem('NEARLY_EQUAL_IN_FILE', { ...both, line: otherLine ?? 0 })
      : problem('NEARLY_EQUAL', { ...both, id });
  return { line, column, ...found, value: excerpt(value) };
}
