import type { CatalogEvent } from './catalog-event.ts';
import type { Place } from './place.ts';

/** An entry of the log, as it is told. */
export interface Told {
  readonly position: number;
  readonly events: readonly CatalogEvent[];
}

/** The entries that were read last, kept once for all who follow. Nobody else holds a queue of events. */
export interface Recent {
  /** Adds the next entries of the log. */
  add(entries: readonly Told[]): void;
  /** Forgets everything: from here on it holds what is behind a position. */
  startBehind(position: number): void;
  /** The last position that has been read. */
  last(): number;
  /** Whether everything from a place on is here, as far as it has been read. */
  reaches(place: Place): boolean;
  /** The first entry from a place on; `undefined` when everything that has been read is before it. */
  firstFrom(place: Place): Told | undefined;
}

/** So many events are kept, with their records some 4 MB at the most. Who falls further behind reads the log itself. */
const eventsMost = 1_000;

/** Makes the place where they are kept. */
export function createRecent(): Recent {
  let entries: Told[] = [];
  let count = 0;
  /** Everything behind this position, up to the one that was read last, is here. */
  let floor = 0;
  let read = 0;

  return {
    add: (more) => {
      for (const entry of more) {
        entries.push(entry);
        count += weightOf(entry);
        read = entry.position;
      }
      let drop = 0;
      for (const entry of entries) {
        if (count <= eventsMost || entry.position === read) break;
        count -= weightOf(entry);
        floor = entry.position;
        drop += 1;
      }
      if (drop > 0) entries = entries.slice(drop);
    },
    startBehind: (position) => {
      entries = [];
      count = 0;
      floor = position;
      read = position;
    },
    last: () => read,
    reaches: ({ position }) => position > floor,
    firstFrom: ({ position }) => {
      let [low, high] = [0, entries.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((entries[middle]?.position ?? 0) < position) low = middle + 1;
        else high = middle;
      }
      return entries[low];
    },
  };
}

/** An entry takes its room even when there is nothing to tell of it. */
function weightOf({ events }: Told): number {
  return Math.max(events.length, 1);
}
