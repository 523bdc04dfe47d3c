import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { inject, onTestFinished, vi } from 'vitest';
import { type EmbeddedDatabase, type EmbeddedOptions, openEmbeddedDatabase } from '../src/open.ts';
import { copyDatabase } from './made-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests make their own embedded databases. */
    testFolder: string;
    /** The name of their owner. */
    embeddedName: string;
    /** A data directory with an embedded database of that name that was never started, to copy. */
    madeDataDir: string;
  }
}

/**
 * Path of a data directory that does not exist yet; removed after the test, with the server if one still runs.
 *
 * @param below where it is: by default in memory, if there is room.
 */
export async function newDataDir(below = inject('testFolder')): Promise<string> {
  const parent = await mkdtemp(path.join(below, 'embedded-'));
  // When run as root, PostgreSQL runs as another user, which needs access.
  await chmod(parent, 0o755);
  const dataDir = path.join(parent, 'data');
  onTestFinished(async () => {
    await removeDatabase(dataDir);
    await rm(parent, { recursive: true });
  });
  return dataDir;
}

/** As `newDataDir`, with a database in it: for tests of opening one, which need not make it. */
export async function madeDataDir(): Promise<string> {
  const dataDir = await newDataDir();
  await copyDatabase(inject('madeDataDir'), dataDir);
  return dataDir;
}

/** Kills the server of a data directory, if one still runs, and removes its files. */
async function removeDatabase(dataDir: string): Promise<void> {
  const home = await realpath(path.join(dataDir, 'postgres')).catch(() => undefined);
  if (home === undefined) return;
  const pid = await serverPid(dataDir).catch(() => undefined);
  if (pid !== undefined && pid !== process.pid && isAlive(pid)) await kill(pid);
  await rm(home, { recursive: true, force: true });
}

/** Opens an embedded database that is closed when the test ends; not durable by default, for speed. */
export async function openForTest(options: Partial<EmbeddedOptions> & { dataDir: string }): Promise<EmbeddedDatabase> {
  const database = await openEmbeddedDatabase({
    name: inject('embeddedName'),
    log: () => undefined,
    durable: false,
    ...options,
  });
  onTestFinished(() => database.close());
  return database;
}

export interface Holder {
  readonly process: ChildProcess;
  readonly url: string;
  /** Closes the database and waits for the exit. */
  close(): Promise<void>;
}

/** Starts a separate process that keeps the (durable) database open; killed when the test ends at the latest. */
export async function startHolder(dataDir: string): Promise<Holder> {
  const child = spawnHolder(dataDir);
  const [url] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('The holder exited.'))),
  ]);
  return {
    process: child,
    url: String(url),
    async close() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

/** As `startHolder`, without waiting until the database is open. */
export function spawnHolder(dataDir: string) {
  const script = path.join(import.meta.dirname, 'holder.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, inject('embeddedName'), dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

/** The PID of the server that runs, or last ran, for a data directory. */
export async function serverPid(dataDir: string): Promise<number> {
  const file = path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  return Number.parseInt(await readFile(file, 'utf8'), 10);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Sends SIGKILL and waits for the exit. */
export async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await ended(pid);
}

/** Waits until the process has exited. */
export async function ended(pid: number): Promise<void> {
  const check = (): void => {
    if (isAlive(pid)) throw new Error(`Process ${pid} is still running.`);
  };
  await vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

/** Runs one statement on a new connection. */
export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
