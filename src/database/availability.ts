import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError, StartupError } from '@service/errors';
import { isOutage, isReadOnly } from '@service/postgres/errors';
import { createSingleFlight } from '@service/single-flight';
import { withoutWaiting } from '@service/telemetry/scrape';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from './types.ts';

/** Enough for a database that starts together with the service; a request could not wait so long. */
const retryForMs = 15_000;
const retryEveryMs = 200;

/** Throws `StartupError` when the database stays unavailable, the signal's reason, and any other error of `work`. */
export async function retryAtStart<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  try {
    return await retryWhileUnavailable(work, retryForMs, signal);
  } catch (cause) {
    throw isOutage(cause) ? new StartupError(reasonFor(cause), { cause }) : cause;
  }
}

/** Does work again while the database is unavailable, or others hold what it waits for. Throws its last error. */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  forMs: number,
  signal?: AbortSignal,
): Promise<Result> {
  const until = performance.now() + forMs;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (!isOutage(cause)) throw cause;
      signal?.throwIfAborted();
      if (performance.now() > until) throw cause;
      await delay(retryEveryMs);
    }
  }
}

function reasonFor(cause: unknown): string {
  return isReadOnly(cause)
    ? 'The database is a read-only standby. Set DATABASE_URL to the address of the primary.'
    : 'The database does not respond in time.';
}

/** A restarting database is usually back after this many seconds. */
const retryAfterSeconds = 2;

/** `UNAVAILABLE` (retryable) for errors of an unavailable database; `undefined` for any other error. */
export function toUnavailableError(error: unknown): ServiceError | undefined {
  if (!isOutage(error)) return undefined;
  return new ServiceError('UNAVAILABLE', 'The service is temporarily unavailable. Please try again.', {
    retryAfterSeconds,
    cause: error,
  });
}

export interface Readiness {
  /** Why requests cannot be served now, or `null` when they can. */
  problem(): Promise<string | null>;
  /** Reports not ready from now on: the process is stopping. */
  stop(): void;
}

const queryTimeoutMs = 1_500;

type Problem = 'unreachable' | 'read-only' | null;

const messages = {
  unreachable: 'The database cannot be reached.',
  'read-only': 'The database is read-only: it is a standby.',
} as const;

/** `/readyz` is not ready during shutdown, and while the database is unreachable or a standby, which rejects writes. */
export function createReadiness(db: Database, log: Logger): Readiness {
  let stopping = false;
  let isStandby = false;
  const share = createSingleFlight<Problem>();

  const logChange = (problem: Problem): Problem => {
    if (problem === 'read-only' && !isStandby) {
      log.warn(
        'the database is a read-only standby: writes are rejected until it is promoted, or DATABASE_URL leads to the primary',
      );
    }
    if (problem === null && isStandby) log.info('the database takes writes again');
    if (problem !== 'unreachable') isStandby = problem === 'read-only';
    return problem;
  };

  /** `/readyz` needs no key, so concurrent requests share one query. */
  const databaseProblem = (): Promise<Problem> => share('database', async () => logChange(await queryWithTimeout(db)));
  return {
    problem: async () => {
      if (stopping) return 'The service is shutting down.';
      const problem = await databaseProblem();
      return problem === null ? null : messages[problem];
    },
    stop: () => {
      stopping = true;
    },
  };
}

/** Adds what `/readyz` says to the metrics: a balancer asks it of each instance, and Prometheus would not hear of it. */
export function observeReadiness(readiness: Pick<Readiness, 'problem'>, registers: Registry[]): void {
  const ready: Gauge = new Gauge({
    name: 'ready',
    help: '1 while /readyz responds 200, 0 while the database is unreachable or a standby, or the service stops.',
    registers,
    collect: withoutWaiting(async () => ready.set((await readiness.problem()) === null ? 1 : 0)),
  });
}

async function queryWithTimeout(db: Database): Promise<Problem> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Problem>((resolve) => {
    timer = setTimeout(resolve, queryTimeoutMs, 'unreachable');
  });
  const result = db.$queryRaw<{ standby: boolean }[]>`SELECT pg_is_in_recovery() AS standby`.then(
    ([row]): Problem => (row?.standby === true ? 'read-only' : null),
    // `read-only`: none of several hosts is the primary.
    (problem): Problem => (isReadOnly(problem) ? 'read-only' : 'unreachable'),
  );
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}

/** Restarts a transaction whose assumptions changed before it began, or while it ran. */
export class TransactionRestart extends ServiceError {
  constructor(code: 'UNAVAILABLE' | 'CONFLICT', message: string) {
    super(code, message, { retryAfterSeconds: 1 });
  }
}
