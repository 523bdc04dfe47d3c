import type { Client } from 'pg';
import { disableTrigger, enableTrigger } from '../database/audit-retention.ts';
import { type Migration, readMigrations } from '../database/migrations/migrations.ts';
import { type BackupHeader, readBackup } from './backup-file.ts';
import { BackupError } from './errors.ts';
import { dropOwnSchema, findOwnTables, type OwnTable, readSequences } from './own-tables.ts';
import { inTransaction } from './transaction.ts';

interface RestoreOptions {
  /** Of a fully migrated database. */
  readonly url: string;
  readonly file: string;
  readonly force: boolean;
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
}

export interface RestoreResult {
  readonly rows: Readonly<Record<string, number>>;
  readonly createdAt: string;
  /** Migrations newer than the backup, applied to its records. */
  readonly migrated: readonly string[];
}

/**
 * Replaces the content of a database in one transaction; its triggers invalidate the caches of running instances.
 * @throws BackupError for an incomplete or newer backup, or a database that is not empty without `force`.
 */
export async function restore({ url, file, force, signal, report }: RestoreOptions): Promise<RestoreResult> {
  const header = await verify(file);
  const { past, pending } = splitMigrations(header);
  return inTransaction({ url, signal }, async (client) => {
    await truncateAll(client, force);
    if (pending.length > 0) {
      report(`The backup is from an older version: applying ${pending.length} newer migrations.`);
      // A table with pending deferred constraints cannot be dropped.
      await client.query('SET CONSTRAINTS ALL IMMEDIATE');
      await dropOwnSchema(client);
      for (const { sql } of past) await client.query(sql);
    }
    const tables = await findOwnTables(client);
    const rows = await load(client, file, tables);
    if (pending.length > 0) {
      await client.query('SET CONSTRAINTS ALL IMMEDIATE');
      for (const { sql } of pending) await client.query(sql);
    }
    signal.throwIfAborted();
    await client.query('COMMIT');
    return { rows, createdAt: header.createdAt, migrated: pending.map(({ name }) => name) };
  });
}

/** Reads the whole file before changing anything. */
async function verify(file: string): Promise<BackupHeader> {
  let header: BackupHeader | undefined;
  for await (const part of readBackup(file)) if (part.kind === 'header') header = part.header;
  if (header === undefined) throw new BackupError('Invalid backup: it is empty.');
  return header;
}

function splitMigrations({ migrations }: BackupHeader): { past: readonly Migration[]; pending: readonly Migration[] } {
  const known = readMigrations();
  const isNewer = migrations.some((name) => !known.some((migration) => migration.name === name));
  if (isNewer)
    throw new BackupError('This backup is from a newer version of the service: restore it with that version.');
  return {
    past: known.filter(({ name }) => migrations.includes(name)),
    pending: known.filter(({ name }) => !migrations.includes(name)),
  };
}

async function truncateAll(client: Client, force: boolean): Promise<void> {
  const tables = await findOwnTables(client);
  const names = tables.map(({ name }) => `"${name}"`).join(', ');
  await client.query(`LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`);
  if (!force) {
    for (const { name } of tables) {
      const { rowCount } = await client.query(`SELECT FROM "${name}" LIMIT 1`);
      if (rowCount === 0) continue;
      throw new BackupError('The database is not empty. --force replaces everything in it, including users and keys.');
    }
  }
  await client.query(`${disableTrigger}; TRUNCATE ${names}; ${enableTrigger}`);
}

async function load(client: Client, file: string, tables: readonly OwnTable[]): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for await (const part of readBackup(file)) {
    if (part.kind === 'table') {
      const found = tables.find(({ name }) => name === part.table);
      if (found?.columns.join() !== part.columns.join()) {
        throw new BackupError(`Invalid backup: the columns of table ${part.table} differ.`);
      }
      rows[part.table] = 0;
    } else if (part.kind === 'rows') {
      const sql = `INSERT INTO "${part.table}" SELECT * FROM unnest($1::"${part.table}"[])`;
      const { rowCount } = await client.query(sql, [part.rows]);
      rows[part.table] = (rows[part.table] ?? 0) + (rowCount ?? 0);
    } else if (part.kind === 'end') {
      for (const [name, count] of Object.entries(part.end.rows)) {
        if (rows[name] !== count) throw new Error(`Not all rows of table ${name} were inserted.`);
      }
      await advanceSequences(client, tables, part.end.sequences);
    }
  }
  return rows;
}

/** Ids already used, here or where the backup was created, are not used again. */
async function advanceSequences(
  client: Client,
  tables: readonly OwnTable[],
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  for (const { name, next } of await readSequences(client, tables)) {
    await client.query('SELECT setval($1, greatest($2::bigint, $3::bigint), false)', [name, next, wanted[name] ?? '1']);
  }
}
