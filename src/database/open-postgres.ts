import type { Config } from '../config.ts';
import { detectPooler } from './connection/pooler.ts';
import { migrate, requireMigrated } from './migrations/migrate.ts';

/** The PostgreSQL that a process works with. */
export interface Postgres {
  /** `postgresql://…`; holds a password. */
  readonly url: string;
  /** The same database without a pooler in between, as far as that is known. */
  readonly directUrl: string;
  /** Leaves it; an embedded one stops when the last has left. */
  close(): Promise<void>;
}

type Settings = Pick<Config, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATA_DIR' | 'MIGRATE_ON_START'>;

/**
 * Opens the configured PostgreSQL, or the embedded one when none is configured, and migrates it, or makes sure that it
 * is migrated.
 *
 * @param tell gets sentences for the operator.
 * @param signal when it is aborted, waiting ends.
 * @throws StartupError
 */
export async function openPostgres(
  settings: Settings,
  tell: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<Postgres> {
  const store = await reachStore(settings, tell, signal);
  try {
    if (settings.MIGRATE_ON_START) await migrate(store.directUrl, { signal, tell });
    else await requireMigrated(store.directUrl, signal);
  } catch (problem) {
    await store.close();
    throw problem;
  }
  return store;
}

/** Opens the PostgreSQL as it is, migrated or not. */
export async function reachStore(
  { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR }: Omit<Settings, 'MIGRATE_ON_START'>,
  tell: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<Postgres> {
  if (DATABASE_URL === undefined) {
    const store = await openEmbedded(DATA_DIR, tell);
    return { ...store, directUrl: store.url };
  }
  const url = await detectPooler(DATABASE_URL, signal);
  return { url, directUrl: DATABASE_DIRECT_URL ?? url, close: async () => undefined };
}

/** Loaded only when it is used: with a database of their own, operators never need its binaries. */
async function openEmbedded(dataDir: string, tell: (sentence: string) => void): Promise<Omit<Postgres, 'directUrl'>> {
  const { openEmbeddedDatabase } = await import('./embedded/open.ts');
  return openEmbeddedDatabase({ dataDir, log: tell });
}
