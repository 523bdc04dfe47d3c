import { ServiceError } from '../errors.ts';
import { createFixedWindows } from './fixed-window.ts';
import { networkOf } from './network.ts';

/** Counts invalid credentials by address, so that guessing is slow (`docs/contract.md` 3). */
export interface AuthFailureLimit {
  /**
   * Counts one more.
   *
   * @throws ServiceError `RATE_LIMITED` when the address has sent too many within the minute.
   */
  count(address: string): void;
}

const windowMs = 60_000;
/** Addresses counted at the same time; more than this many guess together only from a botnet, which no count per address stops. */
const addressesMax = 10_000;

/** Makes the counter; valid credentials never come here, so guessing does not shut out an address's good keys. */
export function createAuthFailureLimit(perMinute: number): AuthFailureLimit {
  const windows = createFixedWindows({ windowMs, most: addressesMax });
  return {
    count: (address) => {
      const { count, leftMs } = windows.count(networkOf(address));
      if (count <= perMinute) return;
      throw new ServiceError('RATE_LIMITED', 'Too many invalid API keys came from your address. Please wait.', {
        retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)),
      });
    },
  };
}
