import { EmbeddedPostgresError } from '@service/embedded-postgres/errors';
import { StartupError } from '@service/errors';
import { withExplicitTls } from '@service/postgres/address';
import { type ConnectOptions, withConnection } from '@service/postgres/connection';
import {
  type MigrationSource,
  type MigrationState,
  migrate,
  migrationStates,
  pendingMigrations,
} from '@service/postgres/migrations/migrate';
import { connectMs, poolerParameter, withSessionName } from '@service/postgres/options';
import { configureSession } from '@service/postgres/session';
import type { Secrets } from '@service/telemetry/log';
import type { Client } from 'pg';
import { parse } from 'pg-connection-string';
import type { Config } from '../config.ts';
import { cliCommand, packageFolder } from '../installation.ts';
import { advisoryLocks } from './locks.ts';

export interface Postgres {
  /** Holds a password. */
  readonly url: string;
  /** Leads past a pooler (PgBouncer), where such an address is known. */
  readonly directUrl: string;
  /** The variable of `directUrl`, for messages. */
  readonly directVariable: 'DATABASE_URL' | 'DATABASE_DIRECT_URL';
  readonly isEmbedded: boolean;
  /** Releases it; an embedded server stops when the last process has released it. */
  close(): Promise<void>;
}

type Settings = Pick<Config, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATA_DIR' | 'MIGRATE_ON_START'>;

/** Opens the configured PostgreSQL or the embedded one; applies or requires migrations. Throws `StartupError`. */
export async function openPostgres(
  settings: Settings,
  report: (message: string) => void,
  signal?: AbortSignal,
): Promise<Postgres> {
  let isMigrated = false;
  const postgres = await openUnmigrated(settings, report, signal, {
    inspect: async (client) => {
      isMigrated = (await pendingMigrations(client, migrations)).length === 0;
    },
  });
  if (isMigrated) return postgres;
  try {
    if (settings.MIGRATE_ON_START) await applyMigrations(postgres, { signal, report });
    else await requireMigrated(postgres, signal);
  } catch (problem) {
    await postgres.close();
    throw problem;
  }
  return postgres;
}

/** Applies pending migrations; returns their names. Throws `StartupError`. */
export function applyMigrations(
  { directUrl, directVariable }: Postgres,
  options: Pick<ConnectOptions, 'signal'> & { readonly report: (message: string) => void },
): Promise<string[]> {
  return migrate(directUrl, migrations, { ...options, advice: adviceOn(directVariable) });
}

/** Returns each migration, and when the database got it. Read-only; throws `StartupError`. */
export function readMigrationStates(
  { directUrl, directVariable }: Postgres,
  signal: AbortSignal,
): Promise<MigrationState[]> {
  return migrationStates(directUrl, migrations, { signal, advice: adviceOn(directVariable) });
}

/** Read-only. */
async function requireMigrated({ directUrl, directVariable }: Postgres, signal?: AbortSignal): Promise<void> {
  const pending = await withStartupConnection(directUrl, (client) => pendingMigrations(client, migrations), {
    signal,
    variable: directVariable,
  });
  if (pending.length === 0) return;
  throw new StartupError(
    `The database lacks the migrations ${pending.map(({ name }) => name).join(', ')}, and MIGRATE_ON_START is false: run ${cliCommand} migrate.`,
  );
}

interface OpenOptions {
  /** Whether an embedded database is made if there is none. */
  readonly creates?: boolean;
  /** Gets the connection that detects a pooler, if there is one to the direct address: opening another costs more. */
  readonly inspect?: (client: Client) => Promise<void>;
}

/** Opens the database of `DATABASE_URL`, or the embedded one, without migrations. @throws StartupError */
export async function openUnmigrated(
  { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR }: Omit<Settings, 'MIGRATE_ON_START'>,
  report: (message: string) => void,
  signal?: AbortSignal,
  { creates = true, inspect }: OpenOptions = {},
): Promise<Postgres> {
  if (DATABASE_URL === undefined) {
    const { url: address, close } = await openEmbedded(DATA_DIR, report, creates);
    const url = withSessionName(address, sessionName);
    return { url, directUrl: url, directVariable: 'DATABASE_URL', isEmbedded: true, close };
  }
  const url = await detectPooler(withSessionName(DATABASE_URL, sessionName), {
    signal,
    inspect: DATABASE_DIRECT_URL === undefined ? inspect : undefined,
  });
  const shared = { url, isEmbedded: false, close: async () => undefined };
  if (DATABASE_DIRECT_URL === undefined) return { ...shared, directUrl: url, directVariable: 'DATABASE_URL' };
  const directUrl = withSessionName(DATABASE_DIRECT_URL, sessionName);
  return { ...shared, directUrl, directVariable: 'DATABASE_DIRECT_URL' };
}

