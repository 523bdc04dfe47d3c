import { performance } from 'node:perf_hooks';

/** Waits, if necessary, until work may run; `undefined` when it may run now. Only who waits is asked for an owner. */
type Turns = (amount: number, ownerOf?: () => string) => Promise<void> | undefined;

interface Waiting {
  readonly amount: number;
  readonly proceed: () => void;
}

/** Counts the turns of the event loop. */
export const currentTurn = (): number => performance.nodeTiming.uvMetricsInfo.loopCount;

/**
 * Divides work among turns of the event loop, one piece of each owner after the other, in the order of the calls of each;
 * a greater amount gets a turn of its own. After `msMax`, no more work begins in a turn, whatever its amount: that of some
 * is longer than that of others. Each waiting call is woken once: to wake thousands at every turn would take longer than
 * their work. Work waits while others come first.
 */
export function createTurns(
  amountMax: number,
  msMax = Number.POSITIVE_INFINITY,
  othersComeFirst: () => boolean = () => false,
): Turns {
  /** By owner; whose turn is next comes first. */
  const queues = new Map<string, Waiting[]>();
  let amountInTurn = 0;
  let scheduled = false;
  let turn = -1;
  let beganMs = 0;

  const isOver = (): boolean =>
    msMax !== Number.POSITIVE_INFINITY && turn === currentTurn() && performance.now() - beganMs > msMax;
  const fits = (amount: number): boolean =>
    !othersComeFirst() && (amountInTurn === 0 || amountInTurn + amount <= amountMax) && !isOver();

  const begin = (amount: number): void => {
    amountInTurn += amount;
    if (msMax === Number.POSITIVE_INFINITY || turn === currentTurn()) return;
    turn = currentTurn();
    beganMs = performance.now();
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(startTurn);
  };

  const startTurn = (): void => {
    scheduled = false;
    amountInTurn = 0;
    wakeNext();
  };

  const wakeNext = (): void => {
    const [owner, queue] = queues.entries().next().value ?? ['', []];
    const [next] = queue;
    if (next === undefined || !fits(next.amount)) {
      if (next !== undefined || amountInTurn > 0) schedule();
      return;
    }
    queue.shift();
    queues.delete(owner);
    if (queue.length > 0) queues.set(owner, queue);
    begin(next.amount);
    next.proceed();
    // When what goes on has come to its next wait.
    queueMicrotask(() => process.nextTick(wakeNext));
  };

  return (amount, ownerOf = nobody) => {
    if (queues.size > 0 || !fits(amount)) {
      schedule();
      const owner = ownerOf();
      const queue = queues.get(owner) ?? [];
      queues.set(owner, queue);
      return new Promise((proceed) => queue.push({ amount, proceed }));
    }
    begin(amount);
    // To know of the end of a turn takes another round of the event loop: of few, that would be a part of their work.
    if (2 * amountInTurn > amountMax) schedule();
    return undefined;
  };
}

const nobody = (): string => '';
