import type { ServerResponse } from 'node:http';
import { ServiceError } from '@service/errors';
import { turnToGoOn } from './request-turns.ts';

/** Admission control and load shedding: under overload it rejects some requests at once, instead of all too late. */
export interface AdmissionControl {
  /** Does nothing for a response that has a slot. @throws ServiceError `UNAVAILABLE` when the queue is full, the wait times out, or the service is stopping. */
  acquire(response: ServerResponse): Promise<void>;
  /** Counts the slot for its owner: whoever has a share of all waits without a slot. Throws as `acquire`. */
  assign(response: ServerResponse, owner: string): Promise<void>;
  /** Acquires a slot for an owner if `acquire` and `assign` would not wait or throw. */
  tryAcquire(response: ServerResponse, owner: string): boolean;
  /** Does work at the client's pace, such as reading a body, without holding a slot; throws as `acquire`. */
  yieldWhile<Result>(response: ServerResponse, work: () => Promise<Result>): Promise<Result>;
  /** Holds the slot until it is called back, even if the client disconnects: in the database its work goes on. */
  hold(response: ServerResponse): () => void;
  /** Releases the slot of a streaming response, which may stay open and costs nothing while nothing is sent. */
  release(response: ServerResponse): void;
  isOpen(): boolean;
  close(): void;
}

interface AdmissionOptions {
  readonly delayMs: () => number;
  readonly rejected?: (reason: 'overloaded' | 'stopping') => void;
}

interface Slot {
  readonly response: ServerResponse;
  /** Time of the acquisition (`performance.now()`). */
  readonly acquiredAt: number;
  /** Number of pieces of work that hold it. */
  holders: number;
  /** Undefined until it is known. */
  owner: string | undefined;
}

interface Waiting {
  readonly owner: string | undefined;
  readonly proceed: () => void;
}

/** Enough to keep the connection pool and a processor busy; more would only take turns. */
const concurrentMax = 50;
/**
 * Slots of one caller for each that is free: alone it may have 40, of two each 22. So callers leave some to others, however
 * many requests they send, and however long these take ("dynamic thresholds", Choudhury and Hahne).
 */
const slotsPerFree = 4;
/** A longer queue would wait for more than `queueTimeoutMs`, even at the pace of slow requests. */
const queuedMax = 1_000;
/** A fast 503 is better than a late response; with the timeouts of a connection pool, a few seconds in all. */
const queueTimeoutMs = 700;
/** Every request takes several times as long over this delay of the event loop. */
const delayMaxMs = 1_000;
/** The delay has another cause when fewer requests are in progress, so load shedding would not help. */
const busyMin = 20;
/** Bytes of written responses without a slot, which their clients have yet to read. */
const unreadBytesMax = 64_000_000;
/** Clients that read for longer are disconnected when others need their slots. */
const readTimeoutMs = 10_000;
const retryAfterSeconds = 1;

