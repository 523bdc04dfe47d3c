import { type Dependencies, everything } from '@service/change-log/epochs';
import type { Freshness } from '@service/change-log/freshness';
import type { Representation } from '@service/http/representation';
import { createSingleFlight } from '@service/single-flight';
import { LRUCache } from 'lru-cache';
import type { ChangeMonitor } from '../database/changes.ts';

interface Executed<Result> {
  readonly result: Result;
  readonly cacheable?: {
    readonly content: Representation;
    readonly dependencies: Dependencies;
  };
}

/** Executes a read for which there is no valid cached response, once for all concurrent calls with its key. */
type ReadThrough<Result> = (key: string, execute: () => Promise<Executed<Result>>) => Promise<Result>;

export interface ResponseCache {
  /** The cached response, if an execution now would certainly give the same. */
  get(key: string): Representation | undefined;
  readThrough<Result>(resultOf: (content: Representation) => Result): ReadThrough<Result>;
}

interface Entry {
  readonly content: Representation;
  /** From before the content was read, or from a later check that found it valid. */
  snapshot: Freshness;
  readonly dependencies: Dependencies;
}

interface ResponseCacheOptions {
  readonly changes: Pick<ChangeMonitor, 'snapshot'>;
  readonly bytesMax: number;
  readonly count: (result: 'hit' | 'miss') => void;
}

/** Size of an entry beside its texts: objects, map slot. */
const overheadBytes = 400;
const dependencyBytes = 30;
/** A result that shows more records depends on everything, so that checking it takes microseconds. */
const idsMax = 250;
/** One entry may take at most this fraction, so that a huge one does not evict all others. */
const entryShareMax = 16;

export function createResponseCache({ changes, bytesMax, count }: ResponseCacheOptions): ResponseCache {
  const entries = bytesMax === 0 ? undefined : createStore(bytesMax);
  const takeSnapshot = (): Freshness => changes.snapshot('catalog');

  const get = (key: string): Representation | undefined => {
    const found = entries?.get(key);
    if (found === undefined || !found.snapshot.isCurrent(found.dependencies)) return undefined;
    // Still valid: move its snapshot forward, so that later hits compare less.
    if (!found.snapshot.isLatest()) found.snapshot = takeSnapshot();
    count('hit');
    return found.content;
  };

  const set = (key: string, { content, snapshot, dependencies: all }: Entry): void => {
    count('miss');
    const dependencies = all.ids.size > idsMax ? everything : all;
    if (snapshot.isCurrent(dependencies)) entries?.set(key, { content, snapshot, dependencies });
  };

  return {
    get,
    readThrough: (resultOf) => {
      const share = createSingleFlight<ReturnType<typeof resultOf>>(takeSnapshot);
      return async (key, execute) => {
        const cached = get(key);
        if (cached !== undefined) return resultOf(cached);
        return share(key, async () => {
          const snapshot = takeSnapshot();
          const { result, cacheable } = await execute();
          if (cacheable !== undefined) set(key, { ...cacheable, snapshot });
          return result;
        });
      };
    },
  };
}

function createStore(bytesMax: number): LRUCache<string, Entry> {
  return new LRUCache<string, Entry>({
    maxSize: bytesMax,
    maxEntrySize: Math.ceil(bytesMax / entryShareMax),
    // In memory, text outside Latin-1 takes two bytes a character.
    sizeCalculation: ({ content: { body, link = '' }, dependencies }, key) =>
      overheadBytes +
      link.length +
      dependencyBytes * dependencies.ids.size +
      2 * key.length +
      (typeof body === 'string' ? 2 : 1) * body.length,
  });
}
