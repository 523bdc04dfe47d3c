import { LRUCache } from 'lru-cache';
import type { ChangeMonitor } from '../database/change-log/change-monitor.ts';
import type { ChangeKind } from '../database/change-log/epochs.ts';

/** Remembers what was read, until the database says that it may have changed. */
export interface LookupCache<Value extends object> {
  /** What is remembered under a key, if it can be trusted now. */
  get(key: string): Value | undefined;
  /** What is remembered under a key, else what `read` gives; those who ask at the same time share one reading. */
  getOrLoad(key: string, read: () => Promise<Value>): Promise<Value>;
}

interface LookupCacheOptions<Value extends object> {
  readonly changes: ChangeMonitor;
  readonly kind: ChangeKind;
  /** How many are remembered at most, in each of the drawers. */
  readonly entriesMax: number;
  /** Which of two drawers a value belongs to: what strangers can make up must not drive out what is good. */
  readonly isGood: (value: Value) => boolean;
  /** Until when a value can be trusted, as `performance.now()` counts; for as long as nothing changes when not given. */
  readonly goodUntil?: (value: Value) => number;
}

/** A reading that a change overtakes is begun anew, but not for ever: where something changes all the time, it would not end. */
const readingsMax = 3;

/** Makes a memory. A value whose reading was overtaken by a change is not remembered, and read again before it is given back. */
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

  const forgetIfChanged = (): void => {
    if (epoch === changes.epoch(kind)) return;
    epoch = changes.epoch(kind);
    good.clear();
    others.clear();
    inFlight.clear();
  };

  const peek = (key: string): Value | undefined => {
    if (!changes.isLive()) return undefined;
    forgetIfChanged();
    const value = good.get(key) ?? others.get(key);
    return value !== undefined && performance.now() < goodUntil(value) ? value : undefined;
  };

  /** Reads, and remembers what nothing has changed meanwhile. */
  const readAnew = async (key: string, read: () => Promise<Value>): Promise<Value> => {
    for (let readings = 1; ; readings += 1) {
      const began = changes.epoch(kind);
      const value = await read();
      const isCurrent = began === changes.epoch(kind);
      if (isCurrent && changes.isLive()) {
        forgetIfChanged();
        (isGood(value) ? good : others).set(key, value);
      }
      if (isCurrent || readings === readingsMax) return value;
    }
  };

  return {
    get: peek,
    getOrLoad: async (key, read) => {
      const remembered = peek(key);
      if (remembered !== undefined) return remembered;
      if (!changes.isLive()) return read();
      const shared = inFlight.get(key);
      if (shared !== undefined) return shared;
      const reading = readAnew(key, read).finally(() => {
        if (inFlight.get(key) === reading) inFlight.delete(key);
      });
      inFlight.set(key, reading);
      return reading;
    },
  };
}
