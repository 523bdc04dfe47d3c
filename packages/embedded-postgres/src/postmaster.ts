import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from './errors.ts';

/**
 * `socket`: in the server's data directory, which other users cannot enter, so that nobody can impersonate it. `tcp`: a
 * port of 127.0.0.1, which any local process can take when the server is gone.
 */
export interface Endpoint {
  readonly transport: 'socket' | 'tcp';
  readonly port: number;
}

/** `changing`: starting, recovering from a crash, or shutting down. */
export type ServerState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'changing' }
  | { readonly kind: 'ready'; readonly pid: number; readonly endpoint: Endpoint };

/** PostgreSQL writes the file's first lines at once; only a crash in that instant leaves them incomplete. */
const incompleteForMs = 10_000;

/**
 * The state of the server. Removes the stale `postmaster.pid` of one that was killed, when another process has its process ID:
 * PostgreSQL would take that process for a server.
 */
export async function settleState(cluster: string): Promise<ServerState> {
  const file = fileOf(cluster);
  const content = await readIfThere(file);
  if (content === undefined) return { kind: 'absent' };

  // process number, directory, start time, port, socket directory, address, shared memory, status
  const [pid, , , port, socketFolder, , , status] = content.split('\n');
  if (!Number(pid)) {
    if (await isOlderThan(file, incompleteForMs)) await takeAway(file, content);
    return { kind: 'changing' };
  }
  if (!isAlive(Number(pid))) return { kind: 'absent' };
  if (!(await mentions(Number(pid), cluster))) {
    await takeAway(file, content);
    return { kind: 'absent' };
  }
  return status?.trim() === 'ready' && Number(port) > 0
    ? { kind: 'ready', pid: Number(pid), endpoint: { transport: socketFolder ? 'socket' : 'tcp', port: Number(port) } }
    : { kind: 'changing' };
}

/** The process id in `postmaster.pid`; `undefined` without that file. */
export async function serverPid(cluster: string): Promise<number | undefined> {
  const content = await readIfThere(fileOf(cluster));
  return content === undefined ? undefined : Number.parseInt(content, 10);
}

/** The port of the last start; `undefined` before the first. */
export async function lastPort(cluster: string): Promise<number | undefined> {
  const options = await readFile(path.join(cluster, 'postmaster.opts'), 'utf8').catch(() => '');
  const port = /"-p" "(\d+)"/.exec(options)?.[1];
  return port === undefined ? undefined : Number(port);
}

function fileOf(cluster: string): string {
  return path.join(cluster, 'postmaster.pid');
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}

/** Whether a process exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** Detects a reused process ID; a zombie has no command line. True when it cannot be found out. */
async function mentions(pid: number, argument: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') {
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').includes(argument);
    }
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]);
    return stdout.includes(argument);
  } catch {
    return isAlive(pid);
  }
}

/** Removes the file unless another starter has replaced it. */
async function takeAway(file: string, content: string): Promise<void> {
  const aside = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, 'utf8')) !== content) await link(aside, file);
    await rm(aside);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

async function isOlderThan(file: string, milliseconds: number): Promise<boolean> {
  const status = await stat(file).catch(() => undefined);
  return status !== undefined && Date.now() - status.mtimeMs > milliseconds;
}
