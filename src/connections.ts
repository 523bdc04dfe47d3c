import { openGroupCommit, type RunInGroupCommit } from '@service/postgres/group-commit';
import type { SharedLimit } from '@service/postgres/limits';
import { missingFixes, readServerSettings } from '@service/postgres/migrations/server-requirements';
import { isPooled } from '@service/postgres/options';
import { openPipelinedPool, openPool, prewarm } from '@service/postgres/pool';
import type { Tracing } from '@service/telemetry/tracing';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type CatalogMonitor, openCatalogMonitor } from './academics/changes/catalog-log.ts';
import {
  logoutPatienceMs,
  type ProviderShares,
  signInPatienceMs,
  waitingSignInsMax,
} from './accounts/sessions/session-writes.ts';
import type { Config } from './config.ts';
import { openPostgres, type Postgres } from './database/open-postgres.ts';
import {
  type LongTransactions,
  oneOfEach,
  openDatabase,
  openLongTransactions,
  shareOfCaller,
  shareWrites,
} from './database/prisma.ts';
import type { Database } from './database/types.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Prints messages for the operator, the first administrator's key included. */
  readonly report: (message: string) => void;
  readonly signal?: AbortSignal;
  /** Gets what leaves the database while all else is still open, for a process that ends at once. */
  readonly onDatabase?: (leave: () => Promise<void>) => void;
  /** Called with every SQL statement; for tests that count them. */
  readonly onStatement?: (sql: string) => void;
}

/** Closers, called once each in reverse order. */
export type Releases = ((noticeMs: number) => Promise<void>)[];

export interface Connections {
  readonly postgres: Pick<Postgres, 'url' | 'directUrl'>;
  readonly pool: Pool;
  readonly db: Database;
  readonly longTransactions: LongTransactions;
  readonly shareWrites: SharedLimit;
  readonly shareOfProvider: ProviderShares;
  readonly runInGroupCommit: RunInGroupCommit;
  readonly changes: CatalogMonitor;
  /** Warm-ups, which end before anything is closed. */
  readonly warmups: Promise<unknown>[];
}

/** Starts or joins the embedded server if there is no `DATABASE_URL`, migrates, and opens the connections. */
export async function openConnections(
  { config, log, report, signal, onDatabase, onStatement }: ServiceOptions,
  tracing: Tracing | undefined,
  opened: Releases,
): Promise<Connections> {
  const postgres = await openPostgres(config, report, signal);
  opened.push(() => postgres.close());
  onDatabase?.(() => postgres.close());
  signal?.throwIfAborted();
  const pool = openPool(postgres.url, { max: config.DATABASE_POOL_SIZE });
  const pipelinedPool = openPipelinedPool(postgres.url, { purpose: 'quick reads' });
  opened.push(() => pipelinedPool.close());
  const alonePool = openPipelinedPool(postgres.url, { purpose: 'keys', connectionCount: 1 });
  opened.push(() => alonePool.close());
  const observed = { ...(onStatement && { onStatement }), ...(tracing && { hook: tracing.statement }) };
  const runInGroupCommit = openGroupCommit({ pool, ...observed, prepares: !isPooled(postgres.url) });
  const db = openDatabase({ url: postgres.url, pool, pipelinedPool, alonePool, ...observed });
  opened.push(() => db.$disconnect());
  const longTransactions = openLongTransactions({ url: postgres.url, ...observed });
  opened.push(() => longTransactions.close());
  const warmups: Promise<unknown>[] = [
    pipelinedPool.prewarm(),
    alonePool.prewarm(),
    prewarm(pool),
    logServer(pool, postgres, log),
  ];
  opened.push(async () => void (await Promise.all(warmups)));
  const changes = await openCatalogMonitor(postgres.directUrl, (message) => log.warn(message));
  opened.push(() => changes.close());
  const limits = { shareWrites: shareWrites(pool), shareOfProvider: providerShares(pool) };
  return { postgres, pool, db, longTransactions, ...limits, runInGroupCommit, changes, warmups };
}

const providerShares = (pool: Pool): ProviderShares => ({
  signInsOfPerson: oneOfEach({ timeoutMs: signInPatienceMs, waitingOfOwnerMax: waitingSignInsMax }),
  signIns: shareOfCaller(pool, { timeoutMs: signInPatienceMs }),
  logouts: shareOfCaller(pool, { ofOwnerMax: 1, timeoutMs: logoutPatienceMs }),
});

/**
 * Logs the server of the database. Only `check` reports an outdated embedded one, as an operator cannot update it.
 * Never rejects.
 */
async function logServer(pool: Pool, { isEmbedded }: Postgres, log: Logger): Promise<void> {
  const settings = await readServerSettings(pool).catch(() => undefined);
  if (settings === undefined) return;
  const missing = isEmbedded ? undefined : missingFixes(settings);
  if (missing === undefined) log.info(`PostgreSQL ${settings.version}`);
  else log.warn(missing);
}
