import type { ServerResponse } from 'node:http';
import { ServiceError } from '@service/errors';
import type { AdmissionControl } from '@service/http/admission';
import { networkOf } from '@service/http/rate-limit';
import { whenClosed } from '@service/http/send';
import { createSharedLimit, type Limit, type SharedLimit } from '@service/postgres/limits';
import type { Request } from 'express';

/** Sign-ins that ask the provider at a time, as many to begin as to finish: anybody may begin one, and others use it, too. */
const askingMax = 12;
/** … of a network: to begin costs no credential, but whoever comes back with a false code is a failed one. */
const beginningOfNetworkMax = 5;
const finishingOfNetworkMax = 8;
/** Sign-ins of a network that wait, as many to begin as to finish, and logouts: those of a campus may have one address. */
const waitingOfNetworkMax = 1_000;
/** They hold nothing meanwhile, and the code of whoever comes back is valid for a minute. */
const patienceMs = 10_000;

/** Logout tokens whose signature is verified at a time: anybody may send one, and threads verify as many at once. */
const verifyingMax = 4;
/** … of a network. */
const verifyingOfNetworkMax = 2;
const verifyingPatienceMs = 5_000;

type Step = 'begin' | 'finish';

type AskInTurn = <Result>(
  request: Pick<Request, 'ip'>,
  response: ServerResponse,
  step: Step,
  question: () => Promise<Result>,
) => Promise<Result>;

/**
 * Asks the provider in the turn of the network, without a slot, as it may take seconds. Whoever has signed in there does
 * not wait for those that begin. Throws `UNAVAILABLE` without a turn in time.
 */
export function createProviderTurns(admission: Pick<AdmissionControl, 'yieldWhile'>): AskInTurn {
  const shares: Readonly<Record<Step, SharedLimit>> = {
    begin: shareAmongNetworks(askingMax, beginningOfNetworkMax, patienceMs),
    finish: shareAmongNetworks(askingMax, finishingOfNetworkMax, patienceMs),
  };
  return (request, response, step, question) =>
    admission.yieldWhile(response, () => shares[step](networkOf(request.ip ?? ''))(question, untilClosed(response)));
}

/**
 * The turns in which signatures of logout tokens are verified; whoever sent one and has gone is waited for, too. Throws
 * `UNAVAILABLE` without a turn in time.
 */
export function createLogoutTurns(): (request: Pick<Request, 'ip'>) => Limit {
  const share = shareAmongNetworks(verifyingMax, verifyingOfNetworkMax, verifyingPatienceMs);
  return ({ ip = '' }) => share(networkOf(ip));
}

const tooMany = (): ServiceError =>
  new ServiceError('UNAVAILABLE', 'Too many sign-ins or logouts of the provider come at once.', {
    retryAfterSeconds: 1,
  });

const shareAmongNetworks = (max: number, ofOwnerMax: number, timeoutMs: number): SharedLimit =>
  createSharedLimit(max, {
    ofOwnerMax,
    waitingOfOwnerMax: waitingOfNetworkMax,
    timeoutMs,
    onTimeout: tooMany,
  });

/** Aborts when the browser has gone: nothing is asked for it, and it takes no place from others. */
function untilClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  whenClosed(response, () => controller.abort(new ServiceError('UNAVAILABLE', 'The browser has gone.')));
  return controller.signal;
}
