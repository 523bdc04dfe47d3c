// New records whose code or name is nearly that of another one, of the catalog or of the file, and those whose rows name a
// deleted one. They are created all the same: whether they are one, people decide.
import { excerpt } from '@service/errors';
import type { Problem } from '@service/errors/problems';
import type { Client } from 'pg';
import { problem } from '../../../../validation/problems.ts';
import { type KindWord, tableOf } from '../../../kinds.ts';
import { isNearCode, nearCodeKey } from '../../../sql/near-codes.ts';
import type { RowProblem } from '../../columns.ts';
import type { Capped } from '../compare-rows.ts';
import { list } from '../preview.ts';

interface NearlyEqual {
  readonly line: number;
  readonly kind: KindWord;
  readonly field: 'code' | 'name' | 'id';
  readonly value: string;
  /** The code or name that the other one has; of a deleted one, the name. */
  readonly other: string;
  /** The other one: a record, or the line of a new one. */
  readonly id: number | null;
  readonly otherLine: number | null;
}

/** SQL: new records with the keys of their codes and names, and the program that they are compared in (0: all). */
const fresh = `
  SELECT number, line, 'program' AS kind, NULL::integer AS program_number, 0 AS program_id,
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

/** SQL: what has the key of a new program's code or name, by an index; each key is looked up once, as many rows may have it. */
const programsWith = (key: 'code_key' | 'name_key', spelling: 'code' | 'name', condition: string): string => `
  SELECT p.id, 0 AS program_id, p.${spelling} AS spelling, ${key} AS key
  FROM (SELECT DISTINCT ${key} FROM fresh WHERE kind = 'program' AND ${key} IS NOT NULL) AS keys
  CROSS JOIN LATERAL (SELECT id, ${spelling} FROM programs WHERE ${condition} AND deleted_at IS NULL OFFSET 0) AS p`;

/** SQL condition: the name of a program has this key. */
const hasName = "sorted_name >= name_key || E'\\x01' AND sorted_name < name_key || E'\\x02'";

/** SQL: the branches of the programs that get new ones, all at once. */
const branchesWith = (key: string, spelling: 'code' | 'name'): string => `
  SELECT id, program_id, ${spelling} AS spelling, ${key} AS key FROM branches
  WHERE deleted_at IS NULL AND program_id IN (SELECT program_id FROM fresh WHERE kind = 'branch')`;

/**
 * SQL: nearly the `field` of a record. Of those that have a key, the first is compared, and the first that is spelled
 * otherwise than that: for any spelling, the first that differs from it is one of these. Thousands may have the key, in the
 * catalog and in the file: all pairs would be their product.
 */
const ofRecords = (kind: 'program' | 'branch', field: 'code' | 'name', records: string): string => `
  SELECT number, fresh.line, kind, '${field}', fresh.${field}, other.spelling, other.id, NULL::integer
  FROM fresh JOIN (
    SELECT DISTINCT ON (program_id, key, spelling <> first_spelling) * FROM (
      SELECT *, first_value(spelling) OVER (PARTITION BY program_id, key ORDER BY id) AS first_spelling
      FROM (${records}) AS keyed
    ) AS spelled
    ORDER BY program_id, key, spelling <> first_spelling, id
  ) AS other ON other.program_id = fresh.program_id AND other.key = fresh.${field}_key
  WHERE kind = '${kind}' AND other.spelling <> fresh.${field}`;

/** SQL: new records of rows that name a deleted one; one of a deleted program says nothing of its branches. */
const ofDeleted = (kind: KindWord): string => `
  SELECT w.number, w.line, '${kind}', 'id', deleted.id::text, deleted.name, deleted.id, NULL::integer
  FROM wanted_${tableOf(kind)} w JOIN contradictions c ON c.number = w.number AND c.kind = '${kind}' AND c.rule = 'deleted'
  JOIN ${tableOf(kind)} deleted ON deleted.id = c.id
  WHERE w.id IS NULL ${kind === 'branch' ? 'AND deleted.program_id = w.program_id' : ''}`;

/**
 * The codes and names of new records that are nearly those of others, and the deleted ones that their rows name, in the
 * order of the file, each with one other.
 */
export async function findNearlyEqual(client: Client, listedMax: number): Promise<Capped<RowProblem>> {
  const { total, listed } = await list<NearlyEqual>(
    client,
    `WITH fresh AS MATERIALIZED (${fresh}),
     near (number, line, kind, field, value, other, id, other_line) AS (
       ${ofRecords('program', 'code', programsWith('code_key', 'code', isNearCode('code', 'code_key')))}
       UNION ALL ${ofRecords('program', 'name', programsWith('name_key', 'name', hasName))}
       UNION ALL ${ofRecords('branch', 'code', branchesWith(nearCodeKey('code'), 'code'))}
       UNION ALL ${ofRecords('branch', 'name', branchesWith("split_part(sorted_name, E'\\x01', 1)", 'name'))}
       UNION ALL ${inFile('code')} UNION ALL ${inFile('name')}
       UNION ALL ${ofDeleted('program')} UNION ALL ${ofDeleted('branch')}
     )
     SELECT DISTINCT ON (number, kind, field) * FROM near ORDER BY number, kind, field, id`,
    {
      order: 'number, kind DESC, field',
      fields: `line, kind, field, value, other, id, other_line AS "otherLine"`,
      listedMax,
    },
  );
  return { total, listed: listed.map(nearlyEqual) };
}

function nearlyEqual({ line, kind, field, value, other, id, otherLine }: NearlyEqual): RowProblem {
  const column = `${kind}_${field}` as const;
  const both = { field: column, value: JSON.stringify(excerpt(value)), other: JSON.stringify(excerpt(other)) };
  const found = (): Problem => {
    if (id === null) return problem('NEARLY_EQUAL_IN_FILE', { ...both, line: otherLine ?? 0 });
    return field === 'id'
      ? problem('OF_DELETED', { kind, id, name: both.other })
      : problem('NEARLY_EQUAL', { ...both, id });
  };
  return { line, column, ...found(), value: excerpt(value) };
}
