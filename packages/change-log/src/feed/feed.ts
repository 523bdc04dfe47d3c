// Change feed: one reader of the change log for all subscribers. `pending` holds the batches of polls whose records are
// not read yet, and `next` numbers the entries of the replay buffer; past `pendingMax` the buffer restarts, and
// subscribers catch up from the log.

import { ServiceError } from '@service/errors';
import { isOutage } from '@service/postgres/errors';
import type { Logger } from 'pino';
import type { CallerMonitor } from '../../../../src/accounts/authentication/caller-monitor.ts';
import type { Caller } from '../../../../src/accounts/caller.ts';
import type { Database } from '../../../../src/database/types.ts';
import type { LogEntry, LogPosition } from '../change-log.ts';
import type { ChangeMonitor } from '../change-monitor.ts';
import { type CatalogEvent, eventsOf } from './catalog-event.ts';
import { createCatchUp } from './catch-up.ts';
import { encodeCursor, type ResumeCursor } from './cursor.ts';
import { readRecords } from './records.ts';
import { createReplayBuffer } from './replay-buffer.ts';
import { createSubscriber, type Subscriber } from './subscriber.ts';

export interface SubscribeOptions {
  readonly programId?: number | null | undefined;
  readonly after?: ResumeCursor | undefined;
}

interface Subscription extends SubscribeOptions {
  readonly caller: Caller;
  /** The `Last-Event-ID` header of a reconnecting client; takes precedence over `after`. */
  readonly lastEventId: string | undefined;
}

/** The changes of the catalog as they are committed; those of one record in the order of commits. */
export interface CatalogFeed {
  /**
   * Ends when the caller may no longer read, and with `UNAVAILABLE` when the client should reconnect and resume.
   * @throws ServiceError `RATE_LIMITED` with too many of this caller; `UNAVAILABLE` with too many in all, while the
   *   service stops, or without the database.
   */
  subscribe(subscription: Subscription): Promise<AsyncIterableIterator<CatalogEvent>>;
  subscribers(): number;
  close(): Promise<void>;
}

interface FeedOptions {
  readonly db: Database;
  readonly changes: ChangeMonitor;
  readonly callers: Pick<CallerMonitor, 'watch'>;
  readonly log: Logger;
}

interface Batch {
  readonly since: LogPosition;
  readonly now: LogPosition;
  readonly entries: readonly LogEntry[];
}

/** Entries in the queue of `Batch`es; past this, each subscriber reads the log by itself. */
const pendingMax = 1_000;
/** Each takes a connection of the client and some 40 KB of memory. */
const subscribersMax = 10_000;
/** Of one user, with all their keys: many tabs, or a server for many people. */
const callerSubscribersMax = 1_000;
const retryAfterMs = 500;
const retryAfterSeconds = 1;

/** Opens the feed. The records of a change are read once for all subscribers, and not at all without subscribers. */
export function openCatalogFeed({ db, changes, callers, log }: FeedOptions): CatalogFeed {
  const replayBuffer = createReplayBuffer();
  const catchUp = createCatchUp(db, log);
  const subscribers = new Set<Subscriber>();
  const ofCaller = new Map<string | null, number>();
  let closed = false;
  let position: LogPosition | undefined;
  let next = 0;
  let pending: Batch[] = [];
  let reading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Skips entries; subscribers read them from the log. */
  const skip = (): void => {
    pending = [];
    next += 1;
    replayBuffer.restart(next);
    wakeAll();
  };

  const wakeAll = (): void => {
    for (const subscriber of subscribers) subscriber.wake();
  };

  const readPending = async (): Promise<void> => {
    for (let batch = pending[0]; batch !== undefined && !closed; batch = pending[0]) {
      const { since, now, entries } = batch;
      const records = await readRecords(db, entries);
      // Meanwhile `skip` may have emptied the queue.
      if (pending[0] !== batch) continue;
      pending.shift();
      replayBuffer.add(eventsOf({ entries, records, after: since, until: now.snapshot, end: now }));
      wakeAll();
    }
  };

  const read = (): void => {
    if (closed || timer !== undefined) return;
    reading ??= readPending()
      .catch((problem) => {
        if (!isOutage(problem))
          log.error({ err: problem }, 'records of the change log could not be read for subscriptions');
        timer = setTimeout(() => {
          timer = undefined;
          read();
        }, retryAfterMs).unref();
      })
      .finally(() => {
        reading = undefined;
        if (pending.length > 0) read();
      });
  };

  const unwatch = changes.onPoll(({ since, now, entries: all }) => {
    position = now;
    const entries = all?.filter(({ records }) => records === null || records.length > 0);
    if (entries?.length === 0) return;
    const size = pending.reduce((sum, batch) => sum + batch.entries.length, entries?.length ?? 0);
    if (since === undefined || entries === undefined || subscribers.size === 0 || size > pendingMax) return skip();
    pending.push({ since, now, entries });
    next += entries.length;
    read();
  });

  const assertAdmission = ({ name }: Caller): void => {
    if (closed) throw new ServiceError('UNAVAILABLE', 'The service is shutting down.', { retryAfterSeconds });
    if (subscribers.size >= subscribersMax) {
      throw new ServiceError('UNAVAILABLE', 'Too many open subscriptions.', { retryAfterSeconds });
    }
    if ((ofCaller.get(name) ?? 0) >= callerSubscribersMax) {
      const message = `You have ${callerSubscribersMax} open subscriptions, which is the limit. Close some first.`;
      throw new ServiceError('RATE_LIMITED', message, { retryAfterSeconds });
    }
  };

  const count = ({ name }: Caller, change: 1 | -1): void => {
    const open = (ofCaller.get(name) ?? 0) + change;
    if (open === 0) ofCaller.delete(name);
    else ofCaller.set(name, open);
  };

  const subscribe: CatalogFeed['subscribe'] = async ({ caller, programId, after, lastEventId }) => {
    assertAdmission(caller);
    // Commits before this call are not new, and a client from another instance may have seen more than this one.
    const current = await changes.refresh();
    assertAdmission(caller);
    position = current;
    const resumeAt = lastEventId || (after && encodeCursor(after));
    const subscriber: Subscriber = createSubscriber({
      programId,
      start: resumeAt ? { cursor: resumeAt, next: undefined } : { cursor: encodeCursor(current), next },
      replayBuffer,
      readBehind: (cursor) => catchUp(cursor, { position: position ?? current, next }),
      onEnd: () => {
        subscribers.delete(subscriber);
        count(caller, -1);
        stopWatching();
      },
    });
    subscribers.add(subscriber);
    count(caller, 1);
    const stopWatching = callers.watch(caller, (now) =>
      subscriber.end(now && maySubscribe(now) ? reconnectError() : undefined),
    );
    return subscriber;
  };

  return {
    subscribe,
    subscribers: () => subscribers.size,
    close: async () => {
      closed = true;
      unwatch();
      clearTimeout(timer);
      for (const subscriber of subscribers) subscriber.end(reconnectError());
      await reading;
    },
  };
}

function maySubscribe({ active, permissions }: Caller): boolean {
  return active && permissions.has('programs:read');
}

/** Makes the client reconnect, with its credential checked again. */
function reconnectError(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The subscription has ended. Reconnect with Last-Event-ID.', {
    retryAfterSeconds,
  });
}
