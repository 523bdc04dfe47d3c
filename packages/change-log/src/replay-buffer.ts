/** The events of the most recent entries, numbered from 0, shared by all subscribers; none has a queue of its own. */
export interface ReplayBuffer<Event> {
  add(entries: readonly (readonly Event[])[]): void;
  restart(number: number): void;
  /** Whether an entry is in the buffer, or will be. */
  covers(number: number): boolean;
  get(number: number): readonly Event[] | undefined;
}

/** Subscribers that fall further behind read the log. Events with their records take some 12 MB. */
const eventsMax = 3_000;

/** The events of the last entries, by the number of the entry; the oldest ones make room. */
export function createReplayBuffer<Event>(): ReplayBuffer<Event> {
  let entries: (readonly Event[])[] = [];
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

/** An entry without events takes memory, too. */
function weightOf({ length }: readonly unknown[]): number {
  return Math.max(length, 1);
}
