import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareBinaries } from '@service/embedded-postgres/binaries';
import { chooseUser, run, type SystemUser, serverEnvironment } from '@service/embedded-postgres/system-user';
import { Client } from 'pg';
import { expect } from 'vitest';
import { embeddedName } from '../../../src/database/open-postgres.ts';
import type { TestDatabase } from '../../support/database.ts';
import { freePort } from '../../support/process.ts';
import { within } from '../../support/running-time.ts';

/** A PostgreSQL server that nothing but the test restarts. */
export interface PostgresServer {
  readonly port: number;
  /** Runs SQL as the superuser, in the service's database or another. */
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  /** SIGKILL to all its processes. */
  kill(): Promise<void>;
  /** SIGKILL to all processes but the first, which recovers from the log as after a failure of power. */
  crash(): Promise<void>;
  /** SIGSTOP to all its processes: it accepts connections, and responds to none. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Makes a primary of a standby. */
  promote(): Promise<void>;
}

export interface ReplicatedServers {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  close(): Promise<void>;
}

/** The name of the database, and of the standby as its primary knows it. */
const databaseName = 'academic_structure';
const standbyName = 'standby';
/** Exists in every server. */
const common = 'postgres';

const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=16MB',
  'fsync=off',
  // In its own folder, not left behind when it is killed.
  'dynamic_shared_memory_type=mmap',
  'TimeZone=UTC',
];

const soonMs = 30_000;

/** The address of several servers, in that order; a number is the port of one that does not exist. */
export function addressOf(servers: readonly (PostgresServer | number)[], parameters = ''): string {
  const hosts = servers.map((server) => `127.0.0.1:${typeof server === 'number' ? server : server.port}`);
  return `postgresql://postgres@${hosts.join(',')}/${databaseName}${parameters}`;
}

/** For `startTestServer`. */
export function databaseAt(...address: Parameters<typeof addressOf>): TestDatabase {
  return {
    url: addressOf(...address),
    query: () => Promise.reject(new Error('Which server is meant?')),
    close: async () => undefined,
  };
}

/** Starts a server with settings of its own, with the service's database. */
export async function startSingle(
  ...ownSettings: readonly string[]
): Promise<{ readonly server: PostgresServer; close(): Promise<void> }> {
  const { user, folder, postgres, data } = await initialize();
  const server = await start({ postgres, data, port: await freePort(), user, ownSettings });
  await server.query(`CREATE DATABASE ${databaseName}`, common);
  return { server, close: () => closeAll([server], folder) };
}

/** Starts a primary and a standby by streaming replication; a synchronous one has every acknowledged commit. */
export async function startReplicated({ synchronous }: { readonly synchronous: boolean }): Promise<ReplicatedServers> {
  const { user, folder, postgres, data: primaryData } = await initialize();
  const standbyData = path.join(folder, 'standby');
  // Of a server that was never started, the files are a base backup.
  await complete('cp', ['-R', primaryData, standbyData], user);
  const [primaryPort, standbyPort] = [await freePort(), await freePort()];
  const source = `host=127.0.0.1 port=${primaryPort} user=postgres application_name=${standbyName}`;
  await appendFile(path.join(standbyData, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await writeFile(path.join(standbyData, 'standby.signal'), '');

  const primary = await start({ postgres, data: primaryData, port: primaryPort, user });
  const standby = await start({ postgres, data: standbyData, port: standbyPort, user });
  const streaming = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`;
  await within(soonMs, async () => expect(await primary.query(streaming, common)).toHaveLength(1));
  if (synchronous) {
    await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`, common);
    await primary.query('SELECT pg_reload_conf()', common);
  }
  await primary.query(`CREATE DATABASE ${databaseName}`, common);
  const created = `SELECT 1 FROM pg_database WHERE datname = '${databaseName}'`;
  await within(soonMs, async () => expect(await standby.query(created, common)).toHaveLength(1));
  return { primary, standby, close: () => closeAll([primary, standby], folder) };
}

/** The files of a new server, in a folder of its own. */
async function initialize() {
  const user = await chooseUser(embeddedName);
  const folder = await mkdtemp(path.join(tmpdir(), 'replication-'));
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const { initdb, postgres } = await prepareBinaries(user, async () => folder);
  const data = path.join(folder, 'primary');
  await complete(initdb, [`--pgdata=${data}`, ...clusterOptions], user);
  return { user, folder, postgres, data };
}

async function closeAll(servers: readonly PostgresServer[], folder: string): Promise<void> {
  await Promise.all(servers.map((server) => server.kill()));
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

const clusterOptions = [
  '--username=postgres',
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
  '--no-sync',
];

async function complete(program: string, args: readonly string[], user: SystemUser | undefined): Promise<void> {
  const { succeeded, output } = await run(program, args, { user });
  if (!succeeded) throw new Error(`${program} failed: ${output}`);
}

interface StartOptions {
  readonly postgres: string;
  readonly data: string;
  readonly port: number;
  readonly user: SystemUser | undefined;
  readonly ownSettings?: readonly string[];
}

async function start({ postgres, data, port, user, ownSettings = [] }: StartOptions): Promise<PostgresServer> {
  const log = await open(`${data}.log`, 'a');
  const options = [...settings, ...ownSettings].flatMap((setting) => ['-c', setting]);
  const child = spawn(postgres, ['-D', data, '-p', String(port), ...options], {
    cwd: '/',
    env: serverEnvironment,
    stdio: ['ignore', log.fd, log.fd],
    uid: user?.uid,
    gid: user?.gid,
  });
  const ended = once(child, 'exit');
  await log.close();
  const pid = child.pid ?? Number.NaN;

  const signal = async (name: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(name);
    for (const other of await childrenOf(pid)) send(other, name);
  };
  const query: PostgresServer['query'] = async (sql, database = databaseName) => {
    const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  await within(soonMs, () => query('SELECT 1', common)).catch((problem: unknown) => {
    child.kill('SIGKILL');
    throw problem;
  });
  return {
    port,
    query,
    kill: async () => {
      await signal('SIGKILL');
      await ended;
    },
    crash: async () => {
      const killed = await childrenOf(pid);
      for (const other of killed) send(other, 'SIGKILL');
      const recovered = `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'checkpointer' AND pid <> ALL ('{${killed}}')`;
      await within(soonMs, async () => expect(await query(recovered, common)).toHaveLength(1));
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    promote: async () => {
      const [row] = await query('SELECT pg_promote() AS promoted', common);
      if (row?.['promoted'] !== true) throw new Error('The standby was not promoted.');
    },
  };
}

/** Each is in a session of its own, so that a signal to a group does not reach it. */
async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return list.split(' ').filter(Boolean).map(Number);
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has exited meanwhile.
  }
}
