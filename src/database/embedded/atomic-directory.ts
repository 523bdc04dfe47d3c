import { randomBytes } from 'node:crypto';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from './postmaster.ts';

const TEMPORARY = /\.new-(\d+)-[0-9a-f]{8}$/;

/** Far longer than filling takes, for the case that another process has the number of the one that died. */
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Makes a directory that is there with everything in it or not at all, even when the process is killed: `fill` works
 * on a temporary sibling that is then renamed. When somebody else makes the same directory meanwhile, theirs stays.
 * Rejects with what `fill` rejects with.
 */
export async function createDirectory(directory: string, fill: (temporary: string) => Promise<void>): Promise<void> {
  const parent = path.dirname(directory);
  const temporary = `${directory}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(temporary, { mode: 0o700 });
    await fill(temporary);
    await rename(temporary, directory);
    await flush(parent);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await exists(directory))) throw error;
  }
}

/** Whether a file or directory is there. */
export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Removes what makers that were killed have left in a directory. */
export async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const maker = TEMPORARY.exec(name)?.[1];
    if (maker === undefined) continue;
    const directory = path.join(parent, name);
    const status = await stat(directory).catch(() => undefined);
    if (status === undefined) continue;
    if (isAlive(Number(maker)) && Date.now() - status.mtimeMs < ABANDONED_AFTER_MS) continue;
    // A program that outlived its maker may still be writing there; then the next start gets it.
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Makes a rename survive a power failure. Windows cannot open directories, and needs no such thing. */
async function flush(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
