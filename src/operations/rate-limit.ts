import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../auth/caller.ts';
import { ServiceError } from '../errors.ts';

/** Counts what each caller asks for, on whichever surface. */
export interface RateLimit {
  /**
   * Counts a request, and tells its caller in the answer's headers how many are left.
   *
   * @throws ServiceError `RATE_LIMITED` when there are none left.
   */
  count(caller: Caller, response: ServerResponse): void;
  /** Whether `count` would throw. */
  isSpent(caller: Caller): boolean;
}

const windowSeconds = 60;
/** Callers counted at the same time; whoever has not asked for the longest is forgotten first. */
const callersMost = 10_000;

/** A caller's minute. */
interface Window {
  count: number;
  readonly until: number;
}

/**
 * Makes the counter of this instance. A caller is a key or, behind a token, a user. The minute begins with their first
 * request in it. The headers are those of draft-ietf-httpapi-ratelimit-headers, from its version 8 on.
 *
 * @param perMinute how many requests each may send in a minute; `undefined` for any number, of which nothing is told.
 */
export function createRateLimit(perMinute: number | undefined): RateLimit {
  if (perMinute === undefined) return { count: () => undefined, isSpent: () => false };
  const windows = new LRUCache<string, Window>({ max: callersMost });

  const windowOf = (caller: Caller): Window => {
    const now = performance.now();
    const who = caller.keyId === null ? `user ${caller.name}` : `key ${caller.keyId}`;
    const known = windows.get(who);
    if (known !== undefined && known.until > now) return known;
    const begun = { count: 0, until: now + windowSeconds * 1_000 };
    windows.set(who, begun);
    return begun;
  };

  return {
    isSpent: (caller) => windowOf(caller).count >= perMinute,
    count: (caller, response) => {
      const window = windowOf(caller);
      window.count += 1;
      const left = Math.max(0, perMinute - window.count);
      const seconds = Math.ceil((window.until - performance.now()) / 1_000);
      response.setHeader('RateLimit-Policy', `"default";q=${perMinute};w=${windowSeconds}`);
      response.setHeader('RateLimit', `"default";r=${left};t=${seconds}`);
      if (window.count <= perMinute) return;
      throw new ServiceError('RATE_LIMITED', `You may send ${perMinute} requests a minute. Please wait.`, {
        retryAfterSeconds: seconds,
      });
    },
  };
}
