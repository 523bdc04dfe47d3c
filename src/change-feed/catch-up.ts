import { type LogPosition, readWindow } from '../database/change-log/change-log.ts';
import type { Database } from '../database/connection/types.ts';
import { eventsOf, reload } from './catalog-event.ts';
import { decodeCursor, encodeCursor, type ResumeCursor } from './cursor.ts';
import { readRecords } from './records.ts';
import type { Page } from './subscriber.ts';

/** Where the log ends, and the number of the recent entry that comes next. */
export interface End {
  readonly position: LogPosition;
  readonly next: number;
}

/** Entries that are read at a time. */
const pageSize = 50;

/**
 * Makes the reading of what comes after a place, page by page up to where the recent entries begin. Those who come back
 * at the same time to the same place share it. A place that is in no log, or behind which entries have been removed, is
 * answered with one event: reload.
 */
export function createCatchUp(db: Database): (place: string, end: End) => Promise<Page> {
  const inFlight = new Map<string, Promise<Page>>();

  const read = async (id: string, { position, next }: End): Promise<Page> => {
    const place = decodeCursor(id);
    const page = place?.history === position.history ? await readPage(place, position) : undefined;
    if (page === undefined) return { events: [reload(position)], place: encodeCursor(position), next };
    return { ...page, next: page.place === encodeCursor(position) ? next : undefined };
  };

  const readPage = async (after: ResumeCursor, position: LogPosition): Promise<Omit<Page, 'next'> | undefined> => {
    const { until, id: from, events: seen } = after.within ?? { until: position.snapshot, id: 0, events: 0 };
    const entries = await readWindow(db, { after, until, from }, pageSize);
    if (entries === undefined) return undefined;
    const { within: _, ...base } = after;
    const lastEntry = entries.at(-1);
    const isWhole = entries.length < pageSize;
    const { id, xid, at } = lastEntry && lastEntry.id > base.last.id ? lastEntry : base.last;
    const reached = until === position.snapshot ? position : { ...base, snapshot: until, last: { id, xid, at } };
    const told = eventsOf({
      entries,
      records: await readRecords(db, entries),
      after: base,
      until,
      end: isWhole ? reached : undefined,
    });
    const events = told.flatMap((all, index) => (entries[index]?.id === from ? all.slice(seen) : all));
    const within = { until, id: lastEntry?.id ?? from, events: told.at(-1)?.length ?? 0 };
    return { events, place: encodeCursor(isWhole ? reached : { ...base, within }) };
  };

  return (id, end) => {
    const shared = inFlight.get(id);
    if (shared !== undefined) return shared;
    const reading = read(id, end).finally(() => inFlight.delete(id));
    inFlight.set(id, reading);
    return reading;
  };
}
