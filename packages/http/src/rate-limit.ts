import type { ServerResponse } from 'node:http';
import { ServiceError } from '@service/errors';
import type { Caller } from '../../../src/accounts/caller.ts';
import { createFixedWindows } from './fixed-window.ts';

export interface RateLimit {
  /** Counts a request and sets the `RateLimit` headers; throws ServiceError `RATE_LIMITED` when there are none left. */
  count(caller: Caller, response: ServerResponse): void;
  isExceeded(caller: Caller): boolean;
}

const windowSeconds = 60;
const callersMax = 10_000;

/**
 * Rate limit: fixed windows of a minute per key or JWT user; `rejected` is called for each request beyond the limit.
 * Headers of draft-ietf-httpapi-ratelimit-headers-08 and later.
 */
export function createRateLimit(perMinute: number | undefined, rejected: () => void): RateLimit {
  if (perMinute === undefined) return { count: () => undefined, isExceeded: () => false };
  const windows = createFixedWindows({ windowMs: windowSeconds * 1_000, namesMax: callersMax });
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
      rejected();
      throw new ServiceError('RATE_LIMITED', `You may send ${perMinute} requests a minute. Please wait.`, {
        retryAfterSeconds: seconds,
      });
    },
  };
}
