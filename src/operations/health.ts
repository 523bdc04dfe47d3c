import type { Database } from '../database/client.ts';

/** Answers whether the service can do its work. */
export interface Readiness {
  /** Why requests cannot be served now, or `null` when they can. */
  problem(): Promise<string | null>;
  /** From now on the answer is no: the process is stopping. */
  stop(): void;
}

/** A database that does not answer in this time does not answer. */
const patienceMs = 1_500;

/** Makes the answer to `/readyz`: no while the process stops or the database cannot be reached. */
export function createReadiness(db: Database): Readiness {
  let stopping = false;
  let asking: Promise<boolean> | undefined;
  /** Needs no key: however many ask at a time, the database is asked once. */
  const databaseAnswers = (): Promise<boolean> => {
    asking ??= answersInTime(db).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    problem: async () => {
      if (stopping) return 'The service is shutting down.';
      return (await databaseAnswers()) ? null : 'The database cannot be reached.';
    },
    stop: () => {
      stopping = true;
    },
  };
}

async function answersInTime(db: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, patienceMs, false);
  });
  const answer = db.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
