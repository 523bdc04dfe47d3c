import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { migrate, migrationStates } from '../src/migrations/migrate.ts';
import { createDatabase, type TestDatabase } from './support/database.ts';
import { appliedTo, migrationsFolder, openReader } from './support/migrations.ts';
import { waitingForLocks } from './support/table-lock.ts';

const lockKey = 7;

/** A folder with a first migration, and others by name. */
const folderOf = (others: Readonly<Record<string, string>> = {}): Promise<URL> =>
  migrationsFolder({ '1_init': 'CREATE TABLE lists (id int)', ...others });

const source = async () => ({ folder: await folderOf(), lockKey });

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  onTestFinished(() => database.close());
  return database;
}

async function migratedDatabase(): Promise<TestDatabase> {
  const database = await emptyDatabase();
  await migrate(database.url, await source());
  return database;
}

describe('migrating', () => {
  it('needs no lock when there is nothing to do', async () => {
    const database = await migratedDatabase();
    // As the previous version did: a pooler kept the session of a finished migration.
    await openReader(database, `SELECT pg_advisory_lock(${lockKey})`);

    expect(await migrate(database.url, await source())).toEqual([]);
  });

  it('leaves no state in the session, which a pooler reuses', async () => {
    const database = await emptyDatabase();
    await migrate(database.url, await source());

    expect(
      await database.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`),
    ).toEqual([]);
  });

  it('says how to let a role create tables that may not', async () => {
    const database = await emptyDatabase();
    await database.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC, pg_database_owner');

    await expect(migrate(database.url, await source())).rejects.toThrow(
      `Migration 1_init failed: permission denied for schema public. Run as the owner of the database: GRANT CREATE ON SCHEMA "public", to the user of the address.`,
    );
  });

  it('reports another instance that migrates for too long', async () => {
    const database = await emptyDatabase();
    await openReader(database, `SELECT pg_advisory_lock(${lockKey})`);

    await expect(migrate(database.url, await source(), { lockTimeoutMs: 0 })).rejects.toThrow(
      /^Migration 1_init waits for another instance, which migrates: process \d+ \(report, idle in transaction since [^)]+\) too long: /,
    );
  });

  it('waits for a reader, reports it once, and adds the column when it has finished', async () => {
    const database = await migratedDatabase();
    const reader = await openReader(database, `SELECT 'a secret' FROM lists`);
    const messages: string[] = [];
    const folder = await folderOf({ '2_column': 'ALTER TABLE lists ADD COLUMN extra text' });
    const report = (message: string) => messages.push(message);
    const migrating = migrate(database.url, { folder, lockKey }, { report });
    await vi.waitFor(() => expect(messages).toHaveLength(1), 20_000);

    await reader.query('COMMIT');

    expect(await migrating).toEqual(['2_column']);
    expect(messages).toEqual([
      expect.stringMatching(
        /^Migration 2_column waits for other sessions: process \d+ \(report, idle in transaction since [^)]+\)\.$/,
      ),
    ]);
  });

  it('rolls back a failed migration and reports its name and the reason', async () => {
    const database = await migratedDatabase();
    const folder = await folderOf({
      '2_first': 'CREATE TABLE first ()',
      '3_second': 'CREATE TABLE second (); SELECT nonsense',
    });

    await expect(migrate(database.url, { folder, lockKey })).rejects.toThrow(
      'Migration 3_second failed: column "nonsense" does not exist.',
    );

    expect(await database.query(`SELECT to_regclass('first') AS first, to_regclass('second') AS second`)).toEqual([
      { first: 'first', second: null },
    ]);
    expect(await appliedTo(database)).toEqual(['1_init', '2_first']);
  });

  it('does not touch a database that another version has migrated, whose migration has another content', async () => {
    const database = await migratedDatabase();
    const folder = await migrationsFolder({
      '1_init': 'CREATE TABLE lists (id bigint)',
      '2_more': 'CREATE TABLE more ()',
    });
    const other = { folder, lockKey, otherVersionAdvice: 'Ask for it.' };
    const sentence =
      'The database is of another version: its migration 1_init is not the one of this version. Ask for it.';

    await expect(migrate(database.url, other)).rejects.toThrow(sentence);
    await expect(migrationStates(database.url, other)).rejects.toThrow(sentence);

    expect(await appliedTo(database)).toEqual(['1_init']);
  });

  it('knows its migrations again whatever line ends their files have', async () => {
    const sql = 'CREATE TABLE lists\n  (id int);\n';
    const database = await emptyDatabase();
    const migrated = async (text: string) =>
      migrate(database.url, { folder: await migrationsFolder({ '1_init': text }), lockKey });
    expect(await migrated(sql)).toEqual(['1_init']);
    expect(await migrated(sql.replaceAll('\n', '\r\n'))).toEqual([]);
  });

  it('does not touch a database with an unfinished migration of another tool', async () => {
    const database = await migratedDatabase();
    await database.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', 'x', 'half')`);

    await expect(migrate(database.url, await source())).rejects.toThrow(/^Migration half was begun by another tool/);
    await database.query(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = 'half'`);
    expect(await migrate(database.url, await source())).toEqual([]);
  });

  it('is completed by another instance when the migrating one is killed', async () => {
    const database = await migratedDatabase();
    const holder = await openReader(database, 'SELECT pg_advisory_lock(1)');
    const folder = await folderOf({
      // Each attempt waits for the lock after it has created the table.
      '2_slow': 'CREATE TABLE slow (); SELECT pg_advisory_xact_lock(1)',
    });
    const script = path.join(import.meta.dirname, 'support', 'migrator.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', script, database.url, folder.pathname, `${lockKey}`], {
      stdio: 'inherit',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await vi.waitFor(async () => expect(await database.query(`SELECT 1 ${waitingForLocks}`)).toHaveLength(1), {
      timeout: 20_000,
      interval: 5,
    });
    const other = migrate(database.url, { folder, lockKey });

    child.kill('SIGKILL');
    await once(child, 'exit');
    await holder.query('SELECT pg_advisory_unlock(1)');

    expect(await other).toEqual(['2_slow']);
  });

  it('fails with one line without the password when the database is unreachable', async () => {
    const failing = migrate('postgresql://ada:secret@127.0.0.1:1/none', await source(), { advice: 'Check it.' });
    await expect(failing).rejects.toThrow(/^The database cannot be reached: .*\. Check it\.$/);
    await expect(failing).rejects.not.toThrow('secret');
  });
});
