import type { FeedEntry } from './catalog-event.ts';

/** The entries that came last, numbered from 0, kept once for all who follow. Nobody else holds a queue of events. */
export interface ReplayBuffer {
  /** Adds what is told of the next entries. */
  add(entries: readonly FeedEntry[]): void;
  /** Forgets everything, and begins with the entry of this number. */
  restart(number: number): void;
  /** Whether an entry is here, or will be. */
  covers(number: number): boolean;
  /** An entry; `undefined` when it is not here yet. */
  get(number: number): FeedEntry | undefined;
}

/** So many events are kept, with their records some 4 MB at the most. Who falls further behind reads the log itself. */
const eventsMax = 1_000;

/** Makes the place where they are kept. */
export function createReplayBuffer(): ReplayBuffer {
  let entries: FeedEntry[] = [];
  let first = 0;
  let count = 0;

  return {
    add: (more) => {
      entries.push(...more);
      for (const entry of more) count += weightOf(entry);
      let drop = 0;
      for (const entry of entries) {
        if (count <= eventsMax || drop === entries.length - 1) break;
        count -= weightOf(entry);
        drop += 1;
      }
      if (drop > 0) entries = entries.slice(drop);
      first += drop;
    },
    restart: (number) => {
      entries = [];
      first = number;
      count = 0;
    },
    covers: (number) => number >= first,
    get: (number) => entries[number - first],
  };
}

/** An entry takes its room even when there is nothing to tell of it. */
function weightOf({ length }: FeedEntry): number {
  return Math.max(length, 1);
}
