/**
 * Connections that are accepted in a millisecond before requests begin in what is left of it. Node accepts one in each turn of
 * the event loop: with turns of fifty milliseconds, the last of a thousand would wait for a minute.
 */
const acceptedPerMs = 4;

let began = 0;
let accepted = 0;

/** Notes that a connection was accepted, and that more may wait. */
export function noteAccepted(): void {
  if (accepted === 0) began = performance.now();
  accepted += 1;
}

/** Notes that none waits, or that it is the turn of those that have been accepted. */
export function endAccepting(): void {
  accepted = 0;
}

/** Whether connections are accepted before requests begin. */
export const areAcceptedFirst = (): boolean => accepted > 0 && acceptedPerMs * (performance.now() - began) > accepted;
