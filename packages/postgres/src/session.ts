// What statements and drivers rely on, whatever the server, the database and the role have set. Poolers pass on a few
// startup parameters and reject others; all other settings are set after connecting, or behind a pooler in transaction
// mode with each BEGIN: as settings of the session they would reach its other clients.
import { Socket } from 'node:net';
import type { Client } from 'pg';
import { sqlState, UnusableHosts } from './errors.ts';

declare module 'pg' {
  interface Connection {
    startup(parameters: Readonly<Record<string, string>>): void;
  }
}

/**
 * Startup parameters of every connection. A pooler such as PgBouncer gives a client only sessions that have its values.
 * Prisma's adapter writes times without an offset, and reads them as times of UTC in the form of ISO 8601.
 */
const startupParameters = { TimeZone: 'UTC', DateStyle: 'ISO, MDY', standard_conforming_strings: 'on' } as const;

/** Values that the server may report where a pooler has ignored the parameter: other names of the same. */
const sameMeaning: Readonly<Record<string, RegExp>> = {
  TimeZone: /^(?:Etc\/)?(?:UTC|UCT|GMT|Universal|Zulu)$/,
  DateStyle: /^ISO\b/,
  standard_conforming_strings: /^on$/,
};

/** The other settings of every connection. */
export const sessionSettings = {
  // Compiling takes longer than a statement of a busy service may, and estimates without scans (`enable_seqscan = off`)
  // are too high by orders of magnitude.
  jit: 'off',
  // Who waits for a lock reads what its holder has committed.
  default_transaction_isolation: 'read committed',
  // Numbers, bytes, intervals, names and lists as they are read: fewer digits would make seconds of milliseconds.
  extra_float_digits: '1',
  bytea_output: 'hex',
  IntervalStyle: 'postgres',
  quote_all_identifiers: 'off',
  array_nulls: 'on',
} as const;

const always = Object.entries(sessionSettings).map(([name, value]) => `${name} = '${value}'`);

/** Sends the startup parameters; returns a check of what the server has reported, which throws a `DatabaseError`. */
export function configureStartup({ connection }: Client): () => void {
  const start = connection.startup.bind(connection);
  connection.startup = (parameters) => start({ ...parameters, ...startupParameters });
  const reported = new Map<string, string>();
  connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) =>
    reported.set(parameterName, parameterValue),
  );
  return () => {
    for (const [name, value] of Object.entries(startupParameters)) {
      if (sameMeaning[name]?.test(reported.get(name) ?? value) === true) continue;
      throw new UnusableHosts(
        `a pooler ignores the startup parameter ${name}: ALTER ROLE … SET ${name} = '${value}', and let the pooler reconnect`,
        sqlState.unableToEstablishConnection,
      );
    }
  };
}

/** The settings in which a session differs, with their values: those of a pooler's outside transactions. */
export async function differingSettings(
  client: Client,
): Promise<{ readonly name: string; readonly value: string; readonly wanted: string }[]> {
  const { rows } = await client.query<{ name: string; value: string; wanted: string }>(
    `SELECT key AS name, current_setting(key) AS value, value AS wanted FROM json_each_text($1)
     WHERE current_setting(key) <> value`,
    [JSON.stringify(sessionSettings)],
  );
  return rows;
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** Rejects when the server does not respond in time. */
export async function configureSession(client: Client, settings: readonly string[], timeoutMs: number): Promise<void> {
  const socket = socketOf(client);
  const cut = (): void => socket && destroyUnlessRead(socket);
  socket?.setTimeout(timeoutMs, cut);
  await client.query(statements('SESSION', settings));
  socket?.setTimeout(0).off('timeout', cut);
}

const begin = /^\s*BEGIN\b/;
const beginAsUsual = /^\s*BEGIN\b(?!\s+ISOLATION)/;

/** Statements outside transactions keep the settings of the role and the database: the command `check` looks at them. */
export function configureTransactions({ connection }: Client, settings: readonly string[]): void {
  const send = connection.query.bind(connection);
  const isolation = `BEGIN ISOLATION LEVEL ${sessionSettings.default_transaction_isolation}`;
  connection.query = (text) =>
    send(begin.test(text) ? `${text.replace(beginAsUsual, isolation)}; ${statements('LOCAL', settings)}` : text);
}

function statements(scope: 'SESSION' | 'LOCAL', settings: readonly string[]): string {
  return [...settings, ...always].map((setting) => `SET ${scope} ${setting}`).join('; ');
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
