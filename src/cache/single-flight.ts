import type { ChangeMonitor } from '../database/change-log/change-monitor.ts';

/** Single-flight (request coalescing): concurrent calls with one key share one execution. */
export type SingleFlight<Result> = (key: string, execute: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a single-flight group. An execution is joined only while nothing has changed since it began, so that a
 * caller reads its own writes and never a result older than another instance's acknowledged write.
 */
export function createSingleFlight<Result>(changes: Pick<ChangeMonitor, 'isLive' | 'epoch'>): SingleFlight<Result> {
  const inFlight = new Map<string, { readonly began: number; readonly result: Promise<Result> }>();
  return (key, execute) => {
    if (!changes.isLive()) return execute();
    const began = changes.epoch('catalog');
    const joined = inFlight.get(key);
    if (joined?.began === began) return joined.result;
    const result = execute();
    const shared = { began, result };
    inFlight.set(key, shared);
    const forget = (): void => {
      if (inFlight.get(key) === shared) inFlight.delete(key);
    };
    result.then(forget, forget);
    return result;
  };
}
