import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type SocketFolder, socketName } from './address.ts';
import type { Binaries } from './binaries.ts';
import type { DataDirectory } from './data-directory.ts';
import { type Endpoint, isAlive, serverPid } from './postmaster.ts';
import { explain, run, type SystemUser, serverEnvironment } from './system-user.ts';

export interface EmbeddedServer {
  /** The role that owns the database, and the database. */
  readonly role: string;
  readonly binaries: Binaries;
  readonly dataDirectory: DataDirectory;
  readonly folder: SocketFolder | undefined;
  readonly user: SystemUser | undefined;
  readonly durable: boolean;
}

/** `in use`: another server has this data directory, or the remains of one still have its memory for a moment. */
type LaunchFailure =
  | { readonly kind: 'in use' }
  | { readonly kind: 'port-taken' }
  | { readonly kind: 'other'; readonly reason: string };

export interface Launch {
  readonly pid: number;
  /** Undefined while it runs, and when it was stopped. */
  failure(): Promise<LaunchFailure | undefined>;
  ended(): boolean;
}

const logBytesMax = 1_000_000;
const diskFullBelowBytes = 1_000_000;

/** Fast shutdown rolls back and writes a checkpoint; immediate shutdown leaves crash recovery to the next start. */
const fastShutdown = 'INT';
const immediateShutdown = 'QUIT';
const stopTimeoutMs = 3_000;
const pollEveryMs = 10;

/** Settings on the command line: a newer version applies its own to existing data. */
const serverSettings = [
  'max_connections=200', // for several instances; the table of locks grows with it
  'max_wal_size=256MB', // keeps the data directory small; a crash is recovered in seconds
  // The server exits after a crash, and a process that uses it restarts it: with broken files it would loop forever.
  'restart_after_crash=off',
  'TimeZone=UTC',
  'log_timezone=UTC',
  // Failing statements are the client's to report, and may hold what no log should.
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_checkpoints=off',
];
/** The socket folder is named relative to PGDATA, so its path may be long and have any characters. */
const settingsOfTransport = {
  socket: ['listen_addresses=', 'unix_socket_directories=..', 'unix_socket_permissions=0700'],
  tcp: ['listen_addresses=127.0.0.1', 'unix_socket_directories='],
};
const nonDurableSettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** Starts a server in a session of its own, which outlives this process and Ctrl-C. Does not wait until it is ready. */
export async function launch(
  { binaries, dataDirectory, user, durable }: EmbeddedServer,
  endpoint: Endpoint,
): Promise<Launch> {
  const { transport, port } = endpoint;
  const settings = [...serverSettings, ...settingsOfTransport[transport], ...(durable ? [] : nonDurableSettings)];
  // A killed server leaves it, with a process ID that may be reused. The data directory's file keeps two servers apart.
  await rm(path.join(dataDirectory.directory, `${socketName(port)}.lock`), { force: true });
  const log = await openLog(dataDirectory.log);
  try {
    const { size: logStart } = await log.stat();
    const child = spawn(
      binaries.postgres,
      ['-D', dataDirectory.cluster, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      {
        cwd: '/',
        detached: true,
        env: serverEnvironment,
        stdio: ['ignore', log.fd, log.fd],
        uid: user?.uid,
        gid: user?.gid,
        windowsHide: true,
      },
    );
    const pid = await started(child);
    child.unref();
    return {
      pid,
      ended: () => child.exitCode !== null || child.signalCode !== null,
      failure: async () => {
        // A panic ends in SIGABRT; being stopped or killed from outside is no failure.
        const failed = Boolean(child.exitCode) || child.signalCode === 'SIGABRT';
        return failed ? classify(await readFrom(dataDirectory.log, logStart), dataDirectory.directory) : undefined;
      },
    };
  } finally {
    await log.close();
  }
}

/** Stops a server by process ID, unlike `pg_ctl stop`: a new one may start at once. Returns whether it has ended. */
export async function stop({ binaries, dataDirectory, user }: EmbeddedServer, pid: number): Promise<boolean> {
  for (const signal of [fastShutdown, immediateShutdown]) {
    await run(binaries.pgCtl, ['kill', signal, String(pid)], { user });
    for (const start = Date.now(); Date.now() - start < stopTimeoutMs; await delay(pollEveryMs)) {
      if ((await serverPid(dataDirectory.cluster)) !== pid || !isAlive(pid)) return true;
    }
  }
  return false;
}

/** A port of 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('No free TCP port'));
      });
    });
  });
}

function started(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      if (child.pid !== undefined) resolve(child.pid);
    });
  });
}

/** Emptied when it has grown. The directory is another user's: root follows no link there. */
async function openLog(file: string): Promise<FileHandle> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const handle = await open(file, O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0), 0o600);
  if ((await handle.stat()).size > logBytesMax) await handle.truncate();
  return handle;
}

async function readFrom(file: string, position: number): Promise<string> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(16_384);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function classify(log: string, directory: string): Promise<LaunchFailure> {
  if (/lock file "[^"]*" already exists|pre-existing shared memory block/.test(log)) return { kind: 'in use' };
  if (/could not create any TCP\/IP sockets/.test(log)) return { kind: 'port-taken' };
  // A full disk has no room for the reason either.
  const { bavail, bsize } = await statfs(directory);
  const full = bavail * bsize < diskFullBelowBytes;
  return { kind: 'other', reason: full ? `there is no space left on the disk of ${directory}` : explain(log) };
}
