import { execFile } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { prepareBinaries } from '../src/binaries.ts';
import { makeDataDirectory, systemDirectory } from '../src/data-directory.ts';
import { chooseUser } from '../src/system-user.ts';

/** Makes an embedded database as the first opening does, without starting it. */
export async function makeDatabase(name: string, dataDir: string): Promise<void> {
  await makeFolder(dataDir);
  const user = await chooseUser(name);
  const binaries = await prepareBinaries(user, async () => (user === undefined ? dataDir : systemDirectory(name)));
  await makeDataDirectory({ name, dataDir, binaries, user, durable: false });
}

/** Copies a made database, with its owner, into a new data directory: a fraction of the time of making one. */
export async function copyDatabase(from: string, dataDir: string): Promise<void> {
  await makeFolder(dataDir);
  await promisify(execFile)('cp', ['-a', path.join(from, 'postgres'), dataDir]);
}

/** When run as root, PostgreSQL runs as another user, which needs access whatever the umask. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder);
  await chmod(folder, 0o755);
}
