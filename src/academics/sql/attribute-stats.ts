import type { Transaction } from '../../database/types.ts';
import type { Group } from './stats.ts';

/** A key that records have, and how many. */
export interface AttributeKey {
  readonly key: string;
  readonly programs: number;
  readonly branches: number;
}

/** As many as a person can choose from. */
export const attributeKeysMax = 1_000;

export async function attributeKeys(db: Transaction): Promise<AttributeKey[]> {
  return db.$queryRaw`SELECT key, sum(programs)::int AS programs, sum(branches)::int AS branches FROM (
      SELECT jsonb_object_keys(attributes) AS key, 1 AS programs, 0 AS branches FROM programs WHERE deleted_at IS NULL
      UNION ALL
      SELECT jsonb_object_keys(attributes), 0, 1 FROM branches WHERE deleted_at IS NULL
    ) AS used GROUP BY key ORDER BY key COLLATE "C" LIMIT ${attributeKeysMax}`;
}

/** The most frequent first. */
export async function programsByAttribute(db: Transaction, key: string, first: number): Promise<Group<string>[]> {
  return db.$queryRaw`SELECT key, count(*)::int AS count FROM (
      SELECT attributes ->> ${key} AS key FROM programs WHERE deleted_at IS NULL AND attributes ? ${key}
    ) AS valued GROUP BY key ORDER BY count DESC, key COLLATE "C" LIMIT ${first}`;
}

export async function branchesByAttribute(db: Transaction, key: string, first: number): Promise<Group<string>[]> {
  return db.$queryRaw`SELECT key, count(*)::int AS count FROM (
      SELECT attributes ->> ${key} AS key FROM branches WHERE deleted_at IS NULL AND attributes ? ${key}
    ) AS valued GROUP BY key ORDER BY count DESC, key COLLATE "C" LIMIT ${first}`;
}
