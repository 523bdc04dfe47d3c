import { LRUCache } from 'lru-cache';

/** Counts by name within windows of time: each begins with the first count in it, and ends for itself. */
export interface FixedWindows {
  /** Counts one more; returns the count, and how long its window still lasts. */
  count(name: string): { readonly count: number; readonly leftMs: number };
  /** What has been counted so far. */
  counted(name: string): number;
}

interface FixedWindowOptions {
  readonly windowMs: number;
  /** Names that are counted at the same time; beyond that, whoever has not come for the longest is forgotten first. */
  readonly most: number;
}

/** Makes windows, on the monotonic clock: setting the clock on the wall neither ends nor prolongs one. */
export function createFixedWindows({ windowMs, most }: FixedWindowOptions): FixedWindows {
  const counts = new LRUCache<string, number>({ max: most, ttl: windowMs, noUpdateTTL: true, ttlResolution: 0 });
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
