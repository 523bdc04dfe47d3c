import { hash } from 'node:crypto';
import { DatabaseError } from 'pg';
import { z } from 'zod';
import { Client } from '../connection/client.ts';
import { isPooled } from '../connection/pooler.ts';
import { toUnavailableError } from '../connection/unavailable.ts';
import { entryColumns, type LogEntry, type LogPosition, logEntries, mark } from './change-log.ts';

/** What has become visible in the change log from one poll to the next. */
export interface Poll {
  /** Where the poll before ended; `undefined` at the first, and when this is another log or another history of it. */
  readonly since: LogPosition | undefined;
  readonly now: LogPosition;
  /** The new entries, in order; `null` when they are too many, or not known. */
  readonly entries: readonly LogEntry[] | null;
}

/** Asks the database what has changed, several times a second. */
export interface ChangePoller {
  /**
   * When the last poll that succeeded was sent, by `performance.now()`: of what was committed before, nothing is missing.
   * Long ago, when its connection has broken.
   */
  provedAt(): number;
  /** Waits for a poll that begins after this call, and says where it ended; rejects when it fails. */
  refresh(): Promise<LogPosition>;
  /** Polls soon, and lets the other instances do so. */
  hint(): void;
  close(): Promise<void>;
}

interface PollerOptions {
  readonly databaseUrl: string;
  /** Called with each poll that found something, before it counts as proof. */
  readonly onPoll: (poll: Poll) => void;
  /** Called when polls begin to fail for a reason that will not pass by itself. */
  readonly onFailure: (problem: DatabaseError) => void;
}

const channel = 'academic_structure';
/** Without hints, a change by others is found this late. */
const pollEveryMs = 250;
/** Others may commit as often as they like: hints, and the polls on them, come no closer than this. */
const hintEveryMs = 30;
/** A connection that has not answered for this long is given up and made anew: soon after the database is back. */
const answerTimeoutMs = 2_000;
const reconnectAfterMs = 200;
/** When more transactions than this are found, all counts as changed; who needs them one by one reads them from the log. */
const entriesMax = 500;

/**
 * What names the history of a database: its system, its timeline, which a promoted standby begins anew, and its tables,
 * which are others once they have been restored from a backup.
 */
const tableIds = ['change_log', 'programs', 'branches', 'branch_years', 'users', 'api_keys'].map(
  (table) => `'${table}'::regclass::oid::text`,
);
const databaseId = '(SELECT oid::text FROM pg_database WHERE datname = current_database())';
const systemId = '(SELECT system_identifier::text FROM pg_control_system())';
const timeline = 'CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END';

/** Managed databases may hide these from a plain role: insufficient_privilege, undefined_function, feature_not_supported. */
const hiddenCodes: readonly unknown[] = ['42501', '42883', '0A000'];

/** $1 the snapshot before, $2 to $4 the last entry seen, $5 whether to hint. */
const pollStatement = (history: readonly string[]): string => `SELECT
  pg_current_snapshot()::text AS snapshot, pg_is_in_recovery() AS "isStandby", concat_ws(' ', ${history.join(', ')}) AS history,
  EXISTS (SELECT FROM change_log WHERE id = $2 AND xid = $3::xid8 AND at = $4::timestamptz) AS "isContinued",
  (SELECT json_build_object('id', id, 'xid', xid::text::bigint, 'at', at) FROM change_log ORDER BY id DESC LIMIT 1) AS last,
  (SELECT coalesce(json_agg(entry ORDER BY id), '[]') FROM (
    (SELECT ${entryColumns} FROM change_log WHERE xid >= pg_snapshot_xmax($1::pg_snapshot) ORDER BY xid LIMIT ${entriesMax + 1})
    UNION ALL
    SELECT ${entryColumns} FROM change_log WHERE xid IN (SELECT pg_snapshot_xip($1::pg_snapshot))
  ) AS entry) AS entries,
  CASE WHEN $5::boolean THEN pg_notify('${channel}', '')::text END AS hinted`;

const pollRow = z.object({
  snapshot: z.string(),
  isStandby: z.boolean(),
  history: z.string(),
  isContinued: z.boolean(),
  last: mark.nullable(),
  entries: logEntries,
});

/** Instead of the last entry, when somebody has emptied the log. */
const noMark = { id: 0, xid: 0, at: new Date(0) };

interface Connection {
  readonly client: Client;
  readonly statement: { readonly text: string; readonly name?: string };
}

/** Opens the poller, and polls once; that may fail, and is done again until `close`. */
export async function openChangePoller({ databaseUrl, onPoll, onFailure }: PollerOptions): Promise<ChangePoller> {
  let connection: Connection | undefined;
  let position: LogPosition | undefined;
  let provedAt = Number.NEGATIVE_INFINITY;
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
      provedAt = Number.NEGATIVE_INFINITY;
    }
    client.end().catch(() => undefined);
  };

  const connect = async (): Promise<Connection> => {
    const client = new Client({
      connectionString: databaseUrl,
      application_name: 'academic-structure changes',
      connectionTimeoutMillis: answerTimeoutMs,
      keepAlive: true,
    });
    client.on('error', () => drop(client));
    client.on('end', () => drop(client));
    client.on('notification', () => soon());
    await client.connect();
    const history = [databaseId, ...tableIds];
    for (const part of [systemId, timeline]) if (await mayAsk(client, part)) history.push(part);
    // Where nothing can be listened to, changes are found all the same, only later.
    await inTime(client, client.query(`LISTEN ${channel}`)).catch(ignoreDatabaseError);
    // Planning takes most of the time of a poll, and there are many.
    const name = isPooled(databaseUrl) ? {} : { name: 'poll of the change log' };
    return { client, statement: { text: pollStatement(history), ...name } };
  };

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
      const { rows } = await inTime(client, client.query<object>({ ...statement, values }));
      const row = pollRow.parse(rows[0]);
      if (row.isStandby) throw new Error('The database is a standby.');
      const now = apply(row);
      provedAt = startedAt;
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
      () => settle(pollEveryMs),
      (problem) => {
        const lasts = problem instanceof DatabaseError && toUnavailableError(problem) === undefined;
        if (lasts && !failing) onFailure(problem);
        failing ||= lasts;
        settle(reconnectAfterMs);
      },
    );
    return running;
  };

  /** One poll at a time; all who ask during one share the next, or its failure. */
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
    provedAt: () => provedAt,
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
      if (last !== undefined) await inTime(last.client, last.client.end());
    },
  };
}

/** Waits for an answer; a connection that does not give it in time is broken off, which rejects. */
async function inTime<Answer>(client: Client, answer: Promise<Answer>): Promise<Answer> {
  const late = setTimeout(() => client.connection.stream.destroy(), answerTimeoutMs);
  try {
    return await answer;
  } finally {
    clearTimeout(late);
  }
}

/** Whether the role may evaluate an expression. */
async function mayAsk(client: Client, expression: string): Promise<boolean> {
  try {
    await inTime(client, client.query(`SELECT ${expression}`));
    return true;
  } catch (problem) {
    ignoreDatabaseError(problem);
    return !(problem instanceof DatabaseError && hiddenCodes.includes(problem.code));
  }
}

function ignoreDatabaseError(problem: unknown): void {
  if (!(problem instanceof DatabaseError)) throw problem;
}
