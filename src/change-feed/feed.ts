import type { Logger } from 'pino';
import type { Caller } from '../auth/caller.ts';
import { createCallerMonitor } from '../auth/caller-monitor.ts';
import type { LogEntry, LogPosition } from '../database/change-log/change-log.ts';
import type { ChangeMonitor } from '../database/change-log/change-monitor.ts';
import type { Database } from '../database/connection/types.ts';
import { toUnavailableError } from '../database/connection/unavailable.ts';
import { ServiceError } from '../errors.ts';
import { type CatalogEvent, eventsOf } from './catalog-event.ts';
import { createCatchUp } from './catch-up.ts';
import { encodeCursor, type ResumeCursor } from './cursor.ts';
import { readRecords } from './records.ts';
import { createReplayBuffer } from './replay-buffer.ts';
import { createSubscriber, type Subscriber } from './subscriber.ts';

/** What somebody wants to follow. */
export interface SubscribeOptions {
  /** The program, with its branches; all when it is not given. */
  readonly programId?: number | null | undefined;
  /** What has been seen already; from now on when it is not given. */
  readonly after?: ResumeCursor | undefined;
}

interface Subscription extends SubscribeOptions {
  readonly caller: Caller;
  /** The id of the last event that came over a connection that broke; counts for more than `after`. */
  readonly lastEventId: string | undefined;
}

/** The changes of the catalog, as they happen: those of one record in the order of commits. */
export interface CatalogFeed {
  /**
   * Follows the catalog until the caller stops, or may no longer read it: then the events end. They break off with a
   * ServiceError `UNAVAILABLE` when the caller should come back and go on where they were.
   *
   * @throws ServiceError `UNAVAILABLE` when too many follow already, the service stops, or the database is out of reach.
   */
  subscribe(subscribe: Subscription): Promise<AsyncIterableIterator<CatalogEvent>>;
  /** How many follow now. */
  subscribers(): number;
  /** Breaks off all who follow. */
  close(): Promise<void>;
}

interface FeedOptions {
  readonly db: Database;
  readonly changes: ChangeMonitor;
  readonly log: Logger;
}

/** Entries of one poll that changed the catalog, and have not been told yet. */
interface Batch {
  readonly since: LogPosition;
  readonly now: LogPosition;
  readonly entries: readonly LogEntry[];
}

/** So many entries wait for their records to be read; when more come, each follower reads the log by itself. */
const waitingMax = 1_000;
/** Each takes a connection, of which there are more, and some 40 KB of memory. */
const subscribersMax = 10_000;
const retryAfterMs = 500;
const retryAfterSeconds = 1;

/** Opens the feed: however many follow, the records of a change are read once. While nobody does, they are not read. */
export function openCatalogFeed({ db, changes, log }: FeedOptions): CatalogFeed {
  const standing = createCallerMonitor({ db, changes });
  const recent = createReplayBuffer();
  const catchUp = createCatchUp(db);
  const followers = new Set<Subscriber>();
  let closed = false;
  /** Where the log ended at the last look. */
  let position: LogPosition | undefined;
  /** The number of the entry that comes next; those of `waiting` have theirs. */
  let next = 0;
  let waiting: Batch[] = [];
  let reading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** What was between has not been read: whoever follows reads the log itself. */
  const skip = (): void => {
    waiting = [];
    next += 1;
    recent.restart(next);
    wakeAll();
  };

  const wakeAll = (): void => {
    for (const follower of followers) follower.wake();
  };

  const readOn = async (): Promise<void> => {
    for (let batch = waiting[0]; batch !== undefined && !closed; batch = waiting[0]) {
      const { since, now, entries } = batch;
      const records = await readRecords(db, entries);
      // Meanwhile there may have been more than could wait.
      if (waiting[0] !== batch) continue;
      waiting.shift();
      recent.add(eventsOf({ entries, records, after: since, until: now.snapshot, end: now }));
      wakeAll();
    }
  };

  const read = (): void => {
    if (closed || timer !== undefined) return;
    reading ??= readOn()
      .catch((problem) => {
        if (toUnavailableError(problem) === undefined)
          log.error({ err: problem }, 'changes of the catalog could not be read');
        timer = setTimeout(() => {
          timer = undefined;
          read();
        }, retryAfterMs).unref();
      })
      .finally(() => {
        reading = undefined;
        if (waiting.length > 0) read();
      });
  };

  const unwatch = changes.watch(({ since, now, entries: all }) => {
    position = now;
    const entries = all?.filter(({ records }) => records === null || records.length > 0);
    if (entries?.length === 0) return;
    const size = waiting.reduce((sum, batch) => sum + batch.entries.length, entries?.length ?? 0);
    if (since === undefined || entries === undefined || followers.size === 0 || size > waitingMax) return skip();
    waiting.push({ since, now, entries });
    next += entries.length;
    read();
  });

  const admit = (): void => {
    if (closed) throw new ServiceError('UNAVAILABLE', 'The service is shutting down.', { retryAfterSeconds });
    if (followers.size >= subscribersMax) {
      throw new ServiceError('UNAVAILABLE', 'Too many follow the catalog already.', { retryAfterSeconds });
    }
  };

  const follow: CatalogFeed['subscribe'] = async ({ caller, programId, after, lastEventId }) => {
    admit();
    // What was committed before is not told as new; and who comes from another instance may have seen more than this one.
    const found = await changes.refresh();
    admit();
    position = found;
    const seen = lastEventId || (after && encodeCursor(after));
    const follower: Subscriber = createSubscriber({
      programId,
      start: seen ? { place: seen, next: undefined } : { place: encodeCursor(found), next },
      recent,
      readBehind: (place) => catchUp(place, { position: position ?? found, next }),
      onEnd: () => {
        followers.delete(follower);
        stopWatching();
      },
    });
    followers.add(follower);
    const stopWatching = standing.watch(caller, (now) =>
      follower.end(now && maySubscribe(now) ? reconnectError() : undefined),
    );
    return follower;
  };

  return {
    subscribe: follow,
    subscribers: () => followers.size,
    close: async () => {
      closed = true;
      unwatch();
      clearTimeout(timer);
      standing.close();
      for (const follower of followers) follower.end(reconnectError());
      await reading;
    },
  };
}

function maySubscribe({ active, permissions }: Caller): boolean {
  return active && permissions.has('programs:read');
}

/** Ends a connection so that its client makes a new one, and is then looked at anew. */
function reconnectError(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The connection has ended. Please follow on from the last event.', {
    retryAfterSeconds,
  });
}
