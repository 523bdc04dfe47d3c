// Polls the change log on one connection: every 250 ms, and soon after a LISTEN/NOTIFY hint, which PgBouncer in
// transaction mode does not deliver. A poll reads what has not been read at the position of the previous one, so no commit
// is missed in whatever order transactions commit, nor after a crash of PostgreSQL. An error or a timeout drops the
// connection, and the next poll opens another.
import { hash } from 'node:crypto';
import type { Client } from '@service/postgres/client';
import { isOutage } from '@service/postgres/errors';
import { DatabaseError } from 'pg';
import type { ChangeLog, LogEntry } from './change-log.ts';
import { entriesMax, openPollConnection, type PollConnection, pollRow, withTimeout } from './poll-connection.ts';
import { type LogPosition, noMark } from './position.ts';

export interface Poll<Content> {
  /** The end of the previous poll; `undefined` at the first, and when the database has another history. */
  readonly since: LogPosition | undefined;
  readonly now: LogPosition;
  /** The new entries, in order; `null` when there are too many, or they are not known. */
  readonly entries: readonly LogEntry<Content>[] | null;
  /** Whether the database is the one of the previous poll, on another timeline: a standby was promoted. */
  readonly isOtherTimeline: boolean;
}

export interface ChangePoller {
  /** `performance.now()` when the last poll was sent: all earlier commits are known. `-Infinity` when disconnected. */
  readonly currentAsOf: number;
  /** Waits for a poll that starts after this call; rejects when it fails. */
  refresh(): Promise<LogPosition>;
  /** Polls soon, and notifies the other instances to do so. */
  hint(): void;
  close(): Promise<void>;
}

interface PollerOptions<Content extends object> {
  readonly databaseUrl: string;
  readonly log: ChangeLog<Content>;
  /** Called with each poll that found changes, before `currentAsOf` moves. */
  readonly onPoll: (poll: Poll<Content>) => void;
  /** Called when polls begin to fail for a reason other than an outage. */
  readonly onFailure: (problem: DatabaseError) => void;
}

/** The longest time until changes by others are found without hints. */
const pollEveryMs = 250;
/** Minimum time between polls on hints, however often others commit. */
const hintEveryMs = 30;
const reconnectAfterMs = 200;

/** Waits for the first poll; a failed poll is retried. */
export async function openChangePoller<Content extends object>(options: PollerOptions<Content>): Promise<ChangePoller> {
  const poller = new Poller(options);
  await poller.poll();
  return poller;
}

/** One poll at a time. */
type State =
  /** Waits for the next poll; `isSoon` after a hint. */
  | { readonly is: 'waiting'; readonly timer?: NodeJS.Timeout; readonly isSoon: boolean }
  /** `next` is the poll after this one, shared by all calls during this one; `isHinted` after a hint during this one. */
  | { readonly is: 'polling'; readonly poll: Promise<LogPosition>; next?: Promise<LogPosition>; isHinted: boolean }
  | { readonly is: 'closed' };

class Poller<Content extends object> implements ChangePoller {
  currentAsOf = Number.NEGATIVE_INFINITY;
  #state: State = { is: 'waiting', isSoon: false };
  #connection: PollConnection | undefined;
  #position: LogPosition | undefined;
  #server: Pick<RowOf<Content>, 'database' | 'timeline'> | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  /** Whether the next poll notifies the other instances. */
  #notifies = false;
  #isFailing = false;
  readonly #options: PollerOptions<Content>;
  readonly #row: ReturnType<typeof pollRow<Content>>;

  constructor(options: PollerOptions<Content>) {
    this.#options = options;
    this.#row = pollRow(options.log);
  }

  /** Calls during a poll share the next, or the failure of this one. */
  refresh(): Promise<LogPosition> {
    const state = this.#state;
    switch (state.is) {
      case 'waiting':
        return this.#begin();
      case 'polling':
        state.next ??= state.poll.then(() => this.refresh());
        return state.next;
      case 'closed':
        return Promise.reject(new Error('The poller is closed.'));
    }
  }

  async poll(): Promise<void> {
    await this.refresh().catch(() => undefined);
  }

  hint(): void {
    this.#notifies = true;
    this.#pollSoon();
  }

