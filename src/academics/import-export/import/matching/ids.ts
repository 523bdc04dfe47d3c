// Whether the ids that rows name are of this catalog.
import type { Client } from 'pg';
import { type KindWord, tableOf } from '../../../kinds.ts';
import { naturalPrograms } from './programs.ts';

const isKnown = (kind: KindWord): string => `EXISTS (
  SELECT FROM ${tableOf(kind)} known WHERE known.id = ${kind}_given_id AND deleted_at IS NULL)`;

/** Forgets the ids of records that are deleted, or were never here: their rows are matched as any other. */
const forgetUnknown = `
  UPDATE staged_rows SET
    program_given_id = CASE WHEN ${isKnown('program')} THEN program_given_id ELSE 0 END,
    branch_given_id = CASE WHEN branch_key IS NULL THEN NULL WHEN ${isKnown('branch')} THEN branch_given_id ELSE 0 END
  WHERE program_given_id > 0 AND NOT ${isKnown('program')} OR branch_given_id > 0 AND NOT ${isKnown('branch')}`;

/**
 * A program speaks for the ids of the file when code, or name and duration, find the record that has its id, and against
 * them when they find another; a branch when the record of its id has its name, or is of another program than its row.
 */
const votes = `
  WITH keys AS MATERIALIZED (
    SELECT DISTINCT program_given_id, program_key, program_occurrence, program_code AS code,
      program ->> 'name' AS name, program ->> 'duration' AS duration
    FROM staged_rows WHERE program_given_id > 0
  )
  SELECT coalesce(sum(CASE WHEN is_for THEN 1 ELSE -1 END), 0)::integer AS sum FROM (
    SELECT found.id = keys.program_given_id AS is_for
    FROM keys JOIN (${naturalPrograms('keys')}) found
      ON found.program_key = keys.program_key AND found.occurrence = keys.program_occurrence
    UNION ALL
    SELECT b.program_id = s.program_given_id
    FROM staged_rows s JOIN branches b ON b.id = s.branch_given_id
    WHERE s.program_given_id > 0 AND (b.program_id <> s.program_given_id OR b.name = s.branch ->> 'name')
  ) votes`;

/** Whether the ids of a file belong to this catalog, or to another one and are ignored; `null` without ids. */
export type Ids = 'matched' | 'ofAnotherCatalog' | null;

/**
 * Keeps the ids of records that exist, unless most of the file speaks against them: it comes from another catalog.
 * @param ownIds whether the caller says that they are of this one.
 */
export async function checkIds(client: Client, ownIds: boolean): Promise<Ids> {
  await client.query(forgetUnknown);
  await client.query('ANALYZE staged_rows (program_given_id, program_key, branch_given_id)');
  if (ownIds) return 'matched';
  const { rows } = await client.query<{ readonly sum: number }>(votes);
  if ((rows[0]?.sum ?? 0) >= 0) return 'matched';
  await client.query(
    'UPDATE staged_rows SET program_given_id = 0, branch_given_id = CASE WHEN branch_key IS NULL THEN NULL ELSE 0 END',
  );
  return 'ofAnotherCatalog';
}
