import { Client } from '@service/postgres/client';
import { sqlState } from '@service/postgres/errors';
import { connectionOptions, isPooled } from '@service/postgres/options';
import { DatabaseError } from 'pg';
import type { ChangeLog } from './change-log.ts';
import { deniableHistoryParts, historyParts, pollStatement } from './poll-statement.ts';

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
  const history = [...historyParts(log)];
  for (const part of deniableHistoryParts) if (await canEvaluate(client, part)) history.push(part);
  // Without LISTEN, changes are found all the same, only later.
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
