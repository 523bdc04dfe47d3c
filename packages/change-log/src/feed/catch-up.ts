// Resuming: reads from the change log what a subscriber missed, from its cursor to the position of the feed, in pages.
// Between two pages the cursor also has a place `within` its window: the end of the window, the last entry that was
// sent, and how many of its events. The last page leads to the position itself, and from there on the feed goes on.

import { createSingleFlight } from '@service/single-flight';
import type { Logger } from 'pino';
import type { Database } from '../../../../src/database/types.ts';
import { type LogPosition, readWindow } from '../change-log.ts';
import { eventsOf, reload } from './catalog-event.ts';
import { decodeCursor, encodeCursor, type ResumeCursor } from './cursor.ts';
import { readRecords } from './records.ts';
import type { Page } from './subscriber.ts';

export interface End {
  readonly position: LogPosition;
  readonly next: number;
}

const pageSize = 50;

/** Subscribers at one cursor share one read. An invalid cursor, or one of removed entries, gives a RELOAD event. */
export function createCatchUp(db: Database, log: Logger): (cursor: string, end: End) => Promise<Page> {
  const share = createSingleFlight<Page>();

  const read = async (id: string, { position, next }: End): Promise<Page> => {
    const cursor = decodeCursor(id);
    const page = cursor?.history === position.history ? await readPage(cursor, position) : undefined;
    if (page === undefined) return { events: [reload(position)], cursor: encodeCursor(position), next };
    return { ...page, next: page.cursor === encodeCursor(position) ? next : undefined };
  };

  const readPage = async (after: ResumeCursor, position: LogPosition): Promise<Omit<Page, 'next'> | undefined> => {
    const { until, id: from, events: seen } = after.within ?? { until: position.snapshot, id: 0, events: 0 };
    const entries = await readWindow(db, { after, until, from }, pageSize);
    if (entries === undefined) return undefined;
    const { within: _, ...base } = after;
    const lastEntry = entries.at(-1);
    const isLastPage = entries.length < pageSize;
    const { id, xid, at } = lastEntry && lastEntry.id > base.last.id ? lastEntry : base.last;
    const reached = until === position.snapshot ? position : { ...base, snapshot: until, last: { id, xid, at } };
    const eventsByEntry = eventsOf({
      entries,
      records: await readRecords(db, entries),
      after: base,
      until,
      end: isLastPage ? reached : undefined,
    });
    const events = eventsByEntry.flatMap((all, index) => (entries[index]?.id === from ? all.slice(seen) : all));
    const within = { until, id: lastEntry?.id ?? from, events: eventsByEntry.at(-1)?.length ?? 0 };
    return { events, cursor: encodeCursor(isLastPage ? reached : { ...base, within }) };
  };

  const readOrWarn = async (id: string, end: End): Promise<Page> => {
    try {
      return await read(id, end);
    } catch (problem) {
      log.warn({ err: problem }, 'missed changes could not be read: subscriptions that resume are cut off');
      throw problem;
    }
  };

  return (id, end) => share(id, () => readOrWarn(id, end));
}
