import type { ServerResponse } from 'node:http';
import type { Caller } from '../auth/caller.ts';
import { createFixedWindows } from '../auth/fixed-window.ts';
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
  isExceeded(caller: Caller): boolean;
}

const windowSeconds = 60;
/** Callers counted at the same time; whoever has not asked for the longest is forgotten first. */
const callersMax = 10_000;

/**
 * Makes the counter of this instance. A caller is a key or, behind a token, a user. The minute begins with their first
 * request in it. The headers are those of draft-ietf-httpapi-ratelimit-headers, from its version 8 on.
 *
 * @param perMinute how many requests each may send in a minute; `undefined` for any number, of which nothing is told.
 */
export function createRateLimit(perMinute: number | undefined): RateLimit {
  if (perMinute === undefined) return { count: () => undefined, isExceeded: () => false };
  const windows = createFixedWindows({ windowMs: windowSeconds * 1_000, most: callersMax });
  const nameOf = ({ keyId, name }: Caller): string => (keyId === null ? `user ${name}` : `key ${keyId}`);

  return {
    isExceeded: (caller) => windows.counted(nameOf(caller)) >= perMinute,
    count: (caller, response) => {
      const { count, leftMs } = windows.count(nameOf(caller));
      const left = Math.max(0, perMinute - count);
      const seconds = Math.ceil(leftMs / 1_000);
      response.setHeader('RateLimit-Policy', `"default";q=${perMinute};w=${windowSeconds}`);
      response.setHeader('RateLimit', `"default";r=${left};t=${seconds}`);
      if (count <= perMinute) return;
      throw new ServiceError('RATE_LIMITED', `You may send ${perMinute} requests a minute. Please wait.`, {
        retryAfterSeconds: seconds,
      });
    },
  };
}
