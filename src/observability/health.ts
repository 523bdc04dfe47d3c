import type { Logger } from 'pino';
import type { Database } from '../database/connection/types.ts';

/** Readiness of the service. */
export interface Readiness {
  /** Why requests cannot be served now, or `null` when they can. */
  problem(): Promise<string | null>;
  /** Reports not ready from now on: the process is stopping. */
  stop(): void;
}

/** Past this, the database counts as unreachable. */
const queryTimeoutMs = 1_500;

/** What there is to say of the database: nothing when all is well. */
type Problem = 'away' | 'read-only' | null;

const sentences = {
  away: 'The database cannot be reached.',
  'read-only': 'The database is read-only: it is a standby.',
} as const;

/**
 * Makes the answer to `/readyz`: no while the process stops, and while the database cannot be reached or is a standby,
 * which takes no writes before it is promoted. The log says when a standby begins and ends.
 */
export function createReadiness(db: Database, log: Logger): Readiness {
  let stopping = false;
  let isStandby = false;
  let asking: Promise<Problem> | undefined;

  const note = (problem: Problem): Problem => {
    if (problem === 'read-only' && !isStandby) {
      log.warn(
        'the database is a read-only standby: writes are rejected until it is promoted, or DATABASE_URL leads to the primary',
      );
    }
    if (problem === null && isStandby) log.info('the database takes writes again');
    if (problem !== 'away') isStandby = problem === 'read-only';
    return problem;
  };

  /** Needs no key: however many requests ask at a time, the database is asked once. */
  const databaseProblem = (): Promise<Problem> => {
    asking ??= askInTime(db)
      .then(note)
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  return {
    problem: async () => {
      if (stopping) return 'The service is shutting down.';
      const problem = await databaseProblem();
      return problem === null ? null : sentences[problem];
    },
    stop: () => {
      stopping = true;
    },
  };
}

async function askInTime(db: Database): Promise<Problem> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Problem>((resolve) => {
    timer = setTimeout(resolve, queryTimeoutMs, 'away');
  });
  const answer = db.$queryRaw<{ standby: boolean }[]>`SELECT pg_is_in_recovery() AS standby`.then(
    ([row]): Problem => (row?.standby === true ? 'read-only' : null),
    (): Problem => 'away',
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
