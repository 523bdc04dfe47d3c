import type { Client } from 'pg';
import type { Actor } from '../database/audit.ts';

/** The columns of an entry that all entries of an import have alike, as parameters. */
const head = 'INSERT INTO audit_entries (actor, key_id, request_id, action, subject, subject_id, before, after)';
const by = '$1::text, $2::integer, $3::text';

const program = `jsonb_build_object('name', name, 'duration', duration, 'code', code)`;
const branch = `jsonb_build_object('programId', program_id, 'name', name, 'description', description,
  'codePrefix', code_prefix, 'codeIsNumeric', code_is_numeric, 'years', years)`;
const oldBranch = `jsonb_build_object('programId', program_id, 'name', name, 'description', old_description,
  'codePrefix', old_code_prefix, 'codeIsNumeric', old_code_is_numeric, 'years', old_years)`;

const statements = [
  `${head} SELECT ${by}, 'create', 'Program', id, NULL, ${program} FROM new_programs ORDER BY id`,
  `${head} SELECT ${by}, 'update', 'Program', id,
    jsonb_build_object('name', old_name, 'duration', old_duration, 'code', code), ${program}
    FROM changed_programs ORDER BY id`,
  `${head} SELECT ${by}, 'create', 'Branch', id, NULL, ${branch} FROM new_branches ORDER BY id`,
  `${head} SELECT ${by}, 'update', 'Branch', id, ${oldBranch}, ${branch} FROM changed_branches ORDER BY id`,
];

/**
 * Writes an import into the audit log: an entry for each record that it created or changed, as if that had been done
 * alone, and then one for the whole.
 *
 * @param summary what the last entry shows.
 */
export async function recordImport(client: Client, actor: Actor, summary: object): Promise<void> {
  const who = [actor.name, actor.keyId, actor.requestId];
  for (const statement of statements) await client.query(statement, who);
  await client.query(`${head} VALUES (${by}, 'import', 'Program', 0, NULL, $4::jsonb)`, [
    ...who,
    JSON.stringify(summary),
  ]);
}
