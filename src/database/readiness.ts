import { isReadOnly } from '@service/postgres/errors';
import { createSingleFlight } from '@service/single-flight';
import type { Logger } from 'pino';
import type { Database } from './types.ts';

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

async function queryWithTimeout(db: Database): Promise<Problem> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Problem>((resolve) => {
    timer = setTimeout(resolve, queryTimeoutMs, 'unreachable');
  });
  const result = db.$queryRaw<{ standby: boolean }[]>`SELECT pg_is_in_recovery() AS standby`.then(
    ([row]): Problem => (row?.standby === true ? 'read-only' : null),
    // Of several hosts, none is the primary.
    (problem): Problem => (isReadOnly(problem) ? 'read-only' : 'unreachable'),
  );
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}
