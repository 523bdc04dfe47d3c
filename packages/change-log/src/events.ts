import type { LogEntry } from './change-log.ts';
import { encodeCursor } from './cursor.ts';
import type { LogPosition } from './position.ts';

/** An event and its id, from which subscribers resume. */
export type Identified<Event> = Event & { readonly id: string };

/** Turns entries of a log into events for subscribers. */
export interface EventSource<Content, Event> {
  /** How many events an entry has at most, before they are read. */
  size(entry: LogEntry<Content>): number;
  /** The same in SQL. */
  readonly sizes: string;
  /** The events of each entry. */
  read(entries: readonly LogEntry<Content>[]): Promise<readonly (readonly Event[])[]>;
  /** Says that anything may have changed. */
  reload(): Event;
  /** Whether an event says that changes are not listed. */
  isReload(event: Event): boolean;
}

interface EntryRange {
  readonly entries: readonly LogEntry<unknown>[];
  /** They have been read at `until`, and not at `after`. */
  readonly after: LogPosition;
  readonly until: LogPosition;
  /** Whether there are no others, so that `until` is reached after them. */
  readonly isAll: boolean;
}

/** Gives each event a cursor, so that a client resumes after it; the last cursor leads to the end of the range. */
export function identified<Event>(
  eventsByEntry: readonly (readonly Event[])[],
  { entries, after, until, isAll }: EntryRange,
): Identified<Event>[][] {
  const last = eventsByEntry.findLastIndex((events) => events.length > 0);
  return eventsByEntry.map((events, place) =>
    events.map((event, index) => {
      const isLast = place === last && index === events.length - 1;
      const within = { until, id: entries[place]?.id ?? 0, events: index + 1 };
      return { ...event, id: encodeCursor(isLast && isAll ? until : { ...after, within }) };
    }),
  );
}
