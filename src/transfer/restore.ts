import type { Client } from 'pg';
import { type Migration, readMigrations } from '../database/migrations/migrations.ts';
import { type BackupHeader, readBackup } from './backup-file.ts';
import { BackupError } from './errors.ts';
import { dropOwnSchema, findOwnTables, type OwnTable, readSequences } from './own-tables.ts';
import { inTransaction } from './transaction.ts';

interface RestoreOptions {
  /** Of a PostgreSQL that has all migrations of this version; holds a password. */
  readonly url: string;
  readonly file: string;
  /** Replaces what is there. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  /** Gets a sentence for whoever waits. */
  readonly tell: (sentence: string) => void;
}

/** What a backup brought. */
export interface RestoreResult {
  readonly rows: Readonly<Record<string, number>>;
  /** When the backup was made. */
  readonly createdAt: string;
  /** The migrations that were newer than the backup, and were applied to what it brought. */
  readonly migrated: readonly string[];
}

/**
 * Puts what a backup holds in the place of all that a database holds, in one transaction. It is done by ordinary statements,
 * whose triggers make running instances forget what they have cached.
 *
 * @throws BackupError when the file is not a whole backup or one of a newer version, and when the database is not empty
 *   and nothing says that it is to be replaced.
 */
export async function restore({ url, file, force, signal, tell }: RestoreOptions): Promise<RestoreResult> {
  const header = await verify(file);
  const { past, pending } = divide(header);
  return inTransaction({ url, signal }, async (client) => {
    await clear(client, force);
    if (pending.length > 0) {
      tell(`The backup is of an older version: ${pending.length} migrations follow it.`);
      // Else a table that is to be dropped would have things left to do.
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

/** Reads the whole file before anything is done. */
async function verify(file: string): Promise<BackupHeader> {
  let header: BackupHeader | undefined;
  for await (const part of readBackup(file)) if (part.kind === 'header') header = part.header;
  if (header === undefined) throw new BackupError('This backup cannot be used: it is empty.');
  return header;
}

/** The migrations of this version that were applied when the backup was made, and the others. */
function divide({ migrations }: BackupHeader): { past: readonly Migration[]; pending: readonly Migration[] } {
  const known = readMigrations();
  const isNewer = migrations.some((name) => !known.some((migration) => migration.name === name));
  if (isNewer) throw new BackupError('This backup was made by a newer version of the service; restore it with that.');
  return {
    past: known.filter(({ name }) => migrations.includes(name)),
    pending: known.filter(({ name }) => !migrations.includes(name)),
  };
}

/** Empties all tables; nobody else can read or write them until the transaction ends. */
async function clear(client: Client, force: boolean): Promise<void> {
  const tables = await findOwnTables(client);
  const names = tables.map(({ name }) => `"${name}"`).join(', ');
  await client.query(`LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`);
  if (!force) {
    for (const { name } of tables) {
      const { rowCount } = await client.query(`SELECT FROM "${name}" LIMIT 1`);
      if (rowCount === 0) continue;
      throw new BackupError('The database is not empty. --force replaces all that is in it, users and keys too.');
    }
  }
  // The audit log only grows, but for this.
  const guard = 'ALTER TABLE "audit_entries" DISABLE TRIGGER "audit_entries_append_only"';
  await client.query(`${guard}; TRUNCATE ${names}; ${guard.replace('DISABLE', 'ENABLE')}`);
}

async function load(client: Client, file: string, tables: readonly OwnTable[]): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for await (const part of readBackup(file)) {
    if (part.kind === 'table') {
      const found = tables.find(({ name }) => name === part.table);
      if (found?.columns.join() !== part.columns.join()) {
        throw new BackupError(`This backup cannot be used: the table ${part.table} is another one here.`);
      }
      rows[part.table] = 0;
    } else if (part.kind === 'rows') {
      const sql = `INSERT INTO "${part.table}" SELECT * FROM unnest($1::"${part.table}"[])`;
      const { rowCount } = await client.query(sql, [part.rows]);
      rows[part.table] = (rows[part.table] ?? 0) + (rowCount ?? 0);
    } else if (part.kind === 'end') {
      for (const [name, count] of Object.entries(part.end.rows)) {
        if (rows[name] !== count) throw new Error(`Table ${name} did not take all rows.`);
      }
      await advanceSequences(client, tables, part.end.sequences);
    }
  }
  return rows;
}

/** An id that was given out once, here or where the backup was made, is not given out again. */
async function advanceSequences(
  client: Client,
  tables: readonly OwnTable[],
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  for (const { name, next } of await readSequences(client, tables)) {
    await client.query('SELECT setval($1, greatest($2::bigint, $3::bigint), false)', [name, next, wanted[name] ?? '1']);
  }
}
