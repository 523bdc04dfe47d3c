import { ServiceError } from '@service/errors';
import type { Caller } from '../caller.ts';
import type { Permission } from '../permissions.ts';
import type { CallerMonitor } from './caller-monitor.ts';

export const accessChanged = (): ServiceError =>
  new ServiceError('UNAVAILABLE', 'Users or keys have just changed. Please try again.', { retryAfterSeconds: 1 });

/** Calls back when the caller loses the permission during long work. Returns a function that stops. */
export function watchPermission(
  callers: Pick<CallerMonitor, 'watch'>,
  caller: Caller,
  permission: Permission,
  onLost: () => void,
): () => void {
  let stop = (): void => undefined;
  const watch = (known: Caller): void => {
    stop = callers.watch(known, (now) => {
      if (now?.active === true && now.permissions.has(permission)) watch(now);
      else onLost();
    });
  };
  watch(caller);
  return () => stop();
}
