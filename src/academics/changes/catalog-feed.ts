import { encodeCursor, type ResumeCursor } from '@service/change-log/cursor';
import { type FeedProblem, openFeed, ownerSubscribersMax } from '@service/change-log/feed';
import type { Pulled } from '@service/change-log/pull';
import { ServiceError } from '@service/errors';
import type { Logger } from 'pino';
import type { Database } from '../../database/types.ts';
import { accountOf, type Caller, type CallerWatch } from '../../operations/caller.ts';
import { type CatalogEvent, catalogEvents, type EventContent } from './catalog-event.ts';
import { type CatalogMonitor, catalogLog } from './catalog-log.ts';

interface SubscribeOptions {
  readonly programId?: number | null | undefined;
  readonly after?: ResumeCursor | undefined;
  /** Whether notes on records count. */
  readonly notes?: boolean | undefined;
}

interface Subscription extends SubscribeOptions {
  readonly caller: Caller;
  /** The `Last-Event-ID` header of a reconnecting client; takes precedence over `after`. */
  readonly lastEventId: string | undefined;
}

/** Changes of the catalog as they are committed; changes of one record come in the order of commits. */
export interface CatalogFeed {
  /**
   * Ends when the caller may no longer read, and with `UNAVAILABLE` when the client should reconnect and resume.
   * @throws ServiceError `RATE_LIMITED` with too many of this caller; `UNAVAILABLE` with too many in all, while the
   *   service stops, or without the database.
   */
  subscribe(subscription: Subscription): Promise<AsyncIterableIterator<CatalogEvent>>;
  /** Returns at most `max` changes after a cursor (`CatalogChanges` of the schema). @throws the database's error. */
  pull(after: string | undefined, max: number): Promise<Pulled<EventContent>>;
  subscribers(): number;
  close(): Promise<void>;
}

interface FeedOptions {
  readonly db: Database;
  readonly changes: CatalogMonitor;
  readonly callers: CallerWatch;
  readonly log: Logger;
}

/** The feed of changes of the catalog; a subscription ends when its caller may no longer read. */
export function openCatalogFeed({ db, changes, callers, log }: FeedOptions): CatalogFeed {
  const feed = openFeed({ db, changeLog: catalogLog, source: catalogEvents(db), changes, errorOf, log });
  return {
    ...feed,
    pull: async (after, max) => {
      const { events, ...rest } = await feed.pull(after, max);
      return { ...rest, events: events.filter(({ action }) => action !== 'NOTE') };
    },
    subscribe: ({ caller, programId, after, lastEventId, notes = false }) =>
      feed.subscribe({
        owner: accountOf(caller),
        matches: (event) => (notes || event.action !== 'NOTE') && concerns(event, programId),
        after: lastEventId || (after && encodeCursor(after)),
        // The client reconnects, with its credential checked again.
        watch: (end) => callers.watch(caller, (now) => end(now && maySubscribe(now) ? 'ended' : undefined)),
      }),
  };
}

function concerns({ programs }: EventContent, programId: number | null | undefined): boolean {
  return typeof programId !== 'number' || programs === null || programs.includes(programId);
}

function maySubscribe({ active, permissions }: Caller): boolean {
  return active && permissions.has('programs:read');
}

function errorOf(problem: FeedProblem): ServiceError {
  const retryAfterSeconds = 1;
  const unavailable = (message: string) => new ServiceError('UNAVAILABLE', message, { retryAfterSeconds });
  switch (problem) {
    case 'closed':
      return unavailable('The service is shutting down.');
    case 'full':
      return unavailable('Too many open subscriptions.');
    case 'ended':
      return unavailable('The subscription has ended. Reconnect with Last-Event-ID.');
    case 'too many of one owner': {
      const message = `You have ${ownerSubscribersMax} open subscriptions, which is the limit. Close some first.`;
      return new ServiceError('RATE_LIMITED', message, { retryAfterSeconds });
    }
  }
}
