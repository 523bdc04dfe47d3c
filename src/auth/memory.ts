import { LRUCache } from 'lru-cache';
import type { Changes } from '../database/changes.ts';
import type { ChangeKind } from '../database/epochs.ts';

/** Remembers what was read, until the database says that it may have changed. */
export interface Memory<Value extends object> {
  /** What is remembered under a key, if it can be trusted now. */
  peek(key: string): Value | undefined;
  /** What is remembered under a key, else what `read` gives; those who ask at the same time share one reading. */
  recall(key: string, read: () => Promise<Value>): Promise<Value>;
}

interface MemoryOptions<Value extends object> {
  readonly changes: Changes;
  readonly kind: ChangeKind;
  /** How many are remembered at most, in each of the drawers. */
  readonly most: number;
  /** Which of two drawers a value belongs to: what strangers can make up must not drive out what is good. */
  readonly isGood: (value: Value) => boolean;
  /** Until when a value can be trusted, as `performance.now()` counts; for as long as nothing changes when not given. */
  readonly goodUntil?: (value: Value) => number;
}

/** A reading that a change overtakes is begun anew, but not for ever: where something changes all the time, it would not end. */
const readingsMost = 3;

/** Makes a memory. A value whose reading was overtaken by a change is not remembered, and read again before it is given back. */
export function createMemory<Value extends object>({
  changes,
  kind,
  most,
  isGood,
  goodUntil = () => Number.POSITIVE_INFINITY,
}: MemoryOptions<Value>): Memory<Value> {
  const good = new LRUCache<string, Value>({ max: most });
  const others = new LRUCache<string, Value>({ max: most });
  const underWay = new Map<string, Promise<Value>>();
  let epoch = changes.epoch(kind);

  const forgetIfChanged = (): void => {
    if (epoch === changes.epoch(kind)) return;
    epoch = changes.epoch(kind);
    good.clear();
    others.clear();
    underWay.clear();
  };

  const peek = (key: string): Value | undefined => {
    if (!changes.hears()) return undefined;
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
      if (isCurrent && changes.hears()) {
        forgetIfChanged();
        (isGood(value) ? good : others).set(key, value);
      }
      if (isCurrent || readings === readingsMost) return value;
    }
  };

  return {
    peek,
    recall: async (key, read) => {
      const remembered = peek(key);
      if (remembered !== undefined) return remembered;
      if (!changes.hears()) return read();
      const shared = underWay.get(key);
      if (shared !== undefined) return shared;
      const reading = readAnew(key, read).finally(() => {
        if (underWay.get(key) === reading) underWay.delete(key);
      });
      underWay.set(key, reading);
      return reading;
    },
  };
}
