import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@service/errors';
import type { Client } from 'pg';
import { type ConnectOptions, withConnection } from '../connection.ts';
import { driverErrorReason, isLockConflict } from '../errors.ts';
import { holdersOf, watchBlockers } from './lock-holders.ts';
import {
  createMigrationsTable,
  type Migration,
  readAppliedMigrations,
  readMigrations,
  recordMigration,
} from './migrations.ts';
import { requireServer } from './server-requirements.ts';

/** Short, because every later statement on a table queues behind one that waits for a lock on it. */
const lockWaitMs = 500;
/** How long a hung migrator keeps its locks. */
const idleMs = 3_000;
const pauseFirstMs = 250;
const pauseMaxMs = 2_000;
/** Other sessions hold locks for less than this. */
const defaultTimeoutMs = 120_000;

/** Ends a long statement, and releases its locks, when the client is gone; not supported on every platform. */
const noticeLostClient = `DO $$ BEGIN PERFORM set_config('client_connection_check_interval', '1000', true);
  EXCEPTION WHEN OTHERS THEN NULL; END $$`;

const begin = `BEGIN;
  SET LOCAL lock_timeout = ${lockWaitMs};
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = ${idleMs};
  ${noticeLostClient}`;

/** The folder of the migrations, and the key of their advisory lock. */
export interface MigrationSource {
  readonly folder: URL;
  readonly lockKey: number;
  /** Extensions of the migrations. An existing one must be found without naming its schema. */
  readonly extensions?: readonly string[];
}

interface MigrateOptions extends ConnectOptions {
  /** Gets a message for the operator when a migration waits for a lock, with the sessions that hold it. */
  readonly report?: ((message: string) => void) | undefined;
  /** A shorter one for tests. */
  readonly lockTimeoutMs?: number | undefined;
}

type Outcome = 'applied' | 'existing' | { readonly waitsFor: string };

/** Two sessions: one works, the other watches which sessions block it. */
interface Sessions {
  readonly client: Client;
  readonly observer: Client;
  readonly lockKey: number;
}

/**
 * Applies pending migrations, one instance at a time, each in one transaction; returns the names of the applied ones.
 * @throws StartupError when the database cannot be reached or is not supported, or a migration fails or waits too long for
 *   a lock.
 */
export async function migrate(
  databaseUrl: string,
  source: MigrationSource,
  options: MigrateOptions = {},
): Promise<string[]> {
  return withConnection(
    databaseUrl,
    async (client) => {
      const pending = await pendingMigrations(client, source);
      if (pending.length === 0) return [];
      const { lockKey } = source;
      return withConnection(
        databaseUrl,
        (observer) => applyAll({ client, observer, lockKey }, pending, options),
        options,
      );
    },
    options,
  );
}

/**
 * The migrations that a database lacks; read-only.
 * @throws StartupError when its server is not supported.
 */
export async function pendingMigrations(client: Client, { folder, extensions }: MigrationSource): Promise<Migration[]> {
  const migrations = readMigrations(folder);
  await requireServer(client, extensions);
  const applied = await readAppliedMigrations(client);
  return migrations.filter(({ name }) => !applied.has(name));
}

export interface MigrationState {
  readonly name: string;
  readonly appliedAt: Date | null;
}

/** Returns each migration of the folder, and whether the database has it. */
export async function migrationStates(
  databaseUrl: string,
  { folder }: MigrationSource,
  options: ConnectOptions = {},
): Promise<MigrationState[]> {
  const migrations = readMigrations(folder);
  const applied = await withConnection(databaseUrl, readAppliedMigrations, options);
  return migrations.map(({ name }) => ({ name, appliedAt: applied.get(name) ?? null }));
}

async function applyAll(sessions: Sessions, pending: readonly Migration[], options: MigrateOptions): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of pending) {
    if ((await applyWithRetry(sessions, migration, options)) === 'applied') applied.push(migration.name);
  }
  return applied;
}

/** Gets all locks of a migration at once or rolls back, so that nobody queues behind it. */
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
    const reason = `Migration ${migration.name} failed: ${driverErrorReason(cause)}.`;
    throw new StartupError(`${reason}${remedyFor(cause, client)}`, { cause });
  }
}

/** Names the remedy: since PostgreSQL 15 only the owner of a database may create tables in its schema `public`. */
function remedyFor(cause: unknown, client: Client): string {
  const [, schema] = /^permission denied for schema (.+)$/.exec(driverErrorReason(cause)) ?? [];
  if (schema === undefined) return '';
  return ` Run as the owner of the database: GRANT CREATE ON SCHEMA ${client.escapeIdentifier(schema)}, to the user of the address.`;
}

async function attemptInside({ client, observer, lockKey }: Sessions, migration: Migration): Promise<Outcome> {
  const { rows } = await client.query<{ locked: boolean; pid: number }>(
    'SELECT pg_try_advisory_xact_lock($1) AS locked, pg_backend_pid() AS pid',
    [lockKey],
  );
  const { locked = false, pid = 0 } = rows[0] ?? {};
  if (!locked) return { waitsFor: listed('another instance, which migrates', await holdersOf(observer, lockKey)) };
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
