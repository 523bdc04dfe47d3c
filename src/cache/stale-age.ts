import type { ChangeMonitor } from '../database/change-log/change-monitor.ts';

/** While cached values may be served stale: for how many seconds changes may have been missed. Else `undefined`. */
export type StaleAge = () => number | undefined;

/** `STALE_IF_ERROR_SECONDS`: only while the database is away, and for at most that long; never with 0. */
export function createStaleAge(changes: Pick<ChangeMonitor, 'awaySince'>, secondsMax: number): StaleAge {
  if (secondsMax === 0) return () => undefined;
  return () => {
    const since = changes.awaySince();
    if (since === undefined) return undefined;
    const seconds = (performance.now() - since) / 1_000;
    return seconds <= secondsMax ? seconds : undefined;
  };
}
