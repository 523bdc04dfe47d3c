import { randomUUID } from 'node:crypto';
import type { AdmissionControl } from '@service/http/admission';
import { networkOf } from '@service/http/rate-limit';
import type { Limit, SharedLimit } from '@service/postgres/limits';
import type { Request, Response } from 'express';
import { retryWhileUnavailable } from '../../database/availability.ts';
import { takeTurn } from '../../database/locks.ts';
import type { ChangeMonitor, Database, Transaction } from '../../database/types.ts';
import type { RequestOrigin } from './end-sessions.ts';

/** How long a sign-in that the provider has confirmed waits for a connection: its code is spent, and a campus signs in at once. */
export const signInPatienceMs = 10_000;
/** … and a logout, which is not sent again. */
export const logoutPatienceMs = 5_000;
/** How long both wait for what others hold. */
const retriedForMs = 5_000;

/** Sign-ins of one person that wait for each other: those of their browsers, which begin five each. */
export const waitingSignInsMax = 10;

/** Turns of what the provider has confirmed: sign-ins and logouts have connections each. */
export interface ProviderShares {
  /** One at a time, so that none takes connections of others. */
  readonly signInsOfPerson: SharedLimit;
  /** Connections, in turns of networks: nobody waits for all people of another. */
  readonly signIns: SharedLimit;
  /** Connections, of which each person has one. However many wait: none is sent again. */
  readonly logouts: SharedLimit;
}

/** What the provider calls somebody. */
type Person = readonly unknown[];

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
  /** All wait without a slot, which others need meanwhile. */
  const confirmed = <Result>(
    request: Request,
    response: Response,
    limit: Limit,
    work: Work<Result>,
  ): Promise<Result> => {
    admission.release(response);
    return write(request, (origin) =>
      limit(() => retryWhileUnavailable(() => db.$transaction((tx) => work(tx, origin)), retriedForMs)),
    );
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
    /** For a person of the provider, in the turn of their network: others do not wait for theirs. */
    ofSignIn: <Result>(request: Request, response: Response, person: Person, work: Work<Result>): Promise<Result> => {
      const ofPerson = shareOfProvider.signInsOfPerson(JSON.stringify(person));
      const ofNetwork = shareOfProvider.signIns(networkOf(request.ip ?? ''));
      return confirmed(request, response, (run) => ofPerson(() => ofNetwork(run)), work);
    },
    /** For the provider, in the turn of a person: others do not wait for theirs, nor for sign-ins. */
    ofLogout: (request: Request, response: Response, person: Person, work: Work<void>): Promise<void> =>
      confirmed(request, response, shareOfProvider.logouts(JSON.stringify(person)), work),
  };
}
