import type { ServerResponse } from 'node:http';
import { ServiceError } from '@service/errors';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Fixed-window counters by name; each window starts with its first count. */
export interface FixedWindows {
  count(name: string): { readonly count: number; readonly leftMs: number };
  counted(name: string): number;
}

const windowSeconds = 60;
/** Bound on names at a time; only a botnet has more. */
const namesMax = 10_000;

/** Counts by name in windows of a minute; of too many names, the one that was counted longest ago is forgotten. */
export function createFixedWindows(): FixedWindows {
  const counts = new LRUCache<string, number>({
    // Bounded by size: with `max` it would allocate the memory of all names at once.
    maxSize: namesMax,
    sizeCalculation: () => 1,
    ttl: windowSeconds * 1_000,
    noUpdateTTL: true,
    ttlResolution: 0,
  });
  const counted = (name: string): number => counts.get(name) ?? 0;
  return {
    count: (name) => {
      const count = counted(name) + 1;
      counts.set(name, count);
      return { count, leftMs: counts.getRemainingTTL(name) };
    },
    counted,
  };
}

export interface RateLimit {
  /** Counts a request and sets the `RateLimit` headers; throws ServiceError `RATE_LIMITED` when there are none left. */
  count(caller: string, response: ServerResponse): void;
  isExceeded(caller: string): boolean;
}

/**
 * Rate limit: fixed windows of a minute for each caller, by name; `rejected` is called for each request beyond the limit.
 * Headers of draft-ietf-httpapi-ratelimit-headers-08 and later.
 */
export function createRateLimit(perMinute: number | undefined, rejected: () => void): RateLimit {
  if (perMinute === undefined) return { count: () => undefined, isExceeded: () => false };
  const windows = createFixedWindows();

  return {
    isExceeded: (caller) => windows.counted(caller) >= perMinute,
    count: (caller, response) => {
      const { count, leftMs } = windows.count(caller);
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

/** The name of all invalid addresses, which count together. */
const unreadable = 'unknown';
/** Matches an address with a port, as some proxies pass it on. */
const withPort = /^\[([^\]]{1,64})\](?::\d{1,5})?$|^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;
const charactersMax = 64;

/** A /64 of IPv6 addresses, which a household has, counts as one; an IPv4 address, however written, for itself. */
export function networkOf(address: string): string {
  if (address.length > charactersMax) return unreadable;
  const [, bracketed, bare] = withPort.exec(address) ?? [];
  const plain = bracketed ?? bare ?? address;
  if (!ipaddr.isValid(plain)) return unreadable;
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  // A zone distinguishes links that use the same addresses.
  return [network.join(':'), ...(parsed.zoneId === undefined ? [] : [parsed.zoneId])].join('%');
}
