import { LRUCache } from 'lru-cache';
import type { Changes } from '../database/changes.ts';
import type { Programs } from '../database/epochs.ts';
import type { Content } from '../http/content.ts';

/** What an execution began under, and what it has read. */
interface Reading {
  /** The catalog's epoch in which it began. */
  readonly epoch: number;
  /** The programs that its result contains. */
  readonly programs: Programs;
}

/** Results that are kept while what they contain does not change. */
export interface KeptResults {
  /** The epoch to begin an execution under; asked for before anything is read. */
  begin(): number;
  /** What is kept under a key, if it is sure to be what an execution would give now. */
  find(key: string): Content | undefined;
  /** Keeps a result, unless what it contains has changed since its execution began. */
  keep(key: string, content: Content, reading: Reading): void;
}

interface Kept extends Reading {
  readonly content: Content;
}

interface KeptResultsOptions {
  readonly changes: Pick<Changes, 'hears' | 'epoch' | 'touchedSince'>;
  /** How much is kept at most, in bytes; 0 keeps nothing. */
  readonly bytesMost: number;
  readonly count: (result: 'hit' | 'miss') => void;
}

/** What an entry takes beside its texts: the objects, the list of programs, the place in the map. */
const overheadBytes = 400;
/** A result of more programs than this counts as one that contains all: to look at each would cost more than to read anew. */
const programsMost = 50;
/** One result may take this part of the whole, so that a huge one does not drive out all others. */
const largestPart = 16;

/** Makes the place where results are kept. */
export function createKeptResults({ changes, bytesMost, count }: KeptResultsOptions): KeptResults {
  const kept = bytesMost === 0 ? undefined : createStore(bytesMost);

  const isGood = ({ epoch, programs }: Reading): boolean => changes.hears() && !changes.touchedSince(epoch, programs);

  return {
    begin: () => changes.epoch('catalog'),
    find: (key) => {
      const found = kept?.get(key);
      if (found === undefined || !isGood(found)) return undefined;
      count('hit');
      return found.content;
    },
    keep: (key, content, { epoch, programs }) => {
      count('miss');
      const reading = {
        epoch,
        programs: programs === 'all' || programs.size > programsMost ? 'all' : programs,
      } as const;
      if (isGood(reading)) kept?.set(key, { content, ...reading });
    },
  };
}

function createStore(bytesMost: number): LRUCache<string, Kept> {
  return new LRUCache<string, Kept>({
    maxSize: bytesMost,
    maxEntrySize: Math.ceil(bytesMost / largestPart),
    // A text outside Latin-1 takes two bytes a character in memory, more than it takes encoded.
    sizeCalculation: ({ content: { body } }, key) =>
      overheadBytes + 2 * key.length + (typeof body === 'string' ? 2 : 1) * body.length,
  });
}
