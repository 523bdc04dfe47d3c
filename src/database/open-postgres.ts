import { EmbeddedPostgresError } from '@service/embedded-postgres/errors';
import { StartupError } from '@service/errors';
import { hasAllMigrations, migrate, requireMigrated } from '@service/postgres/migrations/migrate';
import type { Client } from 'pg';
import type { Config } from '../config.ts';
import { detectPooler } from './pooler.ts';

export interface Postgres {
  /** Holds a password. */
  readonly url: string;
  /** Without a pooler (PgBouncer), as far as known. */
  readonly directUrl: string;
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
      isMigrated = await hasAllMigrations(client);
    },
  });
  if (isMigrated) return postgres;
  try {
    if (settings.MIGRATE_ON_START) await migrate(postgres.directUrl, { signal, report });
    else await requireMigrated(postgres.directUrl, signal);
  } catch (problem) {
    await postgres.close();
    throw problem;
  }
  return postgres;
}

interface OpenOptions {
  /** Whether an embedded database is made if there is none. */
  readonly creates?: boolean;
  /** Gets the connection that detects a pooler, if there is one to the direct address: opening another costs more. */
  readonly inspect?: (client: Client) => Promise<void>;
}

export async function openUnmigrated(
  { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR }: Omit<Settings, 'MIGRATE_ON_START'>,
  report: (message: string) => void,
  signal?: AbortSignal,
  { creates = true, inspect }: OpenOptions = {},
): Promise<Postgres> {
  if (DATABASE_URL === undefined) {
    const postgres = await openEmbedded(DATA_DIR, report, creates);
    return { ...postgres, directUrl: postgres.url, isEmbedded: true };
  }
  const url = await detectPooler(DATABASE_URL, {
    signal,
    inspect: DATABASE_DIRECT_URL === undefined ? inspect : undefined,
  });
  return { url, directUrl: DATABASE_DIRECT_URL ?? url, isEmbedded: false, close: async () => undefined };
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

/** Of its database, its role, and for root its user and its folder. */
export const embeddedName = 'academic-structure';

const remedies = {
  NO_DATABASE: 'Start the service once to create it. ',
  OTHER_VERSION: 'See docs/upgrading.md. ',
  UNUSABLE: '',
} as const;
