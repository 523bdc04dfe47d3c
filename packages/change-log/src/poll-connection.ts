import { Client } from '@service/postgres/client';
import { sqlState } from '@service/postgres/errors';
import { connectionOptions, isPooled } from '@service/postgres/options';
import { DatabaseError } from 'pg';
import { z } from 'zod';
import type { ChangeLog } from './change-log.ts';
import { hasEntry, mark, unreadEntries } from './position.ts';

/** More entries in one poll count as a change of everything; subscribers read them from the log. */
export const entriesMax = 500;

/** SQL of what identifies the database. */
const databaseParts = ({ table, loggedTables }: ChangeLog<object>): readonly string[] => [
  '(SELECT oid::text FROM pg_database WHERE datname = current_database())',
  ...[table, ...loggedTables].map((name) => `'${name}'::regclass::oid::text`),
];

// Managed databases may deny these two.
const systemIdentifier = '(SELECT system_identifier::text FROM pg_control_system())';
/** A promoted standby has a new one, and so has a backup that was restored to a point in time. */
const currentTimeline = 'CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END';

interface HistoryParts {
  readonly database: readonly string[];
  readonly timeline: string;
}

/** $1: the previous snapshot; $2 to $4: the last entry read; all null at first. $5: whether to NOTIFY. */
const pollStatement = ({ table, columns, channel }: ChangeLog<object>, history: HistoryParts): string => `SELECT
  pg_current_snapshot()::text AS snapshot, pg_is_in_recovery() AS "isStandby",
  concat_ws(' ', ${history.database.join(', ')}) AS database, ${history.timeline} AS timeline,
  ${hasEntry(table, { id: '$2::bigint', xid: '$3::xid8', at: '$4::timestamptz' })} AS "isContinued",
  (SELECT json_build_object('id', id, 'xid', xid::text::bigint, 'at', at) FROM ${table} ORDER BY id DESC LIMIT 1) AS last,
  (SELECT coalesce(json_agg(entry ORDER BY id), '[]') FROM (
    ${unreadEntries(table, columns, { snapshot: '$1::pg_snapshot', id: '$2::bigint' }, entriesMax + 1)}
  ) AS entry) AS entries,
  CASE WHEN $5::boolean THEN pg_notify('${channel}', '')::text END AS hinted`;

/** The one row that the statement of a poll returns. */
export const pollRow = <Content extends object>({ entries }: ChangeLog<Content>) =>
  z.object({
    snapshot: z.string(),
    isStandby: z.boolean(),
    database: z.string(),
    timeline: z.string().nullable(),
    isContinued: z.boolean(),
    last: mark.nullable(),
    entries,
  });

/** The connection that polls the change log and receives NOTIFY hints, with the statement to send over it. */
export interface PollConnection {
  readonly client: Client;
  readonly statement: { readonly text: string; readonly name?: string };
}

interface PollConnectionOptions {
  readonly databaseUrl: string;
  readonly log: ChangeLog<object>;
  readonly onLost: (client: Client) => void;
  readonly onNotification: () => void;
}

/** A connection that does not respond for this long is replaced. */
const responseTimeoutMs = 2_000;
const deniedCodes: readonly unknown[] = [
  sqlState.insufficientPrivilege,
  sqlState.undefinedFunction,
  sqlState.featureNotSupported,
];

/** Rejects with the error of the database or of its connection. */
export async function openPollConnection(options: PollConnectionOptions): Promise<PollConnection> {
  const { databaseUrl, log, onLost, onNotification } = options;
  const client = new Client(
    connectionOptions(databaseUrl, {
      purpose: 'change log',
      connectionTimeoutMillis: responseTimeoutMs,
      settings: ['enable_seqscan = off'],
    }),
  );
  client.on('error', () => onLost(client));
  client.on('end', () => onLost(client));
  client.on('notification', onNotification);
  await client.connect();
  const orNull = async (part: string): Promise<string> => ((await canEvaluate(client, part)) ? part : 'NULL::text');
  const history = {
    database: [...databaseParts(log), await orNull(systemIdentifier)],
    timeline: await orNull(currentTimeline),
  };
  // Polls find changes without LISTEN too, only later.
  await withTimeout(client, client.query(`LISTEN ${log.channel}`)).catch(ignoreDatabaseError);
  const text = pollStatement(log, history);
  if (isPooled(databaseUrl)) return { client, statement: { text } };
  // A prepared statement: planning takes most of the time of a poll. A plan of when the log was short must not scan it
  // (`enable_seqscan`).
  return { client, statement: { text, name: 'poll of the change log' } };
}

/** The timeout destroys the connection, which rejects the result. */
export async function withTimeout<Result>(client: Client, result: Promise<Result>): Promise<Result> {
  const timeout = setTimeout(() => client.connection.stream.destroy(), responseTimeoutMs);
  try {
    return await result;
  } finally {
    clearTimeout(timeout);
  }
}

async function canEvaluate(client: Client, expression: string): Promise<boolean> {
  try {
    await withTimeout(client, client.query(`SELECT ${expression}`));
    return true;
  } catch (problem) {
    ignoreDatabaseError(problem);
    return !(problem instanceof DatabaseError && deniedCodes.includes(problem.code));
  }
}

function ignoreDatabaseError(problem: unknown): void {
  if (!(problem instanceof DatabaseError)) throw problem;
}
