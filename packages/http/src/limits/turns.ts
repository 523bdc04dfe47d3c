/** Waits, if necessary, until work may run; `undefined` when it may run now. */
type Turns = (amount: number) => Promise<void> | undefined;

interface Waiting {
  readonly amount: number;
  readonly proceed: () => void;
}

/**
 * Divides work among turns of the event loop, in the order of the calls; a greater amount gets a turn of its own.
 * Each waiting call is woken once: to wake thousands at every turn would take longer than their work.
 */
export function createTurns(amountMax: number): Turns {
  const queue: Waiting[] = [];
  let amountInTurn = 0;
  let scheduled = false;

  const fits = (amount: number): boolean => amountInTurn === 0 || amountInTurn + amount <= amountMax;

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(startTurn);
  };

  const startTurn = (): void => {
    scheduled = false;
    amountInTurn = 0;
    for (let next = queue[0]; next !== undefined && fits(next.amount); next = queue[0]) {
      queue.shift();
      amountInTurn += next.amount;
      next.proceed();
    }
    if (amountInTurn > 0) schedule();
  };

  return (amount) => {
    if (queue.length > 0 || !fits(amount)) {
      schedule();
      return new Promise((proceed) => queue.push({ amount, proceed }));
    }
    amountInTurn += amount;
    // To know of the end of a turn takes another round of the event loop: of few, that would be a part of their work.
    if (2 * amountInTurn > amountMax) schedule();
    return undefined;
  };
}
