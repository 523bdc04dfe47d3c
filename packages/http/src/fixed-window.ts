import { LRUCache } from 'lru-cache';

/** Fixed-window counters by name; each window starts with its first count. */
export interface FixedWindows {
  count(name: string): { readonly count: number; readonly leftMs: number };
  counted(name: string): number;
}

interface FixedWindowOptions {
  readonly windowMs: number;
  readonly namesMax: number;
}

export function createFixedWindows({ windowMs, namesMax }: FixedWindowOptions): FixedWindows {
  const counts = new LRUCache<string, number>({ max: namesMax, ttl: windowMs, noUpdateTTL: true, ttlResolution: 0 });
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
