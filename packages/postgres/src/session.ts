// Settings of sessions. They are not startup parameters, which PgBouncer rejects or ignores, and behind a pooler in
// transaction mode they are sent with each BEGIN: as settings of the session they would reach its other clients.
import { Socket } from 'node:net';
import type { Client } from 'pg';

/**
 * JIT compilation of PostgreSQL is off: it takes longer than a statement of a busy service may, and estimates without
 * scans (`enable_seqscan = off`) are too high by orders of magnitude.
 */
const always = 'jit = off';

/** Rejects when the server does not respond in time. */
export async function configureSession(client: Client, settings: readonly string[], timeoutMs: number): Promise<void> {
  const socket = socketOf(client);
  const cut = (): void => socket && destroyUnlessRead(socket);
  socket?.setTimeout(timeoutMs, cut);
  await client.query(statements('SESSION', settings));
  socket?.setTimeout(0).off('timeout', cut);
}

/** Statements outside transactions keep the settings of the role and the database: the command `check` looks at them. */
export function configureTransactions({ connection }: Client, settings: readonly string[]): void {
  const send = connection.query.bind(connection);
  connection.query = (text) => send(/^\s*BEGIN\b/.test(text) ? `${text}; ${statements('LOCAL', settings)}` : text);
}

function statements(scope: 'SESSION' | 'LOCAL', settings: readonly string[]): string {
  return [...settings, always].map((setting) => `SET ${scope} ${setting}`).join('; ');
}

/** A process that was stopped runs its timers before it reads the responses that have arrived. */
export function destroyUnlessRead(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}

/** The socket below a client, once it is there. */
export function socketOf({ connection }: Pick<Client, 'connection'>): Socket | undefined {
  const { stream } = connection;
  return stream instanceof Socket ? stream : undefined;
}
