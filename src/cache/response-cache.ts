import { type Dependencies, everything, type Freshness } from '@service/change-log/epochs';
import type { Representation } from '@service/http/representation';
import type { Sharers } from '@service/postgres/limits';
import { createSingleFlight } from '@service/single-flight';
import type { ExecutionResult } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { ChangeMonitor } from '../database/types.ts';

/**
 * The part of the catalog that the result of a Query field depends on, whose changes invalidate it:
 * - `nothing`: it never changes;
 * - `records`: what the loaders read, by id, and lists by kind;
 * - `catalog`: any record, as statistics do;
 * - `uncacheable`: something else, so its result is not cached.
 */
export type CacheScope = 'nothing' | 'records' | 'catalog' | 'uncacheable';

const nothing: Dependencies = { ids: new Set(), lists: new Set() };

/** The dependencies of a result, after its execution, which has read these. */
export function dependenciesOf(scope: CacheScope, read: Dependencies): Dependencies {
  switch (scope) {
    case 'nothing':
      return nothing;
    case 'records':
      return read;
    case 'catalog':
      return everything;
    case 'uncacheable':
      throw new Error('The result cannot be cached.');
  }
}

export interface ReadResult {
  /** The response, unless there are errors. */
  readonly content?: Representation;
  /** A result of GraphQL with errors, which is not cached. */
  readonly result?: ExecutionResult;
}

interface Executed extends ReadResult {
  readonly dependencies: Dependencies;
}

export interface ResponseCache {
  /** The cached response, if an execution now would certainly give the same. */
  get(key: string): Representation | undefined;
  /**
   * Returns a valid cached response, or executes the read, once for all concurrent calls with its key: then these share the
   * work.
   */
  readThrough(key: string, sharers: Sharers, execute: () => Promise<Executed>): Promise<ReadResult>;
}

interface Entry {
  readonly content: Representation;
  /** Taken before the content was read, or at a later check that found it valid. */
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
/** An entry may take at most this fraction, so that a huge one does not evict all others. */
const entryShareMax = 16;

/** Responses by cache key, at most `bytesMax` together, each valid while nothing that it depends on changes. */
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

  const share = createSingleFlight<ReadResult>(takeSnapshot);

  return {
    get,
    readThrough: async (key, sharers, execute) => {
      const content = get(key);
      if (content !== undefined) return { content };
      const read = async (): Promise<ReadResult> => {
        const snapshot = takeSnapshot();
        const { dependencies, ...readResult } = await execute();
        if (readResult.content !== undefined) set(key, { content: readResult.content, dependencies, snapshot });
        return readResult;
      };
      return share(key, read, sharers);
    },
  };
}

function createStore(bytesMax: number): LRUCache<string, Entry> {
  return new LRUCache<string, Entry>({
    maxSize: bytesMax,
    maxEntrySize: Math.ceil(bytesMax / entryShareMax),
    // Text outside Latin-1 takes two bytes a character in memory.
    sizeCalculation: ({ content: { body, link = '' }, dependencies }, key) =>
      overheadBytes +
      link.length +
      dependencyBytes * dependencies.ids.size +
      2 * key.length +
      (typeof body === 'string' ? 2 : 1) * body.length,
  });
}
