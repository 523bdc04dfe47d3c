import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@service/errors';
import { type Client, DatabaseError } from 'pg';
import { type ConnectOptions, withConnection } from '../connection.ts';
import { driverErrorReason, isLockConflict, sqlState } from '../errors.ts';
import { withoutTimeouts } from '../transaction.ts';
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
  ${withoutTimeouts};
  SET LOCAL lock_timeout = ${lockWaitMs};
  SET LOCAL idle_in_transaction_session_timeout = ${idleMs};
  ${noticeLostClient}`;

/** The folder of the migrations, and the key of their advisory lock. */
export interface MigrationSource {
  readonly folder: URL;
  readonly lockKey: number;
  /** Extensions of the migrations. An existing one must be found without naming its schema. */
  readonly extensions?: readonly string[];
  /** What to do with a database that another version has migrated: a sentence. */
  readonly otherVersionAdvice?: string;
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
  readonly source: MigrationSource;
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
      return withConnection(
        databaseUrl,
        (observer) => applyAll({ client, observer, source }, pending, options),
        options,
      );
    },
    options,
  );
}

/**
 * The migrations that a database lacks; read-only.
 * @throws StartupError when its server is not supported, or another version has migrated it.
 */
export async function pendingMigrations(client: Client, source: MigrationSource): Promise<Migration[]> {
  await requireServer(client, source.extensions);
  return (await statesIn(client, source)).flatMap(({ migration, applied }) => (applied === undefined ? migration : []));
}

/**
 * Compares each migration of the folder with the one that was applied under its name.
 * @throws StartupError when one has another content.
 */
async function statesIn(client: Client, { folder, otherVersionAdvice = '' }: MigrationSource) {
  const applied = await readAppliedMigrations(client);
  const states = readMigrations(folder).map((migration) => ({ migration, applied: applied.get(migration.name) }));
  const other = states.find(({ migration, applied = migration }) => applied.checksum !== migration.checksum);
  if (other === undefined) return states;
  const { name } = other.migration;
  const sentence = `The database is of another version: its migration ${name} is not the one of this version.`;
  throw new StartupError(`${sentence} ${otherVersionAdvice}`.trim());
}

export interface MigrationState {
  readonly name: string;
  readonly appliedAt: Date | null;
}

/**
 * Returns each migration of the folder, and when the database got it.
 * @throws StartupError when another version has migrated the database.
 */
export async function migrationStates(
  databaseUrl: string,
  source: MigrationSource,
  options: ConnectOptions = {},
): Promise<MigrationState[]> {
  const states = await withConnection(databaseUrl, (client) => statesIn(client, source), options);
  return states.map(({ migration: { name }, applied }) => ({ name, appliedAt: applied?.at ?? null }));
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
    throw new StartupError(`${reason}${await remedyFor(cause, client)}`, { cause });
  }
}

/** Names the remedy: since PostgreSQL 15 only the owner of a database may create tables in its schema `public`. */
async function remedyFor(cause: unknown, client: Client): Promise<string> {
  if (!(cause instanceof DatabaseError && cause.code === sqlState.insufficientPrivilege)) return '';
  const { rows } = await client.query<{ closed: string }>(
    `SELECT current_schema() AS closed WHERE NOT has_schema_privilege(current_schema(), 'CREATE')`,
  );
  const [row] = rows;
  if (row === undefined) return '';
  return ` Run as the owner of the database: GRANT CREATE ON SCHEMA ${client.escapeIdentifier(row.closed)}, to the user of the address.`;
}

async function attemptInside({ client, observer, source }: Sessions, migration: Migration): Promise<Outcome> {
  const { rows } = await client.query<{ locked: boolean; pid: number }>(
    'SELECT pg_try_advisory_xact_lock($1) AS locked, pg_backend_pid() AS pid',
    [source.lockKey],
  );
  const { locked = false, pid = 0 } = rows[0] ?? {};
  if (!locked)
    return { waitsFor: listed('another instance, which migrates', await holdersOf(observer, source.lockKey)) };
  await createMigrationsTable(client);
  const states = await statesIn(client, source);
  if (states.some(({ migration: { name }, applied }) => name === migration.name && applied !== undefined))
    return 'existing';
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
