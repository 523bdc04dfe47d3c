import { setTimeout as delay } from 'node:timers/promises';
import { isLockConflict } from '@service/postgres/errors';
import { type Migration, readMigrations } from '@service/postgres/migrations/migrations';
import { inTransaction } from '@service/postgres/transaction';
import type { Client } from 'pg';
import type { BackupContent } from './backup.ts';
import { type BackupHeader, type BackupPart, readBackup } from './backup-file.ts';
import { BackupError, NotEmptyError } from './errors.ts';
import { dropOwnSchema, findOwnRelations, findOwnTables, type OwnTable, readSequences } from './own-tables.ts';

/** Kept short: every later statement on a table queues behind one that waits for its lock. */
const lockWaitMs = 500;
const pauseFirstMs = 250;
const pauseMaxMs = 2_000;
/** Other sessions hold locks for less than this. */
const defaultTimeoutMs = 120_000;

/** The tables to restore, and the migrations that create them. */
export interface RestoreContent extends BackupContent {
  readonly migrationsFolder: URL;
  /** What to do with a backup of another version: a sentence. */
  readonly otherVersionAdvice?: string | undefined;
  /** Triggers that reject the removal of rows; disabled while the tables are emptied. */
  readonly guards: readonly { readonly table: string; readonly trigger: string }[];
}

interface RestoreOptions {
  readonly content: RestoreContent;
  /** The address of a fully migrated database. */
  readonly url: string;
  readonly file: string;
  readonly force: boolean;
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
  /** A shorter one for tests. */
  readonly lockTimeoutMs?: number;
}

export interface RestoreResult {
  readonly rows: Readonly<Record<string, number>>;
  readonly createdAt: string;
  /** Migrations newer than the backup, applied to its records. */
  readonly migrated: readonly string[];
}

/**
 * Replaces the content of a database in one transaction; its triggers invalidate the caches of running instances.
 * @throws BackupError for an incomplete or newer backup, a database that is not empty without `force`, or one whose
 *   tables are in use for too long.
 */
export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { url, content, file, force, signal, report } = options;
  const header = await verify(file, content.format);
  const { past, pending } = splitMigrations(header, content);
  return inTransaction({ url, signal }, async (client) => {
    const names =
      pending.length > 0
        ? (await findOwnRelations(client, content)).map(({ name }) => name)
        : namesOf(await findOwnTables(client, content));
    await lockAll(client, names, options);
    await truncateAll(client, content, force);
    if (pending.length > 0) {
      report(`The backup is from an older version: applying ${pending.length} newer migrations.`);
      // A table with pending deferred constraints cannot be dropped.
      await client.query('SET CONSTRAINTS ALL IMMEDIATE');
      await dropOwnSchema(client, content);
      for (const { sql } of past) await client.query(sql);
    }
    const tables = await findOwnTables(client, content);
    const rows = await load(client, readBackup(file, content.format), tables, content);
    if (pending.length > 0) {
      await client.query('SET CONSTRAINTS ALL IMMEDIATE');
      for (const { sql } of pending) await client.query(sql);
    }
    return { rows, createdAt: header.createdAt, migrated: pending.map(({ name }) => name) };
  });
}

/** Reads the whole file before changing anything. */
async function verify(file: string, format: string): Promise<BackupHeader> {
  let header: BackupHeader | undefined;
  for await (const part of readBackup(file, format)) if (part.kind === 'header') header = part.header;
  if (header === undefined) throw new BackupError('Invalid backup: it is empty.');
  return header;
}

function splitMigrations(
  { migrations, checksums }: BackupHeader,
  content: RestoreContent,
): { past: readonly Migration[]; pending: readonly Migration[] } {
  const known = readMigrations(content.migrationsFolder);
  const isNewer = migrations.some((name) => !known.some((migration) => migration.name === name));
  if (isNewer) throw new BackupError('This backup is from a newer version: restore it with that version.');
  const other = known.find(({ name, checksum }) => (checksums?.[name] ?? checksum) !== checksum);
  if (other !== undefined)
    throw ofAnotherVersion(`its migration ${other.name} is not the one of this version`, content);
  return {
    past: known.filter(({ name }) => migrations.includes(name)),
    pending: known.filter(({ name }) => !migrations.includes(name)),
  };
}

function ofAnotherVersion(reason: string, { otherVersionAdvice = '' }: RestoreContent): BackupError {
  return new BackupError(`This backup is of another version: ${reason}. ${otherVersionAdvice}`.trim());
}

const namesOf = (tables: readonly OwnTable[]): string[] => tables.map(({ name }) => `"${name}"`);

/** Gets all locks at once or gives them up, so that no reader queues behind it. */
async function lockAll(
  client: Client,
  names: readonly string[],
  { signal, report, lockTimeoutMs = defaultTimeoutMs }: RestoreOptions,
): Promise<void> {
  const until = performance.now() + lockTimeoutMs;
  // Exponential backoff.
  for (let pause = pauseFirstMs; ; pause = Math.min(2 * pause, pauseMaxMs)) {
    signal.throwIfAborted();
    try {
      await client.query(`SAVEPOINT unlocked; SET LOCAL lock_timeout = ${lockWaitMs};
        LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE; SET LOCAL lock_timeout = 0`);
      return;
    } catch (cause) {
      if (!isLockConflict(cause)) throw cause;
    }
    await client.query('ROLLBACK TO unlocked');
    const waiting = 'The database is in use, by an export, a backup or another session, which holds its tables';
    if (performance.now() > until) throw new BackupError(`${waiting} for too long. Nothing was changed.`);
    if (pause === pauseFirstMs) report(`${waiting}. Waiting for it to end.`);
    await delay(pause, undefined, { signal });
  }
}

async function truncateAll(client: Client, content: RestoreContent, force: boolean): Promise<void> {
  const tables = await findOwnTables(client, content);
  if (!force) {
    for (const { name } of tables) {
      const { rowCount } = await client.query(`SELECT FROM "${name}" LIMIT 1`);
      if (rowCount === 0) continue;
      throw new NotEmptyError('The database is not empty.');
    }
  }
  const guards = (verb: 'DISABLE' | 'ENABLE'): string =>
    content.guards.map(({ table, trigger }) => `ALTER TABLE "${table}" ${verb} TRIGGER "${trigger}";`).join(' ');
  await client.query(`${guards('DISABLE')} TRUNCATE ${namesOf(tables).join(', ')}; ${guards('ENABLE')}`);
}

async function load(
  client: Client,
  parts: AsyncIterable<BackupPart>,
  tables: readonly OwnTable[],
  content: RestoreContent,
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  let written = '';
  for await (const part of parts) {
    if (part.kind === 'table') {
      const found = tables.find(({ name }) => name === part.table);
      if (found?.columns.join() !== part.columns.join()) {
        throw ofAnotherVersion(`the columns of table ${part.table} differ`, content);
      }
      written = found.written.join(', ');
      rows[part.table] = 0;
    } else if (part.kind === 'rows') {
      const sql = `INSERT INTO "${part.table}" (${written}) SELECT ${written} FROM unnest($1::"${part.table}"[])`;
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
