import type { ServerResponse } from 'node:http';
import { ServiceError } from '@service/errors';
import type { AdmissionControl } from '@service/http/admission';
import { networkOf } from '@service/http/rate-limit';
import { whenClosed } from '@service/http/send';
import { createSharedLimit, type SharedLimit } from '@service/postgres/limits';
import type { Request } from 'express';

/** Sign-ins that ask the provider at a time, as many to begin as to finish: anybody may begin one, and others use it, too. */
const askingMax = 12;
/** … of a network: to begin costs no credential, but whoever comes back with a false code is a failed one. */
const beginningOfNetworkMax = 5;
const finishingOfNetworkMax = 8;
/** Sign-ins of a network that wait, as many to begin as to finish: those of a campus may have one address. */
const waitingOfNetworkMax = 1_000;
const beginningPatienceMs = 5_000;
/** Whoever comes back has signed in already: the code is valid for a minute. */
const finishingPatienceMs = 10_000;

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
    begin: shareAmongNetworks(beginningOfNetworkMax, beginningPatienceMs),
    finish: shareAmongNetworks(finishingOfNetworkMax, finishingPatienceMs),
  };
  return (request, response, step, question) =>
    admission.yieldWhile(response, () => shares[step](networkOf(request.ip ?? ''))(question, untilClosed(response)));
}

const shareAmongNetworks = (ofOwnerMax: number, timeoutMs: number): SharedLimit =>
  createSharedLimit(askingMax, {
    ofOwnerMax,
    waitingOfOwnerMax: waitingOfNetworkMax,
    timeoutMs,
    onTimeout: () => new ServiceError('UNAVAILABLE', 'Too many sign-ins ask the provider at once.'),
  });

/** Aborts when the browser has gone: nothing is asked for it, and it takes no place from others. */
function untilClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  whenClosed(response, () => controller.abort(new ServiceError('UNAVAILABLE', 'The browser has gone.')));
  return controller.signal;
}
