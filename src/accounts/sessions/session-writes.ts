import { randomUUID } from 'node:crypto';
import type { AdmissionControl } from '@service/http/admission';
import type { SharedLimit } from '@service/postgres/limits';
import type { Request, Response } from 'express';
import { retryWhileUnavailable } from '../../database/availability.ts';
import { takeTurn } from '../../database/locks.ts';
import type { ChangeMonitor, Database, Transaction } from '../../database/types.ts';
import type { RequestOrigin } from './end-sessions.ts';

/** How long what the provider has confirmed waits for a connection, and for what others hold: its code is spent, or its logout not sent again. */
export const providerPatienceMs = 5_000;

/** Sign-ins of one person that wait for each other: those of their browsers, which begin five each. */
export const waitingSignInsMax = 10;

/** Connections for what the provider has confirmed, which people share: each has one, so that none takes those of others. */
export interface ProviderShares {
  readonly signIns: SharedLimit;
  /** However many wait: none is sent again. */
  readonly logouts: SharedLimit;
}

interface ProviderTurn {
  readonly share: keyof ProviderShares;
  /** What the provider calls them. */
  readonly person: readonly unknown[];
}

interface Options {
  readonly db: Database;
  readonly changes: Pick<ChangeMonitor, 'bump'>;
  readonly admission: Pick<AdmissionControl, 'release'>;
  readonly shareWrites: SharedLimit;
  readonly shareOfProvider: ProviderShares;
}

type Work<Result> = (tx: Transaction, origin: RequestOrigin) => Promise<Result>;

export type SessionWrites = ReturnType<typeof createSessionWrites>;

/** Writes of sessions, each in a transaction of its own. */
export function createSessionWrites({ db, changes, admission, shareWrites, shareOfProvider }: Options) {
  const write = async <Result>(request: Request, run: (origin: RequestOrigin) => Promise<Result>): Promise<Result> => {
    const result = await run({ requestId: request.id, changeId: randomUUID() });
    changes.bump('access');
    request.hasWritten = true;
    return result;
  };
  return {
    /** For a caller, in the turn of their account. */
    ofAccount: <Result>(request: Request, account: string, work: Work<Result>): Promise<Result> =>
      write(request, (origin) =>
        shareWrites(account)(() =>
          db.$transaction(async (tx) => {
            await takeTurn(tx, account);
            return work(tx, origin);
          }),
        ),
      ),
    /**
     * For a person of the provider, in their turn: others do not wait for it, nor logouts for sign-ins. All wait without a
     * slot, which others need meanwhile.
     */
    ofProvider: <Result>(
      request: Request,
      response: Response,
      { share, person }: ProviderTurn,
      work: Work<Result>,
    ): Promise<Result> => {
      admission.release(response);
      return write(request, (origin) =>
        shareOfProvider[share](JSON.stringify(person))(() =>
          retryWhileUnavailable(() => db.$transaction((tx) => work(tx, origin)), providerPatienceMs),
        ),
      );
    },
  };
}
