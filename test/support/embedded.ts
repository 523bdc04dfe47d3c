import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { onTestFinished, vi } from 'vitest';
import { type EmbeddedDatabase, type EmbeddedOptions, openEmbeddedDatabase } from '../../src/database/embedded/open.ts';

/** A data directory that does not exist yet; with all that came of it, it is gone when the test ends. */
export async function newDataDir(): Promise<string> {
  const parent = await mkdtemp(path.join(tmpdir(), 'embedded-'));
  // As root, PostgreSQL's user must be able to enter.
  await chmod(parent, 0o755);
  const dataDir = path.join(parent, 'data');
  onTestFinished(async () => {
    await removeDatabase(dataDir);
    await rm(parent, { recursive: true });
  });
  return dataDir;
}

/** Kills the server of a data directory, if one is left, and removes its files, wherever they are. */
async function removeDatabase(dataDir: string): Promise<void> {
  const home = await realpath(path.join(dataDir, 'postgres')).catch(() => undefined);
  if (home === undefined) return;
  const pid = await serverPid(dataDir).catch(() => undefined);
  if (pid !== undefined && pid !== process.pid && isAlive(pid)) await kill(pid);
  await rm(home, { recursive: true, force: true });
}

/** Opens an embedded database that is closed when the test ends. It is fast rather than durable unless told otherwise. */
export async function openForTest(options: Partial<EmbeddedOptions> & { dataDir: string }): Promise<EmbeddedDatabase> {
  const database = await openEmbeddedDatabase({ log: () => undefined, durable: false, ...options });
  onTestFinished(() => database.close());
  return database;
}

export interface Holder {
  readonly process: ChildProcess;
  readonly url: string;
  /** Closes its database and ends. */
  leave(): Promise<void>;
}

/** Starts a process of its own that holds the (durable) database open; it is killed at the latest when the test ends. */
export async function startHolder(dataDir: string): Promise<Holder> {
  const child = spawnHolder(dataDir);
  const [url] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('The holder ended.'))),
  ]);
  return {
    process: child,
    url: String(url),
    async leave() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

/** As `startHolder`, without waiting for anything. */
export function spawnHolder(dataDir: string) {
  const script = path.join(import.meta.dirname, 'embedded-holder.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

/** The process number of the server that runs, or ran last, for a data directory. */
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

/** SIGKILL, and waits until the process is no more. */
export async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await ended(pid);
}

/** Waits until the process is no more; rejects when it stays. */
export async function ended(pid: number): Promise<void> {
  await vi.waitFor(
    () => {
      if (isAlive(pid)) throw new Error(`Process ${pid} is still there.`);
    },
    { timeout: 5_000, interval: 5 },
  );
}

/** Runs one statement in a connection of its own. */
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
