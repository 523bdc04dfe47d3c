import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { StartupError } from '../errors.ts';
import { Client } from './connection.ts';
import { openSchemaEngine, prismaFolder } from './schema-engine.ts';

/** One number for all instances: whoever holds this lock migrates, the others wait. Spells `uas1`. */
const lockKey = 0x75_61_73_31;
/** Longer than any migration of ours should take; an instance that waits longer says so instead of hanging. */
const lockWaitMs = 120_000;

interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The migrations that come with this version, oldest first. */
function readMigrations(): Migration[] {
  const folder = new URL('migrations/', prismaFolder);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, sql: readFileSync(new URL(`${name}/migration.sql`, folder), 'utf8') }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The migrations in the form that Prisma's engine takes. */
function migrationList(): MigrationList {
  const folder = new URL('migrations/', prismaFolder);
  return {
    baseDir: fileURLToPath(folder),
    lockfile: {
      path: 'migration_lock.toml',
      content: readFileSync(new URL('migration_lock.toml', folder), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: readMigrations().map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

/**
 * Brings a database up to date with this version's migrations, one instance at a time. When there is
 * nothing to do, it takes two statements and loads no engine.
 *
 * @param signal when it is aborted, waiting for the database or for another instance ends.
 * @throws StartupError when the database cannot be reached or a migration fails.
 */
export async function migrate(databaseUrl: string, signal?: AbortSignal): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // A connection that breaks fails the statement under way; that is told there.
  signal?.addEventListener('abort', () => client.connection.stream.destroy(), { once: true });
  await client.connect().catch((cause: unknown) => {
    throw new StartupError(`The database cannot be reached: ${reasonOf(cause)}. Check DATABASE_URL.`, { cause });
  });
  try {
    await client.query(`SET lock_timeout = ${lockWaitMs}`);
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
    if (!(await isUpToDate(client))) await applyMigrations(databaseUrl);
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    throw new StartupError(`The database could not be brought up to date: ${reasonOf(cause)}.`, { cause });
  } finally {
    await client.end(); // Ends the session, and with it the lock.
  }
}

async function isUpToDate(client: Client): Promise<boolean> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  );
  if (tables[0]?.found !== true) return false;
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  return readMigrations().every(
    ({ name, sql }) => applied.get(name) === createHash('sha256').update(sql).digest('hex'),
  );
}

async function applyMigrations(databaseUrl: string): Promise<void> {
  const { engine, close } = await openSchemaEngine(databaseUrl);
  try {
    await engine.applyMigrations({
      migrationsList: migrationList(),
      filters: { externalTables: [], externalEnums: [] },
    });
  } finally {
    await close();
  }
}

/** The first line of what went wrong, without the address or the password, which drivers do not put there. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  return cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : 'unknown reason';
}
