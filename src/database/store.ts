import type { Config } from '../config.ts';
import { migrate } from './migrate.ts';

/** The PostgreSQL that a process works with, up to date. */
export interface Store {
  /** `postgresql://…`; holds a password. */
  readonly url: string;
  /** Leaves it; an embedded one stops when the last has left. */
  close(): Promise<void>;
}

/**
 * Opens the configured PostgreSQL, or the embedded one when none is configured, and migrates it.
 *
 * @param tell gets sentences for the operator.
 * @param signal when it is aborted, waiting ends.
 * @throws StartupError
 */
export async function openStore(
  { DATABASE_URL, DATA_DIR }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  tell: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<Store> {
  const store =
    DATABASE_URL === undefined
      ? await openEmbedded(DATA_DIR, tell)
      : { url: DATABASE_URL, close: async () => undefined };
  try {
    await migrate(store.url, signal);
  } catch (problem) {
    await store.close();
    throw problem;
  }
  return store;
}

/** Loaded only when it is used: with a database of their own, operators never need its binaries. */
async function openEmbedded(dataDir: string, tell: (sentence: string) => void): Promise<Store> {
  const { openEmbeddedDatabase } = await import('./embedded.ts');
  return openEmbeddedDatabase({ dataDir, log: tell });
}
