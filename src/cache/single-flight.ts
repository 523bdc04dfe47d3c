import type { ChangeListener } from '../database/notify/change-listener.ts';

/** Lets those who ask for the same at the same time share one execution. */
export type SingleFlight<Result> = (key: string, execute: () => Promise<Result>) => Promise<Result>;

/**
 * Makes the sharing of executions. One is joined only while nothing has changed since it began: who has just
 * written, here or a second ago elsewhere, is never handed a result that was begun before.
 */
export function createSingleFlight<Result>(changes: Pick<ChangeListener, 'isLive' | 'epoch'>): SingleFlight<Result> {
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
