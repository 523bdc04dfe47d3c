import { setTimeout as delay } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import { StartupError } from '../../errors.ts';
import { reasonOf, withConnection } from '../connection/single-connection.ts';
import { holdersOf, watchObstacles } from './lock-holders.ts';
import {
  createMigrationsTable,
  type Migration,
  readAppliedMigrations,
  readMigrations,
  recordMigration,
} from './migrations.ts';

/** One number for all instances: the transaction that holds this lock migrates, the others wait. Spells `uas1`. */
const lockKey = 0x75_61_73_31;
/** A statement that waits longer for a table gives way: whoever comes after it on that table waits as long. */
const lockWaitMs = 500;
/** A migrator that hangs keeps its locks no longer than this. */
const idleMs = 3_000;
const pauseFirstMs = 250;
const pauseMaxMs = 2_000;
/** Longer than other sessions should hold what a migration needs. */
const defaultPatienceMs = 120_000;

/** `lock_not_available` and `deadlock_detected`: another session has what the migration needs. */
const gaveWay: ReadonlySet<string> = new Set(['55P03', '40P01']);

/**
 * PostgreSQL would finish a long statement although its client is gone, and keep the locks meanwhile. Not every platform
 * can look for the client.
 */
const noticeLostClient = `DO $$ BEGIN PERFORM set_config('client_connection_check_interval', '1000', true);
  EXCEPTION WHEN OTHERS THEN NULL; END $$`;

const begin = `BEGIN;
  SET LOCAL lock_timeout = ${lockWaitMs};
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = ${idleMs};
  ${noticeLostClient}`;

interface MigrateOptions {
  /** When it is aborted, waiting for the database or for another instance ends. */
  readonly signal?: AbortSignal | undefined;
  /** Gets a sentence for the operator when a migration has to wait, and names what it waits for. */
  readonly tell?: ((sentence: string) => void) | undefined;
  /** Other migrations than this version's; for tests, as is a shorter patience. */
  readonly folder?: URL | undefined;
  readonly patienceMs?: number | undefined;
}

/** How one attempt to apply a migration ended. */
type Outcome = 'applied' | 'found' | { readonly waitsFor: string };

/** The two sessions of a migrator: one does the work, the other sees what is in its way. */
interface Sessions {
  readonly client: Client;
  readonly observer: Client;
}

/**
 * Brings a database up to date with this version's migrations, one instance at a time. When there is nothing to do, it
 * only reads. Each migration and its record are one transaction: a crash leaves all of it or nothing.
 *
 * @returns the names of the migrations that were applied, by this instance.
 * @throws StartupError when the database cannot be reached, a migration fails, or something stays in its way.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const { signal, folder } = options;
  const migrations = readMigrations(folder);
  return withConnection(
    databaseUrl,
    async (client) => {
      const pending = await pendingOf(client, migrations);
      if (pending.length === 0) return [];
      return withConnection(databaseUrl, (observer) => applyAll({ client, observer }, pending, options), { signal });
    },
    { signal },
  );
}

/**
 * Makes sure that a database has all migrations of this version, and only reads.
 *
 * @throws StartupError when it has not, naming the way.
 */
export async function requireMigrated(databaseUrl: string, signal?: AbortSignal): Promise<void> {
  const migrations = readMigrations();
  const pending = await withConnection(databaseUrl, (client) => pendingOf(client, migrations), { signal });
  if (pending.length === 0) return;
  throw new StartupError(
    `The database lacks the migrations ${pending.map(({ name }) => name).join(', ')}, and MIGRATE_ON_START is false: run npm run cli -- migrate.`,
  );
}

/** A migration of this version, and when it was applied to the database. */
export interface MigrationState {
  readonly name: string;
  readonly appliedAt: Date | null;
}

/** Reads which migrations of this version a database has, oldest first. */
export async function migrationStates(databaseUrl: string, signal?: AbortSignal): Promise<MigrationState[]> {
  const applied = await withConnection(databaseUrl, readAppliedMigrations, { signal });
  return readMigrations().map(({ name }) => ({ name, appliedAt: applied.get(name) ?? null }));
}

async function pendingOf(client: Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = await readAppliedMigrations(client);
  return migrations.filter(({ name }) => !applied.has(name));
}

async function applyAll(sessions: Sessions, pending: readonly Migration[], options: MigrateOptions): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of pending) {
    if ((await applyInTime(sessions, migration, options)) === 'applied') applied.push(migration.name);
  }
  return applied;
}

/** Tries until the migration is there: each attempt takes its locks at once or gives way to whoever has them. */
async function applyInTime(
  sessions: Sessions,
  migration: Migration,
  { signal, tell, patienceMs = defaultPatienceMs }: MigrateOptions,
): Promise<'applied' | 'found'> {
  const until = performance.now() + patienceMs;
  let told = '';
  for (let pause = pauseFirstMs; ; pause = Math.min(2 * pause, pauseMaxMs)) {
    signal?.throwIfAborted();
    const outcome = await attempt(sessions, migration);
    if (typeof outcome === 'string') return outcome;
    const sentence = `Migration ${migration.name} waits for ${outcome.waitsFor}`;
    if (performance.now() > until) throw new StartupError(`${sentence} too long: end that, and start again.`);
    if (outcome.waitsFor !== told) tell?.(`${sentence}.`);
    told = outcome.waitsFor;
    await delay(pause, undefined, { signal });
  }
}

async function attempt(sessions: Sessions, migration: Migration): Promise<Outcome> {
  const { client } = sessions;
  try {
    await client.query(begin);
    const outcome = await attemptInside(sessions, migration);
    await client.query(outcome === 'applied' ? 'COMMIT' : 'ROLLBACK');
    return outcome;
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => undefined);
    if (cause instanceof StartupError) throw cause;
    throw new StartupError(`Migration ${migration.name} failed: ${reasonOf(cause)}.`, { cause });
  }
}

async function attemptInside({ client, observer }: Sessions, migration: Migration): Promise<Outcome> {
  const { rows } = await client.query<{ locked: boolean; pid: number }>(
    'SELECT pg_try_advisory_xact_lock($1) AS locked, pg_backend_pid() AS pid',
    [lockKey],
  );
  const { locked = false, pid = 0 } = rows[0] ?? {};
  if (!locked) return { waitsFor: listed('another instance, which migrates', await holdersOf(observer, lockKey)) };
  await createMigrationsTable(client);
  if ((await readAppliedMigrations(client)).has(migration.name)) return 'found';
  const obstacles = watchObstacles(observer, pid);
  try {
    await client.query(migration.sql);
    await recordMigration(client, migration);
    return 'applied';
  } catch (cause) {
    if (!(cause instanceof DatabaseError && gaveWay.has(cause.code ?? ''))) throw cause;
    return { waitsFor: listed('other sessions', await obstacles()) };
  } finally {
    await obstacles();
  }
}

function listed(what: string, sessions: readonly string[]): string {
  return sessions.length === 0 ? what : `${what}: ${sessions.join(', ')}`;
}
