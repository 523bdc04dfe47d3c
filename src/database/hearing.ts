import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Notification } from 'pg';
import { Client } from './connection.ts';

interface Listening {
  readonly client: Client;
  readonly channel: string;
  readonly databaseUrl: string;
  readonly patienceMs: number;
}

/** What is sent to find out who hears it; it tells of no change. */
export const echoKind = 'echo';

/**
 * Finds out whether a connection that listens hears what another one tells. Behind a pooler in transaction mode it does
 * not, though `LISTEN` succeeds and everything else works.
 *
 * @throws Error when the database cannot be asked.
 */
export async function hearsOthers({ client, channel, databaseUrl, patienceMs }: Listening): Promise<boolean> {
  const echo = JSON.stringify({ kind: echoKind, token: randomUUID() });
  let onNotice: (notice: Notification) => void = () => undefined;
  let onEnd: () => void = () => undefined;
  const heard = new Promise<boolean>((resolve, reject) => {
    onNotice = ({ payload }) => payload === echo && resolve(true);
    onEnd = () => reject(new Error('The connection has ended.'));
  });
  // It may end before anybody waits for it.
  heard.catch(() => undefined);
  client.on('notification', onNotice).on('end', onEnd);
  const other = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  other.on('error', () => undefined);
  try {
    await other.connect();
    await other.query('SELECT pg_notify($1, $2)', [channel, echo]);
    other.end().catch(() => undefined);
    return await Promise.race([heard, delay(patienceMs, false, { ref: false })]);
  } catch (problem) {
    other.connection.stream.destroy();
    throw problem;
  } finally {
    client.off('notification', onNotice).off('end', onEnd);
  }
}
