import type { Client } from 'pg';
import type { Actor } from '../../../operations/caller.ts';
import { branchSnapshot, programSnapshot } from '../../sql/writes/audit-snapshots.ts';

/** The time is not that of the transaction, which began before the file was read; all entries have the same. */
const insert =
  'INSERT INTO audit_entries (at, actor, key_id, request_id, change_id, action, subject, subject_id, before, after)';
const shared = '$5::timestamptz, $1::text, $2::integer, $3::text, $4::uuid';

const program = (record: string) => programSnapshot(`(${record}).`);
const branch = (record: string, years: string) =>
  `${branchSnapshot(`(${record}).`)} || jsonb_build_object('years', ${years})`;

const statements = [
  `${insert} SELECT ${shared}, 'create', 'Program', id, NULL, ${program('made')} FROM new_programs ORDER BY id`,
  `${insert} SELECT ${shared}, 'update', 'Program', id, ${program('before')}, ${program('after')}
    FROM changed_programs ORDER BY id`,
  `${insert} SELECT ${shared}, 'create', 'Branch', id, NULL, ${branch('made', 'years')} FROM new_branches ORDER BY id`,
  `${insert} SELECT ${shared}, 'update', 'Branch', id, ${branch('before', 'old_years')}, ${branch('after', 'years')}
    FROM changed_branches ORDER BY id`,
];

/** Writes to the audit log: for each created or changed record, as for a single change, then for the import. */
export async function recordImport(client: Client, actor: Actor, summary: object): Promise<void> {
  const { rows } = await client.query<{ readonly at: Date }>('SELECT statement_timestamp() AS at');
  const values = [actor.name, actor.keyId, actor.requestId, actor.changeId, rows[0]?.at];
  for (const statement of statements) await client.query(statement, values);
  await client.query(`${insert} VALUES (${shared}, 'import', 'Catalog', NULL, NULL, $6::jsonb)`, [
    ...values,
    JSON.stringify(summary),
  ]);
}
