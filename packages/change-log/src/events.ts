import type { LogEntry, LogPosition } from './change-log.ts';
import { encodeCursor } from './cursor.ts';

/** An event and its id, from which subscribers resume. */
export type Identified<Event> = Event & { readonly id: string };

/** Turns entries of a log into events for subscribers. */
export interface EventSource<Content, Event> {
  /** SQL, and the same of an entry: whether it has events. */
  readonly where: string;
  hasEvents(entry: LogEntry<Content>): boolean;
  /** The events of each entry. */
  read(entries: readonly LogEntry<Content>[]): Promise<readonly (readonly Event[])[]>;
  /** Says that anything may have changed. */
  reload(): Event;
  /** Whether an event says that changes are not listed. */
  isReload(event: Event): boolean;
}

interface EntryRange {
  readonly entries: readonly LogEntry<unknown>[];
  /** The position before them; they are visible in the snapshot `until`. */
  readonly after: LogPosition;
  readonly until: string;
  /** The position after them, if they are all that is visible in `until`. */
  readonly end: LogPosition | undefined;
}

/** Gives each event a cursor, so that a client resumes after it; the last cursor leads to the end of the range. */
export function identified<Event>(
  eventsByEntry: readonly (readonly Event[])[],
  { entries, after, until, end }: EntryRange,
): Identified<Event>[][] {
  const last = eventsByEntry.findLastIndex((events) => events.length > 0);
  return eventsByEntry.map((events, place) =>
    events.map((event, index) => {
      const isLast = place === last && index === events.length - 1;
      const within = { until, id: entries[place]?.id ?? 0, events: index + 1 };
      return { ...event, id: encodeCursor(isLast && end ? end : { ...after, within }) };
    }),
  );
}
