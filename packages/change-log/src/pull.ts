// Pulling: a client without a connection asks for the events since a cursor, in pages.
import type { ChangeMonitor } from './change-monitor.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { Identified } from './events.ts';
import { type PageOptions, readPage } from './page.ts';
import { hasRead } from './position.ts';

export interface Pulled<Event> {
  readonly events: readonly Identified<Event>[];
  /** The place to go on from, for a subscription too. */
  readonly cursor: string;
  /** Whether there may be more now. */
  readonly hasMore: boolean;
  /** Whether to read everything again, and then to go on from the cursor; then there are no events. */
  readonly reload: boolean;
}

interface PullOptions<Content extends object, Event> extends PageOptions<Content, Event> {
  readonly changes: Pick<ChangeMonitor<never, Content>, 'refresh' | 'settled'>;
}

/** Entries read at a time; a page has fewer if they have many events. */
const sizeMax = 50;

/**
 * Returns the events committed by now that are not before the cursor, at most `max`, of as many entries; without a
 * cursor none. A new cursor names a moment that the caches of all instances have reached: data read after it, from any
 * instance, is complete with the events after it.
 */
export function createPull<Content extends object, Event>(
  options: PullOptions<Content, Event>,
): (after: string | undefined, max: number) => Promise<Pulled<Event>> {
  const { source, changes } = options;

  const startAgain = async (reload: boolean): Promise<Pulled<Event>> => {
    const cursor = encodeCursor(await changes.settled());
    return { events: [], cursor, hasMore: false, reload };
  };

  return async (after, max) => {
    const position = await changes.refresh();
    if (after === undefined) return startAgain(false);
    const events: Identified<Event>[] = [];
    let cursor = after;
    for (let left = max; left > 0; ) {
      const decoded = decodeCursor(cursor);
      const page = decoded && (await readPage(options, { after: decoded, position, size: Math.min(left, sizeMax) }));
      if (page === undefined) return startAgain(true);
      for (const [index, entry] of page.entries.entries()) {
        const found = page.eventsByEntry[index] ?? [];
        if (found.some(source.isReload)) {
          // Reading everything again suffices only once the caches of all instances have reached it.
          if (hasRead(await changes.settled(), entry)) return startAgain(true);
          return { events, cursor, hasMore: false, reload: false };
        }
        const taken = found.slice(0, max - events.length);
        events.push(...taken);
        cursor = taken.at(-1)?.id ?? cursor;
        if (taken.length < found.length) return { events, cursor, hasMore: true, reload: false };
      }
      cursor = page.cursor;
      left -= page.entries.length;
      if (page.isLast) return { events, cursor, hasMore: false, reload: false };
    }
    return { events, cursor, hasMore: true, reload: false };
  };
}
