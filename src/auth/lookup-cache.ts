import { LRUCache } from 'lru-cache';
import type { ChangeMonitor } from '../database/change-log/change-monitor.ts';
import type { ChangeKind } from '../database/change-log/epochs.ts';

/** A cache of database lookups, invalidated by the change monitor. */
export interface LookupCache<Value extends object> {
  /** The cached value of a key, if it is valid now. */
  get(key: string): Value | undefined;
  /** The cached value of a key, else the result of `read`; concurrent calls share one read (single-flight). */
  getOrLoad(key: string, read: () => Promise<Value>): Promise<Value>;
}

interface LookupCacheOptions<Value extends object> {
  readonly changes: ChangeMonitor;
  readonly kind: ChangeKind;
  /** Maximum size of each of the two partitions. */
  readonly entriesMax: number;
  /** The partition of a value, so that lookups of made-up keys cannot evict valid ones. */
  readonly isGood: (value: Value) => boolean;
  /** Until when a value is valid, by `performance.now()`; by default until it is invalidated. */
  readonly goodUntil?: (value: Value) => number;
}

/** A read that a change overtakes is repeated; the limit is for constant changes. */
const attemptsMax = 3;

/** Creates a lookup cache. A value whose read was overtaken by a change is not cached, and read again first. */
export function createLookupCache<Value extends object>({
  changes,
  kind,
  entriesMax,
  isGood,
  goodUntil = () => Number.POSITIVE_INFINITY,
}: LookupCacheOptions<Value>): LookupCache<Value> {
  const good = new LRUCache<string, Value>({ max: entriesMax });
  const others = new LRUCache<string, Value>({ max: entriesMax });
  const inFlight = new Map<string, Promise<Value>>();
  let epoch = changes.epoch(kind);

  const clearIfChanged = (): void => {
    if (epoch === changes.epoch(kind)) return;
    epoch = changes.epoch(kind);
    good.clear();
    others.clear();
    inFlight.clear();
  };

  const get = (key: string): Value | undefined => {
    if (!changes.isLive()) return undefined;
    clearIfChanged();
    const value = good.get(key) ?? others.get(key);
    return value !== undefined && performance.now() < goodUntil(value) ? value : undefined;
  };

  /** Reads a value, and caches it unless a change has overtaken the read. */
  const load = async (key: string, read: () => Promise<Value>): Promise<Value> => {
    for (let attempt = 1; ; attempt += 1) {
      const began = changes.epoch(kind);
      const value = await read();
      const isCurrent = began === changes.epoch(kind);
      if (isCurrent && changes.isLive()) {
        clearIfChanged();
        (isGood(value) ? good : others).set(key, value);
      }
      if (isCurrent || attempt === attemptsMax) return value;
    }
  };

  return {
    get,
    getOrLoad: async (key, read) => {
      const cached = get(key);
      if (cached !== undefined) return cached;
      if (!changes.isLive()) return read();
      const shared = inFlight.get(key);
      if (shared !== undefined) return shared;
      const reading = load(key, read).finally(() => {
        if (inFlight.get(key) === reading) inFlight.delete(key);
      });
      inFlight.set(key, reading);
      return reading;
    },
  };
}
