import type { Changes } from '../database/changes.ts';

/** Lets those who ask for the same at the same time share one execution. */
export type Sharing<Result> = (key: string, execute: () => Promise<Result>) => Promise<Result>;

/**
 * Makes the sharing of executions. One is joined only while nothing has changed since it began: who has just
 * written, here or a second ago elsewhere, is never handed a result that was begun before.
 */
export function createSharing<Result>(changes: Pick<Changes, 'hears' | 'epoch'>): Sharing<Result> {
  const underWay = new Map<string, { readonly began: number; readonly result: Promise<Result> }>();
  return (key, execute) => {
    if (!changes.hears()) return execute();
    const began = changes.epoch('catalog');
    const joined = underWay.get(key);
    if (joined?.began === began) return joined.result;
    const result = execute();
    const shared = { began, result };
    underWay.set(key, shared);
    const forget = (): void => {
      if (underWay.get(key) === shared) underWay.delete(key);
    };
    result.then(forget, forget);
    return result;
  };
}
