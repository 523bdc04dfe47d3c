import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.ts';

/** Counts invalid credentials by address, so that guessing is slow (`contract.md` 3). */
export interface Guesses {
  /**
   * Counts one more.
   *
   * @throws ServiceError `RATE_LIMITED` when the address has sent too many within the minute.
   */
  count(address: string): void;
}

const windowMs = 60_000;
/** Addresses counted at the same time; more than this many guess together only from a botnet, which no count per address stops. */
const addressesMost = 10_000;

/** Makes the counter; valid credentials never come here, so guessing does not shut out an address's good keys. */
export function createGuesses(perMinute: number): Guesses {
  const windows = new LRUCache<string, { count: number; readonly until: number }>({ max: addressesMost });
  return {
    count: (address) => {
      const now = Date.now();
      const network = networkOf(address);
      let window = windows.get(network);
      if (window === undefined || window.until <= now) {
        window = { count: 0, until: now + windowMs };
        windows.set(network, window);
      }
      window.count += 1;
      if (window.count <= perMinute) return;
      throw new ServiceError('RATE_LIMITED', 'Too many invalid API keys came from your address. Please wait.', {
        retryAfterSeconds: Math.max(1, Math.ceil((window.until - now) / 1_000)),
      });
    },
  };
}

/** One household or server has a whole /64 of IPv6 addresses: they count as one. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = ''] = address.split('::');
  const groups = head.split(':');
  return groups.length >= 4 || !address.includes('::') ? groups.slice(0, 4).join(':') : head;
}