  async close(): Promise<void> {
    const state = this.#state;
    this.#state = { is: 'closed' };
    if (state.is === 'waiting') clearTimeout(state.timer);
    if (state.is === 'polling') await state.poll.catch(() => undefined);
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection !== undefined) await withTimeout(connection.client, connection.client.end());
  }

  #begin(): Promise<LogPosition> {
    if (this.#state.is === 'waiting') clearTimeout(this.#state.timer);
    const poll = this.#send();
    const state: State = { is: 'polling', poll, isHinted: false };
    this.#state = state;
    poll.then(
      () => this.#wait(state.isHinted ? this.#untilHintsCount() : this.#untilRegularPoll(), state.isHinted),
      (problem) => {
        const isPermanent = problem instanceof DatabaseError && !isOutage(problem);
        if (isPermanent && !this.#isFailing) this.#options.onFailure(problem);
        this.#isFailing ||= isPermanent;
        this.#wait(reconnectAfterMs, false);
      },
    );
    return poll;
  }

  #wait(afterMs: number, isSoon: boolean): void {
    if (this.#state.is === 'closed') return;
    this.#state = { is: 'waiting', timer: setTimeout(() => void this.poll(), afterMs).unref(), isSoon };
  }

  #untilRegularPoll(): number {
    return Math.max(hintEveryMs, this.#sentAt + pollEveryMs - performance.now());
  }

  #untilHintsCount(): number {
    return Math.max(0, this.#sentAt + hintEveryMs - performance.now());
  }

  #pollSoon(): void {
    const state = this.#state;
    if (state.is === 'polling') state.isHinted = true;
    if (state.is !== 'waiting' || state.isSoon) return;
    clearTimeout(state.timer);
    this.#wait(this.#untilHintsCount(), true);
  }

  async #send(): Promise<LogPosition> {
    this.#connection ??= await openPollConnection({
      databaseUrl: this.#options.databaseUrl,
      log: this.#options.log,
      onLost: (client) => this.#onLost(client),
      onNotification: () => this.#pollSoon(),
    });
    const { client, statement } = this.#connection;
    const { snapshot = null, last } = this.#position ?? {};
    const lastEntry = last === undefined ? [null, null, null] : [last.id, String(last.xid), last.at.toISOString()];
    const values = [snapshot, ...lastEntry, this.#notifies];
    this.#notifies = false;
    const sentAt = performance.now();
    this.#sentAt = sentAt;
    try {
      const { rows } = await withTimeout(client, client.query<object>({ ...statement, values }));
      const row = this.#row.parse(rows[0]);
      if (row.isStandby) throw new Error('The database is a read-only standby.');
      this.#position = this.#apply(row);
      this.currentAsOf = sentAt;
      this.#isFailing = false;
      return this.#position;
    } catch (problem) {
      this.#drop(client);
      throw problem;
    }
  }

  #apply({ database, timeline, snapshot, isContinued, last, entries }: RowOf<Content>): LogPosition {
    const history = hash('sha256', `${database} ${timeline}`, 'base64url').slice(0, 12);
    const isOtherTimeline = database === this.#server?.database && timeline !== this.#server.timeline;
    this.#server = { database, timeline };
    const position = this.#position;
    const isSame = history === position?.history && (isContinued || position.last.id === noMark.id);
    const since = isSame ? position : undefined;
    const now = { history, snapshot, last: last ?? noMark };
    this.#position = now;
    if (since === undefined || entries === null || entries.length > entriesMax) {
      this.#options.onPoll({ since, now, entries: null, isOtherTimeline });
    } else if (entries.length > 0) this.#options.onPoll({ since, now, entries, isOtherTimeline });
    return now;
  }

  #onLost(client: Client): void {
    const isInUse = this.#connection?.client === client;
    this.#drop(client);
    if (isInUse && this.#state.is === 'waiting') void this.poll();
  }

  #drop(client: Client): void {
    if (this.#connection?.client === client) {
      this.#connection = undefined;
      this.currentAsOf = Number.NEGATIVE_INFINITY;
    }
    client.end().catch(() => undefined);
  }
}

type RowOf<Content extends object> = ReturnType<ReturnType<typeof pollRow<Content>>['parse']>;