/** Slots for requests, and a queue for those that find none; the delay of the event loop sheds load. */
export function createAdmissionControl({ delayMs, rejected }: AdmissionOptions): AdmissionControl {
  /**
   * No map: of one that grows and shrinks all the time, V8 chains the discarded tables, whose responses outlive the
   * collections of young objects: a quarter of a read's processor time.
   */
  const slots: Slot[] = [];
  const queue = new Map<ServerResponse, Waiting>();
  /** Slots and queue places by owner. */
  const admittedOf = new Map<string | undefined, number>();
  const queuedOf = new Map<string | undefined, number>();
  let unreadBytes = 0;
  let closed = false;

  const overloaded = (): ServiceError => {
    rejected?.('overloaded');
    return new ServiceError('UNAVAILABLE', 'The service is overloaded. Please try again.', { retryAfterSeconds });
  };

  const stopping = (): ServiceError => {
    rejected?.('stopping');
    return new ServiceError('UNAVAILABLE', 'The service is shutting down.', { retryAfterSeconds });
  };

  const hasShare = (owner: string | undefined): boolean => {
    const admitted = admittedOf.get(owner) ?? 0;
    return admitted === 0 || admitted < slotsPerFree * (concurrentMax - slots.length);
  };
  const mayAdmit = (owner: string | undefined): boolean => slots.length < concurrentMax && hasShare(owner);

  const admit = (response: ServerResponse, owner: string | undefined): void => {
    slots.push({ response, acquiredAt: performance.now(), holders: 0, owner });
    count(admittedOf, owner, 1);
  };

  const slotOf = (response: ServerResponse): Slot | undefined => slots.find((slot) => slot.response === response);

  const leaveQueue = (response: ServerResponse): void => {
    const waiting = queue.get(response);
    if (waiting === undefined) return;
    queue.delete(response);
    count(queuedOf, waiting.owner, -1);
  };

  const release = (response: ServerResponse): void => {
    leaveQueue(response);
    const slot = slotOf(response);
    if (slot === undefined) return;
    slots.splice(slots.indexOf(slot), 1);
    count(admittedOf, slot.owner, -1);
    for (const { owner, proceed } of queue.values()) {
      if (mayAdmit(owner)) {
        proceed();
        return;
      }
    }
  };

  const releaseUnlessHeld = (response: ServerResponse): void => {
    if ((slotOf(response)?.holders ?? 0) === 0) release(response);
  };

  /** Releases the slots of responses that are written and only wait for their clients to read them. */
  const reclaim = (): void => {
    for (const { response, acquiredAt, holders } of [...slots]) {
      if (holders > 0 || !response.headersSent) continue;
      const bytes = response.writableLength;
      if (unreadBytes + bytes <= unreadBytesMax) {
        unreadBytes += bytes;
        response.once('close', () => {
          unreadBytes -= bytes;
        });
        release(response);
      } else if (performance.now() - acquiredAt > readTimeoutMs) response.destroy();
    }
  };

  const wait = (response: ServerResponse, owner: string | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        leaveQueue(response);
        reject(overloaded());
      }, queueTimeoutMs);
      const proceed = (): void => {
        clearTimeout(timer);
        leaveQueue(response);
        admit(response, owner);
        resolve();
      };
      queue.set(response, { owner, proceed });
      count(queuedOf, owner, 1);
    });

  const isSlow = (): boolean => slots.length >= busyMin && delayMs() > delayMaxMs;
  /** A caller has no more places than are free. */
  const isQueueFull = (owner: string | undefined): boolean => (queuedOf.get(owner) ?? 0) >= queuedMax - queue.size;

  /** Frees the slot once the response is closed and nothing holds it. */
  const follow = (response: ServerResponse): void => void response.once('close', () => releaseUnlessHeld(response));

  const pass = async (response: ServerResponse, owner?: string): Promise<void> => {
    // The client is gone: no `close` event would release the slot.
    if (response.destroyed) return;
    if (isSlow()) throw overloaded();
    if (!mayAdmit(owner)) reclaim();
    if (mayAdmit(owner)) admit(response, owner);
    else if (isQueueFull(owner)) throw overloaded();
    else await wait(response, owner);
  };

  return {
    acquire: async (response) => {
      if (slotOf(response) !== undefined) return;
      if (closed) throw stopping();
      follow(response);
      await pass(response);
    },
    assign: async (response, owner) => {
      const slot = slotOf(response);
      if (slot === undefined || slot.owner === owner) return;
      if (hasShare(owner)) {
        slot.owner = owner;
        count(admittedOf, owner, 1);
        return;
      }
      release(response);
      await pass(response, owner);
    },
    tryAcquire: (response, owner) => {
      if (closed || response.destroyed || !mayAdmit(owner) || isSlow()) return false;
      follow(response);
      admit(response, owner);
      return true;
    },
    yieldWhile: async (response, work) => {
      const owner = slotOf(response)?.owner;
      release(response);
      // Thousands may have waited for one answer of another host.
      const result = await work().finally(() => turnToGoOn(response.req));
      await pass(response, owner);
      return result;
    },
    hold: (response) => {
      const slot = slotOf(response);
      if (slot === undefined) return () => undefined;
      slot.holders += 1;
      return () => {
        slot.holders -= 1;
        if (response.destroyed) releaseUnlessHeld(response);
      };
    },
    release,
    isOpen: () => !closed,
    close: () => {
      closed = true;
    },
  };
}

/** Counts for an owner, if there is one; keeps none whose count is zero. */
function count(counts: Map<string | undefined, number>, owner: string | undefined, by: 1 | -1): void {
  if (owner === undefined) return;
  const now = (counts.get(owner) ?? 0) + by;
  if (now === 0) counts.delete(owner);
  else counts.set(owner, now);
}
