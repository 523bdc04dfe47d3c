import type { ServerResponse } from 'node:http';
import { ServiceError } from '../errors.ts';

/**
 * Bounds the requests that are worked on and those that wait, so that a service which is asked for too much answers
 * some at once rather than all too late.
 */
export interface AdmissionControl {
  /**
   * Lets a request in, now or soon; it leaves when its answer is sent, or its client is gone.
   *
   * @throws ServiceError `UNAVAILABLE` when too many wait, it has waited too long, or the service stops.
   */
  acquire(response: ServerResponse): Promise<void>;
  /**
   * Does what depends on the client's pace, such as reading a body: while it lasts, the request counts for nothing.
   *
   * @throws ServiceError as `enter`.
   */
  yieldWhile<Result>(response: ServerResponse, work: () => Promise<Result>): Promise<Result>;
  /** Lets a request out whose answer has begun and may go on for ever, at no cost while nothing is sent. */
  release(response: ServerResponse): void;
  isOpen(): boolean;
  /** From now on nobody is let in; who is in, or waits, may finish. */
  close(): void;
}

interface AdmissionOptions {
  /** How late the event loop is. */
  readonly delayMs: () => number;
  /** Gets the reason of each request that is turned away. */
  readonly rejected?: (reason: 'overloaded' | 'stopping') => void;
}

/** So many keep the pool of connections busy, and a processor too; more would only take turns. */
const concurrentMax = 50;
/** At the pace of even slow requests, who comes behind these would wait longer than `waitMs`. */
const queuedMax = 1_000;
/**
 * Who is let in later than this would rather have been sent away, to ask another instance or later. With the waits for
 * a connection and for a lock (`database/connection/pool.ts`) it makes less than the 3 seconds in which all are answered.
 */
const queueTimeoutMs = 700;
/** When each turn of the event loop takes this long, every request takes several times as long. */
const delayMaxMs = 1_000;
/** With fewer than these inside, the loop is late for another reason, and turning requests away would not help. */
const busyMin = 20;
const retryAfterSeconds = 1;

/** Makes the gate. Nobody is inside. */
export function createAdmissionControl({ delayMs, rejected }: AdmissionOptions): AdmissionControl {
  const inside = new WeakSet<ServerResponse>();
  const waiting = new Map<ServerResponse, () => void>();
  let count = 0;
  let closed = false;

  const overloaded = (): ServiceError => {
    rejected?.('overloaded');
    return new ServiceError('UNAVAILABLE', 'The service is overloaded. Please try again.', { retryAfterSeconds });
  };

  const stopping = (): ServiceError => {
    rejected?.('stopping');
    return new ServiceError('UNAVAILABLE', 'The service is shutting down.', { retryAfterSeconds });
  };

  const admit = (response: ServerResponse): void => {
    count += 1;
    inside.add(response);
  };

  const leave = (response: ServerResponse): void => {
    waiting.delete(response);
    if (!inside.delete(response)) return;
    count -= 1;
    const [next] = waiting.values();
    next?.();
  };

  const wait = (response: ServerResponse): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(response);
        reject(overloaded());
      }, queueTimeoutMs);
      waiting.set(response, () => {
        clearTimeout(timer);
        waiting.delete(response);
        admit(response);
        resolve();
      });
    });

  const pass = async (response: ServerResponse): Promise<void> => {
    // Its client is gone, and nothing would tell us that it leaves.
    if (response.destroyed) return;
    if (count >= busyMin && delayMs() > delayMaxMs) throw overloaded();
    if (count < concurrentMax) admit(response);
    else if (waiting.size < queuedMax) await wait(response);
    else throw overloaded();
  };

  return {
    acquire: async (response) => {
      if (closed) throw stopping();
      response.once('close', () => leave(response));
      await pass(response);
    },
    yieldWhile: async (response, work) => {
      leave(response);
      const result = await work();
      await pass(response);
      return result;
    },
    release: leave,
    isOpen: () => !closed,
    close: () => {
      closed = true;
    },
  };
}
