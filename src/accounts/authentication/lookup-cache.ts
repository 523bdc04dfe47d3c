import type { Freshness } from '@service/change-log/epochs';
import { createSingleFlight } from '@service/single-flight';
import { LRUCache } from 'lru-cache';
import type { ChangeMonitor } from '../../database/types.ts';

export interface LookupCache<Value extends object> {
  get(key: string): Value | undefined;
  /** The cached value of a key, else the result of `read`; concurrent calls share one read (single-flight). */
  getOrLoad(key: string, read: () => Promise<Value>): Promise<Value>;
}

interface LookupCacheOptions<Value extends object> {
  readonly changes: Pick<ChangeMonitor, 'snapshot'>;
  readonly entriesMax: number;
  /** The partition of a value, so that lookups of made-up keys cannot evict valid ones. */
  readonly isValid: (value: Value) => boolean;
  /** Time to read a value again, by `performance.now()`; by default only when it is invalidated. */
  readonly recheckAt?: (value: Value) => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly snapshot: Freshness;
}

/** A read is repeated when a change arrives during it; the limit is for constant changes. */
const attemptsMax = 3;

/** A value is read again, and not cached, when a change arrives during its read. */
export function createLookupCache<Value extends object>({
  changes,
  entriesMax,
  isValid,
  recheckAt = () => Number.POSITIVE_INFINITY,
}: LookupCacheOptions<Value>): LookupCache<Value> {
  // Bounded by size: with `max` it would allocate the memory of all entries at once.
  const bounds = { maxSize: entriesMax, sizeCalculation: () => 1 };
  const valid = new LRUCache<string, Entry<Value>>(bounds);
  const invalid = new LRUCache<string, Entry<Value>>(bounds);
  const takeSnapshot = (): Freshness => changes.snapshot('access');
  const share = createSingleFlight<Value>(takeSnapshot);

  const get = (key: string): Value | undefined => {
    const found = valid.get(key) ?? invalid.get(key);
    if (found === undefined || !found.snapshot.isCurrent()) return undefined;
    return performance.now() < recheckAt(found.value) ? found.value : undefined;
  };

  const set = (key: string, entry: Entry<Value>): void => {
    const [partition, other] = isValid(entry.value) ? [valid, invalid] : [invalid, valid];
    partition.set(key, entry);
    other.delete(key);
  };

  const load = async (key: string, read: () => Promise<Value>): Promise<Value> => {
    for (let attempt = 1; ; attempt += 1) {
      const snapshot = takeSnapshot();
      const value = await read();
      if (snapshot.isCurrent()) set(key, { value, snapshot });
      if (!snapshot.hasChanged() || attempt === attemptsMax) return value;
    }
  };

  return { get, getOrLoad: async (key, read) => get(key) ?? share(key, () => load(key, read)) };
}
