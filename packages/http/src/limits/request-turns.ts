import type { IncomingMessage, RequestListener } from 'node:http';
import { createByteBudget } from '../bodies/byte-budget.ts';
import { joinSmallParts } from '../bodies/small-parts.ts';
import { areAcceptedFirst } from './accepting.ts';
import { networkOf } from './rate-limit.ts';
import { createTurns } from './turns.ts';

/** Requests that begin, or whose bodies end, in one turn: most work for less than a millisecond before they wait. */
const requestsPerTurn = 32;
/** Milliseconds after which no more of them begin in it: to parse and check a GraphQL document may take ten. */
const turnMs = 30;
/** Bytes of bodies that have arrived with requests that wait for their turns. */
const waitingBytesMax = 64_000_000;
/** Node reads so much of a body together with the headers, and no more before the request is handled. */
const readAtOnceBytes = 65_536;

/** Urgent requests that begin in one turn: most take a fraction of a millisecond. */
const urgentPerTurn = 32;

const turnFor = createTurns(requestsPerTurn, turnMs, areAcceptedFirst);
const urgentTurnFor = createTurns(urgentPerTurn);

const ownerOf = ({ socket }: IncomingMessage): string => networkOf(socket.remoteAddress ?? '');

/** Waits, if necessary, until a request may go on: one of each network after the other. */
export const turnToGoOn = (request: IncomingMessage): Promise<void> | undefined => turnFor(1, () => ownerOf(request));

/** Goes on with a request at once or in a later turn of the event loop, likewise. */
export function inTurn(request: IncomingMessage, goOn: () => void): void {
  const turn = turnToGoOn(request);
  if (turn === undefined) goOn();
  else void turn.then(goOn);
}

/**
 * Handles requests that arrive together in turns of the event loop, one of each network after the other. Urgent ones wait
 * for their like alone, however many others there are. Those that have waited longest are disconnected when their bodies
 * take too much memory.
 */
export function requestsInTurns(
  handler: RequestListener,
  isUrgent: (request: IncomingMessage) => boolean,
): RequestListener {
  const waiting = createByteBudget(waitingBytesMax);
  return (request, response) => {
    if (request.headers['transfer-encoding'] !== undefined) joinSmallParts(request);
    const turnOf = isUrgent(request) ? urgentTurnFor : turnFor;
    const turn = turnOf(1, () => ownerOf(request));
    if (turn === undefined) {
      handler(request, response);
      return;
    }
    const held = waiting.hold(() => request.socket.destroy());
    held.set(bytesRead(request));
    void turn.then(() => {
      held.release();
      if (!response.destroyed) handler(request, response);
    });
  };
}

function bytesRead({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return readAtOnceBytes;
  return Math.min(Number(headers['content-length'] ?? 0), readAtOnceBytes);
}
