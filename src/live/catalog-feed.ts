import DataLoader from 'dataloader';
import type { Logger } from 'pino';
import type { Caller } from '../auth/caller.ts';
import { createStanding } from '../auth/standing.ts';
import { entriesBehind, extentOfLog, type LogExtent } from '../database/catalog-log.ts';
import type { Changes } from '../database/changes.ts';
import type { Database } from '../database/client.ts';
import { unavailableFrom } from '../database/outage.ts';
import { ServiceError } from '../errors.ts';
import { type CatalogEvent, eventsOf } from './catalog-event.ts';
import { createFollower, type Follower, isIn } from './follower.ts';
import { type Place, placeOf } from './place.ts';
import { createRecent, type Told } from './recent.ts';
import { readRecords } from './records.ts';

/** What somebody wants to follow. */
export interface Wish {
  /** The program, with its branches; all when it is not given. */
  readonly programId?: number | null | undefined;
  /** What has been seen already; from now on when it is not given. */
  readonly after?: Place | undefined;
}

interface Follow extends Wish {
  readonly caller: Caller;
  /** The id of the last event that came over a connection that broke; counts for more than `after`. */
  readonly lastEventId: string | undefined;
}

/** The changes of the catalog, as they happen, in the order of commits. */
export interface CatalogFeed {
  /**
   * Follows the catalog until the caller stops, or may no longer read it: then the events end. They break off with a
   * ServiceError `UNAVAILABLE` when the caller should come back and go on where they were.
   *
   * @throws ServiceError `UNAVAILABLE` when too many follow already, or the service stops.
   */
  follow(follow: Follow): Promise<AsyncIterableIterator<CatalogEvent>>;
  /** How many follow now. */
  followers(): number;
  /** Breaks off all who follow. */
  close(): Promise<void>;
}

interface FeedOptions {
  readonly db: Database;
  readonly changes: Changes;
  readonly log: Logger;
}

/** Entries that are read at a time. */
const pageSize = 50;
/** Entries before now that are read for the first who follow: after a restart, many come back at once. */
const headStart = 200;
/** Each takes a connection, of which there are more, and some 40 KB of memory. */
const followersMost = 10_000;
const retryAfterMs = 500;
const retryAfterSeconds = 1;

/** Opens the feed: however many follow, the log is read once. While nobody does, it is not read. */
export function openCatalogFeed({ db, changes, log }: FeedOptions): CatalogFeed {
  const standing = createStanding({ db, changes });
  const recent = createRecent();
  const followers = new Set<Follower>();
  /** Those who come at the same time share the look at the log. */
  const extents = new DataLoader<'now', LogExtent>(
    async (times) => {
      const extent = await extentOfLog(db);
      return times.map(() => extent);
    },
    { cache: false },
  );
  let closed = false;
  let stale = false;
  let reading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const readBehind = async (position: number): Promise<readonly Told[]> => {
    const entries = await entriesBehind(db, position, pageSize);
    const records = await readRecords(db, entries);
    return entries.map((entry) => ({ position: entry.position, events: eventsOf(entry, records) }));
  };

  /** Reads what is new, page by page, until there is nothing more. */
  const readOn = async (): Promise<void> => {
    while (stale && followers.size > 0) {
      stale = false;
      const from = recent.last();
      const page = await readBehind(from);
      // Meanwhile the last may have gone, and another come and begun elsewhere.
      if (page.length === 0 || from !== recent.last()) continue;
      recent.add(page);
      stale ||= page.length === pageSize;
      for (const follower of followers) follower.wake();
    }
  };

  const refresh = (): void => {
    stale = true;
    clearTimeout(timer);
    timer = undefined;
    if (closed) return;
    reading ??= readOn()
      .catch((problem) => {
        // What could not be read stays in the log.
        if (unavailableFrom(problem) === undefined)
          log.error({ err: problem }, 'changes of the catalog could not be read');
        timer = setTimeout(refresh, retryAfterMs).unref();
      })
      .finally(() => {
        reading = undefined;
        if (stale && timer === undefined && followers.size > 0) refresh();
      });
  };
  const unsubscribe = changes.subscribe((notice) => {
    if (notice === null || notice.kind === 'catalog') refresh();
  });

  const admit = (): void => {
    if (closed) throw new ServiceError('UNAVAILABLE', 'The service is shutting down.', { retryAfterSeconds });
    if (followers.size >= followersMost) {
      throw new ServiceError('UNAVAILABLE', 'Too many follow the catalog already.', { retryAfterSeconds });
    }
  };

  return {
    follow: async ({ caller, programId, after, lastEventId }) => {
      admit();
      const extent = await extents.load('now');
      admit();
      if (followers.size === 0) recent.startBehind(Math.max(extent.next - 1 - headStart, 0));
      const follower: Follower = createFollower({
        programId,
        start: startOf(extent, lastEventId ? (placeOf(lastEventId) ?? nowhere) : after),
        recent,
        readBehind,
        readExtent: () => extents.load('now'),
        onEnd: () => {
          followers.delete(follower);
          stopWatching();
        },
      });
      followers.add(follower);
      const stopWatching = standing.watch(caller, (now) =>
        follower.end(now && mayFollow(now) ? comeBack() : undefined),
      );
      refresh();
      return follower;
    },
    followers: () => followers.size,
    close: async () => {
      closed = true;
      unsubscribe();
      clearTimeout(timer);
      standing.close();
      for (const follower of followers) follower.end(comeBack());
      await reading;
    },
  };
}

/** A place in no log. */
const nowhere: Place = { position: 0, events: 0 };

/** Where to begin; `nowhere` when something after what has been seen may be lost. */
function startOf(extent: LogExtent, seen: Place | undefined): Place {
  if (seen === undefined) return { position: extent.next, events: 0 };
  return isIn(extent, seen) ? seen : nowhere;
}

function mayFollow({ active, permissions }: Caller): boolean {
  return active && permissions.has('programs:read');
}

/** Ends a connection so that its client makes a new one, and is then looked at anew. */
function comeBack(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The connection has ended. Please follow on from the last event.', {
    retryAfterSeconds,
  });
}
