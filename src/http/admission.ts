import type { ServerResponse } from 'node:http';
import { ServiceError } from '../errors.ts';

/** Admission control and load shedding: under overload it rejects some requests at once, instead of all too late. */
export interface AdmissionControl {
  /** @throws ServiceError `UNAVAILABLE` when the queue is full, the wait times out, or the service is stopping. */
  acquire(response: ServerResponse): Promise<void>;
  /** Does work at the client's pace, such as reading a body, without holding a slot; throws as `acquire`. */
  yieldWhile<Result>(response: ServerResponse, work: () => Promise<Result>): Promise<Result>;
  /** Releases the slot of a streaming response, which may stay open and costs nothing while nothing is sent. */
  release(response: ServerResponse): void;
  isOpen(): boolean;
  close(): void;
}

interface AdmissionOptions {
  readonly delayMs: () => number;
  readonly rejected?: (reason: 'overloaded' | 'stopping') => void;
}

/** Enough to keep the connection pool and a processor busy; more would only take turns. */
const concurrentMax = 50;
/** Behind a longer queue, even at the pace of slow requests, the wait would exceed `queueTimeoutMs`. */
const queuedMax = 1_000;
/** A fast 503 is better than a late response; with the timeouts of `database/connection/pool.ts`, below 3 seconds. */
const queueTimeoutMs = 700;
/** With a longer event-loop delay, every request takes several times as long. */
const delayMaxMs = 1_000;
/** With fewer requests in progress, the delay has another cause, and load shedding would not help. */
const busyMin = 20;
const retryAfterSeconds = 1;

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
    // The client is gone: no `close` event would release the slot.
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
