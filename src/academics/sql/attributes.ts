import { type AnyTransaction, queryRows } from '@service/postgres/sql';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Table } from '../kinds.ts';
import { attributesMax } from '../rules/attributes.ts';
import type { Group } from './stats.ts';

/** Attributes with changes applied; `null` removes an attribute. All parameters are SQL expressions. */
export const changedAttributes = (stored: string, changes: string): string =>
  `jsonb_strip_nulls(${stored} || coalesce(${changes}, '{}'))`;

/** A record with the values of a row, by column, and those of its attributes that the row does not name. */
export const withValues = (record: string, attributes: string, given: string): string =>
  `jsonb_populate_record(${record}, ${given} || jsonb_build_object('attributes',
    ${changedAttributes(attributes, `${given} -> 'attributes'`)}))`;

/** A condition in SQL. */
export const hasTooManyAttributes = (attributes: string): string =>
  `(SELECT count(*) FROM jsonb_object_keys(${attributes})) > ${attributesMax}`;

/** A key that records have, and how many. */
export interface AttributeKey {
  readonly key: string;
  readonly programs: number;
  readonly branches: number;
}

/** A person cannot choose from more. */
export const attributeKeysMax = 1_000;

/** The keys in use, with the numbers of programs and of branches that have each. */
export async function attributeKeys(db: AnyTransaction): Promise<AttributeKey[]> {
  return queryRows(
    db,
    Prisma.sql`SELECT key, sum(programs)::int AS programs, sum(branches)::int AS branches FROM (
      SELECT jsonb_object_keys(attributes) AS key, 1 AS programs, 0 AS branches FROM programs WHERE deleted_at IS NULL
      UNION ALL
      SELECT jsonb_object_keys(attributes), 0, 1 FROM branches WHERE deleted_at IS NULL
    ) AS used GROUP BY key ORDER BY key COLLATE "C" LIMIT ${attributeKeysMax}`,
  );
}

/** Records by the value of an attribute: the most frequent first. */
const byAttribute =
  (table: Table) =>
  (db: AnyTransaction, key: string, first: number): Promise<Group<string>[]> =>
    queryRows(
      db,
      Prisma.sql`SELECT key, count(*)::int AS count FROM (
      SELECT (attributes ->> ${key}) COLLATE "C" AS key FROM ${Prisma.raw(table)} WHERE deleted_at IS NULL AND attributes ? ${key}
    ) AS valued GROUP BY key ORDER BY count DESC, key LIMIT ${first}`,
    );

export const programsByAttribute = byAttribute('programs');
export const branchesByAttribute = byAttribute('branches');
