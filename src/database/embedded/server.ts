import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type SocketFolder, socketName } from './address.ts';
import type { Binaries } from './binaries.ts';
import type { DataDirectory } from './data-directory.ts';
import type { Endpoint } from './endpoint.ts';
import type { SystemUser } from './exec.ts';
import { explain, PROGRAM_ENVIRONMENT, run } from './exec.ts';
import { isAlive, serverPid } from './postmaster.ts';

export interface Server {
  readonly binaries: Binaries;
  readonly home: DataDirectory;
  /** Its socket directory; undefined for TCP. */
  readonly folder: SocketFolder | undefined;
  /** The user it runs as; that of this process when undefined. */
  readonly user: SystemUser | undefined;
  /** False disables fsync, for tests. */
  readonly durable: boolean;
}

/** `rival`: another server has this home, or the remains of one still have its memory for a moment. */
type LaunchFailure =
  | { readonly kind: 'rival' }
  | { readonly kind: 'port-taken' }
  | { readonly kind: 'other'; readonly reason: string };

/** A server process that was started, perhaps in vain. */
export interface Launch {
  readonly pid: number;
  /** Why it failed; undefined while it runs, and when it was stopped. */
  failure(): Promise<LaunchFailure | undefined>;
  /** Whether the process has ended. */
  ended(): boolean;
}

const LOG_BYTES_MAX = 1_000_000;
const DISK_FULL_BELOW_BYTES = 1_000_000;

/** Fast shutdown rolls back and writes a checkpoint; immediate shutdown leaves crash recovery to the next start. */
const FAST_SHUTDOWN = 'INT';
const IMMEDIATE_SHUTDOWN = 'QUIT';
const STOPPED_WITHIN_MS = 3_000;
const LOOK_AGAIN_MS = 10;

/** On the command line, so that a newer version of the service applies its own to existing data. */
const SETTINGS = [
  'max_connections=100',
  'max_wal_size=256MB', // keeps the data directory small; a crash is recovered in seconds
  // After a crash the server exits, and a process that uses it restarts it; with broken files it would loop forever.
  'restart_after_crash=off',
  'TimeZone=UTC',
  'log_timezone=UTC',
  // Statements that fail are the service's to report, and may hold what no log should.
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_checkpoints=off',
];
/** Relative to PostgreSQL's data directory: the home, however long its path is and whatever is in it. */
const SETTINGS_FOR = {
  socket: ['listen_addresses=', 'unix_socket_directories=..', 'unix_socket_permissions=0700'],
  tcp: ['listen_addresses=127.0.0.1', 'unix_socket_directories='],
};
const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/**
 * Starts PostgreSQL in a session of its own: it outlives this process, and Ctrl-C in the terminal does not reach it.
 * Does not wait until it is ready.
 */
export async function launch({ binaries, home, user, durable }: Server, endpoint: Endpoint): Promise<Launch> {
  const { transport, port } = endpoint;
  const settings = [...SETTINGS, ...SETTINGS_FOR[transport], ...(durable ? [] : FAST_SETTINGS)];
  // One that was killed leaves it, with a number that another program may have now. What keeps two servers apart is not
  // this file but the one in the data directory.
  await rm(path.join(home.directory, `${socketName(port)}.lock`), { force: true });
  const log = await openLog(home.log);
  try {
    const { size: logStart } = await log.stat();
    const child = spawn(
      binaries.postgres,
      ['-D', home.cluster, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      {
        cwd: '/',
        detached: true,
        env: PROGRAM_ENVIRONMENT,
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
        // A panic ends in SIGABRT. Who was stopped or killed from outside has not failed.
        const failed = Boolean(child.exitCode) || child.signalCode === 'SIGABRT';
        return failed ? classify(await readFrom(home.log, logStart), home.directory) : undefined;
      },
    };
  } finally {
    await log.close();
  }
}

/**
 * Stops the server with this process number, cutting its connections off. Returns false when it is still there. Looks
 * at this very process and not at the data directory, as `pg_ctl stop` does: somebody may start a new server at once.
 */
export async function stop({ binaries, home, user }: Server, pid: number): Promise<boolean> {
  for (const signal of [FAST_SHUTDOWN, IMMEDIATE_SHUTDOWN]) {
    await run(binaries.pgCtl, ['kill', signal, String(pid)], { user });
    for (const start = Date.now(); Date.now() - start < STOPPED_WITHIN_MS; await delay(LOOK_AGAIN_MS)) {
      if ((await serverPid(home.cluster)) !== pid || !isAlive(pid)) return true;
    }
  }
  return false;
}

/** A TCP port that nothing uses on this machine right now. */
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

/** The number of a process when it exists; rejects when it cannot be started. */
function started(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      if (child.pid !== undefined) resolve(child.pid);
    });
  });
}

/**
 * Opens the log for appending, emptied when it has grown. The directory is another user's: root follows no link there.
 */
async function openLog(file: string): Promise<FileHandle> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const handle = await open(file, O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0), 0o600);
  if ((await handle.stat()).size > LOG_BYTES_MAX) await handle.truncate();
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
  if (/lock file ".*" already exists|pre-existing shared memory block/.test(log)) return { kind: 'rival' };
  if (/could not create any TCP\/IP sockets/.test(log)) return { kind: 'port-taken' };
  // On a full disk there is no room for the reason either.
  const { bavail, bsize } = await statfs(directory);
  const full = bavail * bsize < DISK_FULL_BELOW_BYTES;
  return { kind: 'other', reason: full ? `there is no space left on the disk of ${directory}` : explain(log) };
}
