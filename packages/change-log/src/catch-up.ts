// Resuming: reads from the change log what a subscriber missed, from its cursor to the position of the feed, in pages.
// Between two pages the cursor also has a place `within` its window: the end of the window, the last entry that was
// sent, and how many of its events. The last page leads to the position itself, and from there on the feed goes on.
import type { Transaction } from '@service/postgres/sql';
import { createSingleFlight } from '@service/single-flight';
import type { Logger } from 'pino';
import { type ChangeLog, type LogPosition, readWindow } from './change-log.ts';
import { decodeCursor, encodeCursor, type ResumeCursor } from './cursor.ts';
import { type EventSource, identified } from './events.ts';
import type { Page } from './subscriber.ts';

export interface End {
  readonly position: LogPosition;
  readonly next: number;
}

export interface CatchUpOptions<Content extends object, Event> {
  readonly db: Transaction;
  readonly changeLog: ChangeLog<Content>;
  readonly source: EventSource<Content, Event>;
  readonly log: Logger;
}

const pageSize = 50;

/** Subscribers at one cursor share one read. An invalid cursor, or one of removed entries, gives a reload. */
export function createCatchUp<Content extends object, Event>({
  db,
  changeLog,
  source,
  log,
}: CatchUpOptions<Content, Event>): (cursor: string, end: End) => Promise<Page<Event>> {
  const share = createSingleFlight<Page<Event>>();

  const read = async (id: string, { position, next }: End): Promise<Page<Event>> => {
    const cursor = decodeCursor(id);
    const page = cursor?.history === position.history ? await readPage(cursor, position) : undefined;
    if (page !== undefined) return { ...page, next: page.cursor === encodeCursor(position) ? next : undefined };
    // After reading everything again, a client is at this position.
    const end = encodeCursor(position);
    return { events: [{ ...source.reload(), id: end }], cursor: end, next };
  };

  const readPage = async (
    after: ResumeCursor,
    position: LogPosition,
  ): Promise<Omit<Page<Event>, 'next'> | undefined> => {
    const { until, id: from, events: seen } = after.within ?? { until: position.snapshot, id: 0, events: 0 };
    const entries = await readWindow(db, changeLog, { after, until, from, where: source.where }, pageSize);
    if (entries === undefined) return undefined;
    const { within: _, ...base } = after;
    const lastEntry = entries.at(-1);
    const isLastPage = entries.length < pageSize;
    const { id, xid, at } = lastEntry && lastEntry.id > base.last.id ? lastEntry : base.last;
    const reached = until === position.snapshot ? position : { ...base, snapshot: until, last: { id, xid, at } };
    const end = isLastPage ? reached : undefined;
    const eventsByEntry = identified(await source.read(entries), { entries, after: base, until, end });
    const events = eventsByEntry.flatMap((all, index) => (entries[index]?.id === from ? all.slice(seen) : all));
    const within = { until, id: lastEntry?.id ?? from, events: eventsByEntry.at(-1)?.length ?? 0 };
    return { events, cursor: encodeCursor(isLastPage ? reached : { ...base, within }) };
  };

  const readOrWarn = async (id: string, end: End): Promise<Page<Event>> => {
    try {
      return await read(id, end);
    } catch (problem) {
      log.warn({ err: problem }, 'missed changes could not be read: subscriptions that resume are cut off');
      throw problem;
    }
  };

  return (id, end) => share(id, () => readOrWarn(id, end));
}
