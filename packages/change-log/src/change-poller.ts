// Polls the change log on one connection: every 250 ms, and soon after a LISTEN/NOTIFY hint, which PgBouncer in
// transaction mode does not deliver. A poll reads what has become visible since the previous snapshot (`pg_snapshot`),
// so no commit is missed in whatever order transactions commit. One poll runs at a time, and at most one more is
// queued; an error or a timeout drops the connection, and the next poll opens another.
import { hash } from 'node:crypto';
import type { Client } from '@service/postgres/client';
import { isOutage } from '@service/postgres/errors';
import { DatabaseError } from 'pg';
import type { z } from 'zod';
import type { LogEntry, LogPosition } from './change-log.ts';
import { openPollConnection, type PollConnection, withTimeout } from './poll-connection.ts';
import { entriesMax, pollRow } from './poll-statement.ts';

export interface Poll {
  /** The end of the previous poll; `undefined` at the first, and when the database has another history. */
  readonly since: LogPosition | undefined;
  readonly now: LogPosition;
  /** The new entries, in order; `null` when there are too many, or they are not known. */
  readonly entries: readonly LogEntry[] | null;
}

export interface ChangePoller {
  /** `performance.now()` when the last poll was sent: all earlier commits are known. `-Infinity` when disconnected. */
  currentAsOf(): number;
  /** Waits for a poll that starts after this call; rejects when it fails. */
  refresh(): Promise<LogPosition>;
  /** Polls soon, and notifies the other instances to do so. */
  hint(): void;
  close(): Promise<void>;
}

interface PollerOptions {
  readonly databaseUrl: string;
  /** Called with each poll that found changes, before `currentAsOf` moves. */
  readonly onPoll: (poll: Poll) => void;
  /** Called when polls begin to fail for a reason other than an outage. */
  readonly onFailure: (problem: DatabaseError) => void;
}

/** Without hints, changes by others are found this late. */
const pollEveryMs = 250;
/** Minimum time between polls on hints, however often others commit. */
const hintEveryMs = 30;
const reconnectAfterMs = 200;

const noMark = { id: 0, xid: 0, at: new Date(0) };

/** Waits for the first poll; a failed poll is retried. */
export async function openChangePoller({ databaseUrl, onPoll, onFailure }: PollerOptions): Promise<ChangePoller> {
  let connection: PollConnection | undefined;
  let position: LogPosition | undefined;
  let currentAsOf = Number.NEGATIVE_INFINITY;
  let sentAt = Number.NEGATIVE_INFINITY;
  let hintDue = false;
  let closed = false;
  let failing = false;
  let polling: Promise<LogPosition> | undefined;
  let queued: Promise<LogPosition> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let soonTimer: NodeJS.Timeout | undefined;

  const drop = (client: Client): void => {
    if (connection?.client === client) {
      connection = undefined;
      currentAsOf = Number.NEGATIVE_INFINITY;
    }
    client.end().catch(() => undefined);
  };

  const onLost = (client: Client): void => {
    const isIdle = connection?.client === client && polling === undefined;
    drop(client);
    if (isIdle && !closed) void start();
  };

  const connect = (): Promise<PollConnection> =>
    openPollConnection({ databaseUrl, onLost, onNotification: () => soon() });

  const apply = (row: z.output<typeof pollRow>): LogPosition => {
    const { snapshot, isContinued, last, entries } = row;
    const history = hash('sha256', row.history, 'base64url').slice(0, 12);
    const isSame = history === position?.history && (isContinued || position.last.id === noMark.id);
    const since = isSame ? position : undefined;
    const now = { history, snapshot, last: last ?? noMark };
    position = now;
    if (since === undefined || entries.length > entriesMax) onPoll({ since, now, entries: null });
    else if (entries.length > 0) onPoll({ since, now, entries });
    return now;
  };

  const poll = async (): Promise<LogPosition> => {
    if (closed) throw new Error('The poller is closed.');
    connection ??= await connect();
    const { client, statement } = connection;
    const { snapshot = null, last = noMark } = position ?? {};
    const values = [snapshot, last.id, String(last.xid), last.at.toISOString(), hintDue];
    hintDue = false;
    sentAt = performance.now();
    const startedAt = sentAt;
    try {
      const { rows } = await withTimeout(client, client.query<object>({ ...statement, values }));
      const row = pollRow.parse(rows[0]);
      if (row.isStandby) throw new Error('The database is a read-only standby.');
      const now = apply(row);
      currentAsOf = startedAt;
      failing = false;
      return now;
    } catch (problem) {
      drop(client);
      throw problem;
    }
  };

  const run = (): Promise<LogPosition> => {
    clearTimeout(timer);
    const running = poll();
    polling = running;
    const settle = (afterMs: number): void => {
      polling = undefined;
      if (!closed) timer = setTimeout(() => void start(), afterMs).unref();
    };
    running.then(
      () => settle(Math.max(hintEveryMs, sentAt + pollEveryMs - performance.now())),
      (problem) => {
        const isPermanent = problem instanceof DatabaseError && !isOutage(problem);
        if (isPermanent && !failing) onFailure(problem);
        failing ||= isPermanent;
        settle(reconnectAfterMs);
      },
    );
    return running;
  };

  /** One poll at a time; calls during one share the next, or its failure. */
  const refresh = (): Promise<LogPosition> => {
    if (polling === undefined) return run();
    const begin = (): void => {
      queued = undefined;
    };
    queued ??= polling.finally(begin).then(run);
    return queued;
  };

  const start = (): Promise<unknown> => refresh().catch(() => undefined);

  const soon = (): void => {
    if (soonTimer !== undefined || closed) return;
    const dueInMs = Math.max(0, sentAt + hintEveryMs - performance.now());
    soonTimer = setTimeout(() => {
      soonTimer = undefined;
      void start();
    }, dueInMs).unref();
  };

  await start();
  return {
    currentAsOf: () => currentAsOf,
    refresh,
    hint: () => {
      hintDue = true;
      soon();
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      clearTimeout(soonTimer);
      await polling?.catch(() => undefined);
      const last = connection;
      connection = undefined;
      if (last !== undefined) await withTimeout(last.client, last.client.end());
    },
  };
}
