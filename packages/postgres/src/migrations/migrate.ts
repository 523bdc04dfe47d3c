import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@service/errors';
import { driverErrorReason, isLockConflict } from '@service/postgres/errors';
import type { Client } from 'pg';
import { advisoryLocks } from '../../../../src/database/advisory-locks.ts';
import { withConnection } from '../../../../src/database/single-connection.ts';
import { cliCommand } from '../../../../src/installation.ts';
import { holdersOf, watchBlockers } from './lock-holders.ts';
import {
  createMigrationsTable,
  type Migration,
  readAppliedMigrations,
  readMigrations,
  recordMigration,
  requireKnownOrigin,
} from './migrations.ts';
import { requireServer } from './server-requirements.ts';

/** Short, because every later statement on a table queues behind one that waits for a lock on it. */
const lockWaitMs = 500;
/** How long a hung migrator keeps its locks. */
const idleMs = 3_000;
const pauseFirstMs = 250;
const pauseMaxMs = 2_000;
/** Longer than other sessions should hold a lock that a migration needs. */
const defaultTimeoutMs = 120_000;

/** Ends a long statement, and releases its locks, when the client is gone; not supported on every platform. */
const noticeLostClient = `DO $$ BEGIN PERFORM set_config('client_connection_check_interval', '1000', true);
  EXCEPTION WHEN OTHERS THEN NULL; END $$`;

const begin = `BEGIN;
  SET LOCAL lock_timeout = ${lockWaitMs};
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = ${idleMs};
  ${noticeLostClient}`;

interface MigrateOptions {
  readonly signal?: AbortSignal | undefined;
  /** Gets a message for the operator when a migration waits for a lock, with the sessions that hold it. */
  readonly report?: ((message: string) => void) | undefined;
  /** Another folder of migrations; for tests, as is a shorter timeout for locks. */
  readonly folder?: URL | undefined;
  readonly lockTimeoutMs?: number | undefined;
}

type Outcome = 'applied' | 'existing' | { readonly waitsFor: string };

/** One does the work, the other watches which sessions block it. */
interface Sessions {
  readonly client: Client;
  readonly observer: Client;
}

/**
 * Applies pending migrations, one instance at a time, each in one transaction; returns the names of the applied ones.
 * @throws StartupError when the database cannot be reached or does not suit, or a migration fails or waits too long for
 *   a lock.
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

/** Whether a database has all migrations of this version; throws `StartupError` when its server does not suit. */
export async function hasAllMigrations(client: Client): Promise<boolean> {
  return (await pendingOf(client, readMigrations())).length === 0;
}

/** Read-only; throws `StartupError` unless a database has all migrations of this version. */
export async function requireMigrated(databaseUrl: string, signal?: AbortSignal): Promise<void> {
  const migrations = readMigrations();
  const pending = await withConnection(databaseUrl, (client) => pendingOf(client, migrations), { signal });
  if (pending.length === 0) return;
  throw new StartupError(
    `The database lacks the migrations ${pending.map(({ name }) => name).join(', ')}, and MIGRATE_ON_START is false: run ${cliCommand} migrate.`,
  );
}

export interface MigrationState {
  readonly name: string;
  readonly appliedAt: Date | null;
}

export async function migrationStates(databaseUrl: string, signal?: AbortSignal): Promise<MigrationState[]> {
  const migrations = readMigrations();
  const applied = await withConnection(databaseUrl, readAppliedMigrations, { signal });
  requireKnownOrigin(applied, migrations);
  return migrations.map(({ name }) => ({ name, appliedAt: applied.get(name) ?? null }));
}

/** @throws StartupError when the server does not suit. */
async function pendingOf(client: Client, migrations: readonly Migration[]): Promise<Migration[]> {
  await requireServer(client);
  const applied = await readAppliedMigrations(client);
  requireKnownOrigin(applied, migrations);
  return migrations.filter(({ name }) => !applied.has(name));
}

async function applyAll(sessions: Sessions, pending: readonly Migration[], options: MigrateOptions): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of pending) {
    if ((await applyWithRetry(sessions, migration, options)) === 'applied') applied.push(migration.name);
  }
  return applied;
}

/** Each attempt gets its locks at once, or rolls back, so that nobody queues behind it. */
async function applyWithRetry(
  sessions: Sessions,
  migration: Migration,
  { signal, report, lockTimeoutMs = defaultTimeoutMs }: MigrateOptions,
): Promise<'applied' | 'existing'> {
  const until = performance.now() + lockTimeoutMs;
  let reported = '';
  // Exponential backoff.
  for (let pause = pauseFirstMs; ; pause = Math.min(2 * pause, pauseMaxMs)) {
    signal?.throwIfAborted();
    const outcome = await attempt(sessions, migration);
    if (typeof outcome === 'string') return outcome;
    const message = `Migration ${migration.name} waits for ${outcome.waitsFor}`;
    if (performance.now() > until) throw new StartupError(`${message} too long: end that, and start again.`);
    if (outcome.waitsFor !== reported) report?.(`${message}.`);
    reported = outcome.waitsFor;
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
    throw new StartupError(`Migration ${migration.name} failed: ${driverErrorReason(cause)}.`, { cause });
  }
}

async function attemptInside({ client, observer }: Sessions, migration: Migration): Promise<Outcome> {
  const { rows } = await client.query<{ locked: boolean; pid: number }>(
    'SELECT pg_try_advisory_xact_lock($1) AS locked, pg_backend_pid() AS pid',
    [advisoryLocks.migration],
  );
  const { locked = false, pid = 0 } = rows[0] ?? {};
  if (!locked)
    return { waitsFor: listed('another instance, which migrates', await holdersOf(observer, advisoryLocks.migration)) };
  await createMigrationsTable(client);
  if ((await readAppliedMigrations(client)).has(migration.name)) return 'existing';
  const blockers = watchBlockers(observer, pid);
  try {
    await client.query(migration.sql);
    await recordMigration(client, migration);
    return 'applied';
  } catch (cause) {
    if (!isLockConflict(cause)) throw cause;
    return { waitsFor: listed('other sessions', await blockers()) };
  } finally {
    await blockers();
  }
}

function listed(what: string, sessions: readonly string[]): string {
  return sessions.length === 0 ? what : `${what}: ${sessions.join(', ')}`;
}
