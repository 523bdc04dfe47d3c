// Resuming: reads the changes that a subscriber missed from the log, page by page, from its cursor to the position of
// the feed. After the last page the feed goes on.
import { createSingleFlight } from '@service/single-flight';
import type { Logger } from 'pino';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { type PageOptions, readPage } from './page.ts';
import type { LogPosition } from './position.ts';
import type { EventPage } from './subscriber.ts';

export interface End {
  readonly position: LogPosition;
  readonly next: number;
}

export interface CatchUpOptions<Content extends object, Event> extends PageOptions<Content, Event> {
  readonly log: Logger;
}

const size = 50;

/** Subscribers at one cursor share one read. An invalid cursor, or one of removed entries, gives a reload. */
export function createCatchUp<Content extends object, Event>(
  options: CatchUpOptions<Content, Event>,
): (cursor: string, end: End) => Promise<EventPage<Event>> {
  const { source, log } = options;
  const share = createSingleFlight<EventPage<Event>>();

  const read = async (id: string, { position, next }: End): Promise<EventPage<Event>> => {
    const after = decodeCursor(id);
    const page = after && (await readPage(options, { after, position, size }));
    if (page) return { events: page.eventsByEntry.flat(), cursor: page.cursor, next: page.isLast ? next : undefined };
    // A client is at this position once it has read everything again.
    const end = encodeCursor(position);
    return { events: [{ ...source.reload(), id: end }], cursor: end, next };
  };

  const readOrWarn = async (id: string, end: End): Promise<EventPage<Event>> => {
    try {
      return await read(id, end);
    } catch (problem) {
      log.warn({ err: problem }, 'missed changes could not be read: subscriptions that resume are cut off');
      throw problem;
    }
  };

  return (id, end) => share(id, () => readOrWarn(id, end));
}
