import { ServiceError } from '@service/errors';
import { createFixedWindows, networkOf } from '@service/http/rate-limit';

/** Limits invalid credentials by IP address, against brute force (`docs/contract.md` 3). */
export interface AuthFailureLimit {
  /** @throws ServiceError `RATE_LIMITED` when the address has sent too many within the minute. */
  count(address: string): void;
  /** Before what costs others something. @throws ServiceError as `count`, when no more may fail. */
  requireSome(address: string): void;
}

/** Valid credentials are not counted, so brute force does not lock out valid keys of the same address. */
export function createAuthFailureLimit(perMinute: number): AuthFailureLimit {
  const windows = createFixedWindows();
  const count = (address: string): void => {
    const { count: failures, leftMs } = windows.count(networkOf(address));
    if (failures <= perMinute) return;
    throw new ServiceError('RATE_LIMITED', 'Too many invalid API keys came from your address. Please wait.', {
      retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)),
    });
  };
  return {
    count,
    requireSome: (address) => {
      if (windows.counted(networkOf(address)) >= perMinute) count(address);
    },
  };
}
