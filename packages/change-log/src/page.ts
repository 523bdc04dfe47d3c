import type { PrismaConnection } from '@service/postgres/sql';
import { type ChangeLog, type LogEntry, readWindow } from './change-log.ts';
import { encodeCursor, type ResumeCursor } from './cursor.ts';
import { type EventSource, type Identified, identified } from './events.ts';
import type { LogPosition } from './position.ts';

export interface PageOptions<Content extends object, Event> {
  readonly db: PrismaConnection;
  readonly changeLog: ChangeLog<Content>;
  readonly source: EventSource<Content, Event>;
}

export interface LogPage<Content, Event> {
  readonly entries: readonly LogEntry<Content>[];
  /** Events by entry; the first entry has only those after the cursor. */
  readonly eventsByEntry: readonly (readonly Identified<Event>[])[];
  /** The cursor after these events; on the last page, the cursor of the position. */
  readonly cursor: string;
  readonly isLast: boolean;
}

/**
 * Reads the events of so many entries, or of the first ones if they have many, from a cursor up to a position. Between two pages the cursor has a place
 * `within` its window: the end of the window, the last entry that was read, and how many of its events.
 * @returns `undefined` when some entries may have been removed, or the cursor is of another log.
 */
export async function readPage<Content extends object, Event>(
  { db, changeLog, source }: PageOptions<Content, Event>,
  { after, position, size }: { readonly after: ResumeCursor; readonly position: LogPosition; readonly size: number },
): Promise<LogPage<Content, Event> | undefined> {
  if (after.history !== position.history) return undefined;
  const { until, id: from, events: seen } = after.within ?? { until: position, id: 0, events: 0 };
  // The entry at the cursor is read again.
  const max = from > 0 ? size + 1 : size;
  const found = await readWindow(db, changeLog, { after, until, from, seen, events: source.sizes }, max);
  if (found === undefined) return undefined;
  const { entries, isAll } = found;
  const { within: _, ...base } = after;
  const all = identified(await source.read(entries), { entries, after: base, until, isAll });
  const eventsByEntry = all.map((events, index) => (entries[index]?.id === from ? events.slice(seen) : events));
  const within = { until, id: entries.at(-1)?.id ?? from, events: all.at(-1)?.length ?? 0 };
  const cursor = encodeCursor(isAll ? until : { ...base, within });
  return { entries, eventsByEntry, cursor, isLast: cursor === encodeCursor(position) };
}
