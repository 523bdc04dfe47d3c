import type { ChangeMonitor } from '../database/change-log/change-monitor.ts';

/** `STALE_IF_ERROR_SECONDS`: serving cached values while the database is unavailable. */
export interface StaleIfError {
  /** While they may be served stale: for how many seconds changes may have been missed. Else `undefined`. */
  age(): number | undefined;
  /** While it is not known whether they may, as after a pause of this process: resolves when it is. Else `undefined`. */
  availabilityKnown(): Promise<void> | undefined;
}

/** For at most `secondsMax`; with 0, never. */
export function createStaleIfError(
  changes: Pick<ChangeMonitor, 'unavailableSince' | 'availabilityKnown'>,
  secondsMax: number,
): StaleIfError {
  if (secondsMax === 0) return { age: () => undefined, availabilityKnown: () => undefined };
  return {
    age: () => {
      const since = changes.unavailableSince();
      if (since === undefined) return undefined;
      const seconds = (performance.now() - since) / 1_000;
      return seconds <= secondsMax ? seconds : undefined;
    },
    availabilityKnown: changes.availabilityKnown,
  };
}
