// Reference counting of the embedded server across processes: each holds a shared advisory lock on a connection (its
// registration), which ends with the process. The first starts the server; the one that gets the lock exclusively is
// the last, and stops it.
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@service/postgres/client';
import { sqlState } from '@service/postgres/errors';
import { connectionOptions } from '@service/postgres/options';
import { DatabaseError } from 'pg';
import { z } from 'zod';
import { addressOf, socketPort } from './address.ts';
import { commonDatabase } from './data-directory.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { type Endpoint, lastPort, settleState } from './postmaster.ts';
import { type EmbeddedServer, freePort, type Launch, launch, stop } from './server.ts';

export interface Registration {
  readonly client: Client;
  readonly pid: number;
  readonly endpoint: Endpoint;
  readonly started: boolean;
}

export interface JoinOptions {
  /** Required, because its address is in use already. */
  readonly endpoint?: Endpoint;
  /** Aborting starts no server; a running one has a moment to respond, for an orderly stop. */
  readonly signal?: AbortSignal;
}

/** An arbitrary number: nothing else takes a lock in this database. */
const registrationLockKey = 4711;

/** Crash recovery takes seconds; on a slow and busy disk, up to this long. */
const readyTimeoutMs = 60_000;
const pollEveryMs = 15;
const restartEveryMs = 100;
const responseTimeoutMs = 2_000;

/** Codes of a server that is starting, shutting down, or out of connections: retry. */
const retryableCodes: ReadonlySet<string | undefined> = new Set([
  sqlState.adminShutdown,
  sqlState.crashShutdown,
  sqlState.cannotConnectNow,
  sqlState.tooManyConnections,
]);

/**
 * Needs no lock against other starters: PostgreSQL lets one of two servers run; of a joiner and a last leaver, the
 * joiner's lock comes first, or its connection is cut and it starts the server again. Throws `EmbeddedPostgresError`.
 */
export async function join(server: EmbeddedServer, options: JoinOptions = {}): Promise<Registration> {
  const password = await readFile(server.dataDirectory.passwordFile, 'utf8');
  const attempt: Attempt = { launched: undefined, portTaken: false };
  let deadline = Date.now() + readyTimeoutMs;
  try {
    while (Date.now() < deadline) {
      const registration = await tryToJoin(server, password, options, attempt);
      if (registration !== undefined) return registration;
      if (options.signal?.aborted) deadline = Math.min(deadline, Date.now() + responseTimeoutMs);
      await delay(pollEveryMs);
    }
    options.signal?.throwIfAborted();
  } catch (error) {
    // A server that rejects the process that started it is useless.
    if (attempt.launched?.ended() === false) await stop(server, attempt.launched.pid);
    throw error;
  }
  // The server keeps running: the next start would have to recover from the beginning.
  throw new EmbeddedPostgresError(
    `PostgreSQL was not ready within ${readyTimeoutMs / 1000} seconds; ${server.dataDirectory.log} may say why.`,
  );
}

interface Attempt {
  launched: Launch | undefined;
  portTaken: boolean;
}

async function tryToJoin(
  server: EmbeddedServer,
  password: string,
  { endpoint, signal }: JoinOptions,
  attempt: Attempt,
): Promise<Registration | undefined> {
  const state = await settleState(server.dataDirectory.cluster);
  if (state.kind === 'ready') {
    const { pid, endpoint: found } = state;
    if (endpoint !== undefined && !(found.transport === endpoint.transport && found.port === endpoint.port)) {
      throw new EmbeddedPostgresError(`The server moved to ${found.transport} ${found.port}.`);
    }
    const client = await register(server, found, password);
    if (client !== undefined) return { client, pid, endpoint: found, started: pid === attempt.launched?.pid };
  } else if (state.kind === 'absent' && attempt.launched === undefined) {
    signal?.throwIfAborted();
    attempt.launched = await launch(server, endpoint ?? (await chooseEndpoint(server, attempt)));
  }
  if (attempt.launched?.ended()) {
    const failure = await attempt.launched.failure();
    if (failure?.kind === 'other') throw new EmbeddedPostgresError(`PostgreSQL does not start: ${failure.reason}.`);
    attempt.portTaken ||= failure?.kind === 'port-taken';
    attempt.launched = undefined;
    await delay(restartEveryMs);
  }
  return undefined;
}

/** The last one stops the server; returns whether it did. Never rejects. */
export async function leave(server: EmbeddedServer, { client, pid }: Registration): Promise<boolean> {
  try {
    // Unlock first, then try the exclusive lock: of two processes that leave at once, the later one is alone.
    await client.query('SELECT pg_advisory_unlock_shared($1)', [registrationLockKey]);
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS alone', [registrationLockKey]);
    // The lock is held until the server has stopped: a process that joins waits, is disconnected, and retries.
    return z.tuple([z.object({ alone: z.boolean() })]).parse(rows)[0].alone && (await stop(server, pid));
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Reuses the previous port if possible, so that processes that lost the server find it again. */
async function chooseEndpoint({ dataDirectory, folder }: EmbeddedServer, { portTaken }: Attempt): Promise<Endpoint> {
  if (folder !== undefined) return { transport: 'socket', port: socketPort };
  return {
    transport: 'tcp',
    port: (portTaken ? undefined : await lastPort(dataDirectory.cluster)) ?? (await freePort()),
  };
}

/** Undefined when the server does not accept connections yet. */
async function register(
  { dataDirectory, folder, role }: EmbeddedServer,
  endpoint: Endpoint,
  password: string,
): Promise<Client | undefined> {
  if (endpoint.transport === 'socket' && folder === undefined) {
    throw new EmbeddedPostgresError(
      `The path of ${dataDirectory.directory} is too long for the sockets of this system.`,
    );
  }
  const url = addressOf(endpoint, folder, { user: role, password, database: commonDatabase });
  const timeouts = { connectionTimeoutMillis: responseTimeoutMs, query_timeout: responseTimeoutMs };
  const client = new Client(connectionOptions(url, { purpose: 'registration', ...timeouts }));
  // The pending query rejects with the error too, and `end` follows it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock_shared($1)', [registrationLockKey]);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    if (!(error instanceof DatabaseError) || retryableCodes.has(error.code)) return undefined;
    if (error.code === sqlState.invalidPassword) {
      throw new EmbeddedPostgresError(`PostgreSQL does not accept the password in ${dataDirectory.passwordFile}.`);
    }
    throw new EmbeddedPostgresError(`PostgreSQL does not work: ${error.message}.`);
  }
}