/** Imported on demand: with `DATABASE_URL`, its binaries are never needed. */
async function openEmbedded(
  dataDir: string,
  report: (message: string) => void,
  creates: boolean,
): Promise<Pick<Postgres, 'url' | 'close'>> {
  const { openEmbeddedDatabase } = await import('@service/embedded-postgres');
  try {
    return await openEmbeddedDatabase({ name: embeddedName, dataDir, log: report, creates });
  } catch (problem) {
    if (!(problem instanceof EmbeddedPostgresError)) throw problem;
    throw new StartupError(
      `The embedded database cannot be used. ${problem.message} ${remedies[problem.code]}` +
        'Set DATABASE_URL to the address of a PostgreSQL server to do without it.',
    );
  }
}

/** Names the service's sessions in `pg_stat_activity`. */
const sessionName = 'academic-structure-service';

/** Names the embedded database, its role, and for root its user and folder. */
export const embeddedName = 'academic-structure';

const remedies = {
  NO_DATABASE: 'Start the service once to create it. ',
  OTHER_VERSION: 'See docs/upgrading.md. ',
  UNUSABLE: '',
} as const;

const adviceOn = (variable: Postgres['directVariable']): string => `Check ${variable}.`;

interface StartupConnectionOptions extends Pick<ConnectOptions, 'signal'> {
  /** The variable of the address; `DATABASE_URL` by default. */
  readonly variable?: Postgres['directVariable'];
}

/** Outside the pool, for startup tasks; an abort closes it. Throws `StartupError` when there is no connection. */
export function withStartupConnection<Result>(
  databaseUrl: string,
  work: (client: Client) => Promise<Result>,
  { signal, variable = 'DATABASE_URL' }: StartupConnectionOptions = {},
): Promise<Result> {
  return withConnection(databaseUrl, work, { signal, advice: adviceOn(variable) });
}

interface DetectOptions {
  readonly signal?: AbortSignal | undefined;
  /** Gets the connection, if one is opened. */
  readonly inspect?: ((client: Client) => Promise<void>) | undefined;
}

/** A pooler's cancellation keys have other process IDs than PostgreSQL's backends. Throws `StartupError`. */
async function detectPooler(databaseUrl: string, { signal, inspect }: DetectOptions = {}): Promise<string> {
  const address = new URL(databaseUrl);
  if (address.searchParams.has(poolerParameter)) return databaseUrl;
  address.searchParams.set(poolerParameter, 'true');
  // Assumes a pooler until it is known, without settings of the session: they would reach its other clients.
  const isDirect = await withStartupConnection(
    address.href,
    async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const isDirect = rows[0]?.pid === Reflect.get(client, 'processID');
      if (isDirect) await configureSession(client, [], connectMs);
      await inspect?.(client);
      return isDirect;
    },
    { signal },
  );
  return isDirect ? databaseUrl : address.href;
}

export const migrations: MigrationSource = {
  folder: new URL('prisma/migrations/', packageFolder),
  lockKey: advisoryLocks.migration,
  extensions: ['pg_trgm'],
  otherVersionAdvice:
    'Export the catalog with the version that made it, and import it here into a new database: docs/upgrading.md.',
};

/**
 * Texts that the log may not contain: addresses of the database and their parts. Names of users and databases are
 * common words, and are removed only as whole words.
 */
export function secretsOf({ DATABASE_URL, DATABASE_DIRECT_URL }: Partial<Settings>): Secrets {
  const parts = [DATABASE_URL, DATABASE_DIRECT_URL].flatMap((address) =>
    address === undefined ? [] : partsOf(address),
  );
  return {
    secrets: parts.flatMap(({ secrets }) => secrets),
    secretNames: parts.flatMap(({ secretNames }) => secretNames),
  };
}

function partsOf(databaseUrl: string): Required<Secrets> {
  const { host, hostname, password, username, pathname } = new URL(databaseUrl);
  const parsed = parse(withExplicitTls(databaseUrl));
  const database = pathname.slice(1);
  // A directory of sockets is no address.
  const hosts = (parsed.host ?? '').split(',').filter((name) => !name.startsWith('/'));
  return {
    secrets: given(databaseUrl, password, parsed.password, host, hostname, ...hosts),
    secretNames: given(username, parsed.user, database, parsed.database, decodeURIComponent(database)),
  };
}

const given = (...parts: readonly (string | null | undefined)[]): string[] => parts.flatMap((part) => part || []);
