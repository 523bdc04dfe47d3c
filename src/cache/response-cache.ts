import { LRUCache } from 'lru-cache';
import type { ChangeMonitor } from '../database/change-log/change-monitor.ts';
import type { Programs } from '../database/change-log/epochs.ts';
import type { Representation } from '../http/representation.ts';

/** What a result depends on. */
interface Dependencies {
  /** The catalog's epoch at the start of the execution. */
  readonly epoch: number;
  /** The programs that the result contains. */
  readonly programs: Programs;
}

/** The response cache: results that are valid while what they depend on does not change. */
export interface ResponseCache {
  /** The current epoch; to be read before an execution reads anything. */
  epoch(): number;
  /** The cached result, only if an execution now is certain to give the same. */
  get(key: string): Representation | undefined;
  /** Caches a result, unless one of its dependencies has changed since its execution began. */
  set(key: string, content: Representation, reading: Dependencies): void;
}

interface Entry extends Dependencies {
  readonly content: Representation;
}

interface ResponseCacheOptions {
  readonly changes: Pick<ChangeMonitor, 'isLive' | 'epoch' | 'touchedSince'>;
  /** Maximum size in bytes; 0 disables the cache. */
  readonly bytesMax: number;
  readonly count: (result: 'hit' | 'miss') => void;
}

/** Size of an entry beside its texts: objects, list of programs, map slot. */
const overheadBytes = 400;
/** A result of more programs depends on all: checking each would cost more than executing again. */
const programsMax = 50;
/** One entry may take at most this fraction, so that a huge one does not evict all others. */
const entryShareMax = 16;

/** Creates a response cache; the least recently used entries are evicted. */
export function createResponseCache({ changes, bytesMax, count }: ResponseCacheOptions): ResponseCache {
  const responseCache = bytesMax === 0 ? undefined : createStore(bytesMax);

  const isFresh = ({ epoch, programs }: Dependencies): boolean =>
    changes.isLive() && !changes.touchedSince(epoch, programs);

  return {
    epoch: () => changes.epoch('catalog'),
    get: (key) => {
      const found = responseCache?.get(key);
      if (found === undefined || !isFresh(found)) return undefined;
      count('hit');
      return found.content;
    },
    set: (key, content, { epoch, programs }) => {
      count('miss');
      const reading = {
        epoch,
        programs: programs === 'all' || programs.size > programsMax ? 'all' : programs,
      } as const;
      if (isFresh(reading)) responseCache?.set(key, { content, ...reading });
    },
  };
}

function createStore(bytesMax: number): LRUCache<string, Entry> {
  return new LRUCache<string, Entry>({
    maxSize: bytesMax,
    maxEntrySize: Math.ceil(bytesMax / entryShareMax),
    // In memory, text outside Latin-1 takes two bytes a character.
    sizeCalculation: ({ content: { body } }, key) =>
      overheadBytes + 2 * key.length + (typeof body === 'string' ? 2 : 1) * body.length,
  });
}
