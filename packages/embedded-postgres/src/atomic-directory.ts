import { randomBytes } from 'node:crypto';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from './postmaster.ts';

const temporaryName = /\.new-(\d+)-[0-9a-f]{8}$/;

/** `fill` takes far less: an older directory is abandoned, even if its process ID is in use again. */
const abandonedAfterMs = 3_600_000;

/** Atomic even when killed: fills a temporary sibling, then renames it. A directory of another process stays. */
export async function createDirectory(directory: string, fill: (temporary: string) => Promise<void>): Promise<void> {
  const parent = path.dirname(directory);
  const temporary = `${directory}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(temporary, { mode: 0o700 });
    await fill(temporary);
    await rename(temporary, directory);
    await syncDirectory(parent);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await exists(directory))) throw error;
  }
}

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Removes the unfinished directories of processes that are gone, or have taken too long. */
export async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const maker = temporaryName.exec(name)?.[1];
    if (maker === undefined) continue;
    const directory = path.join(parent, name);
    const status = await stat(directory).catch(() => undefined);
    if (status === undefined) continue;
    if (isAlive(Number(maker)) && Date.now() - status.mtimeMs < abandonedAfterMs) continue;
    // A child of the killed process may still be writing there; then the next start removes it.
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Syncs a directory, so that a rename survives a power failure. Windows neither needs nor offers this. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
