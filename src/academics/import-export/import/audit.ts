import type { Client } from 'pg';
import type { Actor } from '../../../accounts/audit/audit.ts';
import { branchSnapshot, programSnapshot } from '../../sql/audit-snapshots.ts';

/** The time is not that of the transaction, which began before the file was read. */
const insert =
  'INSERT INTO audit_entries (at, actor, key_id, request_id, change_id, action, subject, subject_id, before, after)';
const shared = 'statement_timestamp(), $1::text, $2::integer, $3::text, $4::uuid';

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
  const actorValues = [actor.name, actor.keyId, actor.requestId, actor.changeId];
  for (const statement of statements) await client.query(statement, actorValues);
  await client.query(`${insert} VALUES (${shared}, 'import', 'Catalog', NULL, NULL, $5::jsonb)`, [
    ...actorValues,
    JSON.stringify(summary),
  ]);
}
