import { LRUCache } from 'lru-cache';
import type { ChangeListener } from '../database/notify/change-listener.ts';
import type { Programs } from '../database/notify/epochs.ts';
import type { Representation } from '../http/representation.ts';

/** What an execution began under, and what it has read. */
interface Dependencies {
  /** The catalog's epoch in which it began. */
  readonly epoch: number;
  /** The programs that its result contains. */
  readonly programs: Programs;
}

/** Results that are kept while what they contain does not change. */
export interface ResponseCache {
  /** The epoch to begin an execution under; asked for before anything is read. */
  epoch(): number;
  /** What is kept under a key, if it is sure to be what an execution would give now. */
  get(key: string): Representation | undefined;
  /** Keeps a result, unless what it contains has changed since its execution began. */
  set(key: string, content: Representation, reading: Dependencies): void;
}

interface Entry extends Dependencies {
  readonly content: Representation;
}

interface ResponseCacheOptions {
  readonly changes: Pick<ChangeListener, 'isLive' | 'epoch' | 'touchedSince'>;
  /** How much is kept at most, in bytes; 0 keeps nothing. */
  readonly bytesMax: number;
  readonly count: (result: 'hit' | 'miss') => void;
}

/** What an entry takes beside its texts: the objects, the list of programs, the place in the map. */
const overheadBytes = 400;
/** A result of more programs than this counts as one that contains all: to look at each would cost more than to read anew. */
const programsMax = 50;
/** One result may take this part of the whole, so that a huge one does not drive out all others. */
const entryShareMax = 16;

/** Makes the place where results are kept. */
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
    // A text outside Latin-1 takes two bytes a character in memory, more than it takes encoded.
    sizeCalculation: ({ content: { body } }, key) =>
      overheadBytes + 2 * key.length + (typeof body === 'string' ? 2 : 1) * body.length,
  });
}
