// Change feed: one reader of the change log for all subscribers. `pending` holds the batches of polls whose events are
// not read yet, and `next` numbers the entries of the replay buffer; past `pendingMax` the buffer restarts, and
// subscribers catch up from the log.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isOutage } from '@service/postgres/errors';
import { createSharedLimit } from '@service/postgres/limits';
import { type CatchUpOptions, createCatchUp } from './catch-up.ts';
import type { LogEntry } from './change-log.ts';
import type { ChangeMonitor } from './change-monitor.ts';
import { encodeCursor } from './cursor.ts';
import { type Identified, identified } from './events.ts';
import type { LogPosition } from './position.ts';
import { createPull, type Pulled } from './pull.ts';
import { createReplayBuffer } from './replay-buffer.ts';
import { createSubscriber, type Subscriber } from './subscriber.ts';

/** Why a subscription is rejected or ends; after `ended`, the client reconnects and resumes. */
export type FeedProblem = 'closed' | 'full' | 'too many of one owner' | 'ended';

interface Subscription<Event> {
  readonly owner: string | null;
  readonly matches: (event: Event) => boolean;
  /** The id of the last event received; from now on when absent. */
  readonly after: string | undefined;
  /** Called when it begins, with how to end it; returns what to call when it has ended. */
  readonly watch: (end: (problem?: FeedProblem) => void) => () => void;
}

/** Changes as they are committed; changes of one record come in the order of commits. */
export interface Feed<Event> {
  /** Rejects with the error of a problem, or with the database's. */
  subscribe(subscription: Subscription<Event>): Promise<Omit<Subscriber<Event>, 'wake' | 'end'>>;
  /**
   * Returns at most `max` events after a cursor; without a cursor only a new one. Rejects with the database's error.
   */
  pull(after: string | undefined, max: number): Promise<Pulled<Event>>;
  subscribers(): number;
  close(): Promise<void>;
}

interface FeedOptions<Content extends object, Event> extends CatchUpOptions<Content, Event> {
  readonly changes: Pick<ChangeMonitor<never, Content>, 'onPoll' | 'refresh' | 'settled'>;
  readonly errorOf: (problem: FeedProblem) => Error;
}

interface Batch<Content> {
  readonly since: LogPosition;
  readonly now: LogPosition;
  readonly entries: readonly LogEntry<Content>[];
}

/** Events in the queue of `Batch`es; past this, subscribers read the log in pages. */
const pendingMax = 5_000;
/** A subscriber takes a connection of the client and some 40 KB of memory. */
const subscribersMax = 10_000;
/** Limits one owner: many tabs, or a server for many people. */
export const ownerSubscribersMax = 1_000;
/** Pages of the log that are read at a time for subscribers who are behind, and for those of one owner. */
const catchUpsMax = 4;
const ownerCatchUpsMax = 2;
/** Subscribers that are woken in one turn of the event loop. */
const wokenPerTurn = 500;
const retryAfterMs = 500;

/** Opens the feed. The events of a change are read once for all subscribers, and not at all without subscribers. */
export function openFeed<Content extends object, Event>(options: FeedOptions<Content, Event>): Feed<Event> {
  const { source, changes, errorOf, log } = options;
  const replayBuffer = createReplayBuffer<Identified<Event>>();
  const catchUp = createCatchUp(options);
  const catchUpLimit = createSharedLimit(catchUpsMax, { ofOwnerMax: ownerCatchUpsMax });
  const subscribers = new Set<Subscriber<Event>>();
  const countByOwner = new Map<string | null, number>();
  let closed = false;
  let position: LogPosition | undefined;
  let next = 0;
  let pending: Batch<Content>[] = [];
  let reading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Skips entries; subscribers read them from the log. */
  const skip = (): void => {
    pending = [];
    next += 1;
    replayBuffer.restart(next);
    void wakeAll();
  };

  /** In turns of the event loop, as each passes over the events that concern others. */
  const wakeAll = async (): Promise<void> => {
    let woken = 0;
    for (const subscriber of subscribers) {
      subscriber.wake();
      woken += 1;
      if (woken % wokenPerTurn === 0) await nextTurn();
    }
  };

  const readPending = async (): Promise<void> => {
    for (let batch = pending[0]; batch !== undefined && !closed; batch = pending[0]) {
      const { since, now, entries } = batch;
      const eventsByEntry = await source.read(entries);
      // `skip` may have emptied the queue during the read.
      if (pending[0] !== batch) continue;
      pending.shift();
      replayBuffer.add(identified(eventsByEntry, { entries, after: since, until: now, isAll: true }));
      void wakeAll();
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
    const entries = all?.filter((entry) => source.size(entry) > 0);
    if (entries?.length === 0) return;
    const batches = [...pending.map((batch) => batch.entries), entries ?? []];
    const size = batches.flat().reduce((sum, entry) => sum + source.size(entry), 0);
    if (since === undefined || entries === undefined || subscribers.size === 0 || size > pendingMax) return skip();
    pending.push({ since, now, entries });
    next += entries.length;
    read();
  });

  const assertAdmission = (owner: string | null): void => {
    if (closed) throw errorOf('closed');
    if (subscribers.size >= subscribersMax) throw errorOf('full');
    if ((countByOwner.get(owner) ?? 0) >= ownerSubscribersMax) throw errorOf('too many of one owner');
  };

  const count = (owner: string | null, change: 1 | -1): void => {
    const open = (countByOwner.get(owner) ?? 0) + change;
    if (open === 0) countByOwner.delete(owner);
    else countByOwner.set(owner, open);
  };

  const subscribe: Feed<Event>['subscribe'] = async ({ owner, matches, after, watch }) => {
    assertAdmission(owner);
    // Commits before this call are not new, and a client from another instance may have seen more than this one.
    const current = await changes.refresh();
    assertAdmission(owner);
    position = current;
    const catchUpInTurn = catchUpLimit(owner ?? '');
    const subscriber: Subscriber<Event> = createSubscriber<Event>({
      matches,
      start: after ? { cursor: after, next: undefined } : { cursor: encodeCursor(current), next },
      replayBuffer,
      // One that has ended meanwhile leaves its place to the next.
      readBehind: (cursor) =>
        catchUpInTurn(async () =>
          subscribers.has(subscriber)
            ? catchUp(cursor, { position: position ?? current, next })
            : { events: [], cursor, next: undefined },
        ),
      onEnd: () => {
        subscribers.delete(subscriber);
        count(owner, -1);
        stopWatching();
      },
    });
    subscribers.add(subscriber);
    count(owner, 1);
    const stopWatching = watch((problem) => subscriber.end(problem && errorOf(problem)));
    return subscriber;
  };

  return {
    subscribe,
    pull: createPull(options),
    subscribers: () => subscribers.size,
    close: async () => {
      closed = true;
      unwatch();
      clearTimeout(timer);
      for (const subscriber of subscribers) subscriber.end(errorOf('ended'));
      await reading;
    },
  };
}
