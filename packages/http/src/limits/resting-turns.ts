import { setImmediate } from 'node:timers/promises';
import { currentTurn } from './turns.ts';

/** Milliseconds that long work rests at a time, at most: some hundred connections are accepted in them. */
const restMs = 50;

let lastWaiting = Number.NEGATIVE_INFINITY;

/** Notes that connections wait in this turn of the event loop to be accepted, or to be read for the first time. */
export function noteWaitingConnections(): void {
  lastWaiting = currentTurn();
}

/**
 * The next turn of the event loop for long work, such as an import. While connections wait, it rests for some turns: Node
 * accepts one connection in each, and thousands, maybe a probe behind them, would wait for as many turns of that work.
 */
export async function restingTurn(): Promise<void> {
  const began = performance.now();
  do await setImmediate();
  while (currentTurn() - lastWaiting <= 1 && performance.now() - began < restMs);
}
