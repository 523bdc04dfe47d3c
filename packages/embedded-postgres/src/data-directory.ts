import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createDirectory, removeAbandoned } from './atomic-directory.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, hasCode } from './errors.ts';
import { settleState } from './postmaster.ts';
import { finishMove, moveBehindLink } from './relocate.ts';
import { explain, isRoot, run, type SystemUser, userCan } from './system-user.ts';

export interface DataDirectory {
  readonly directory: string;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly log: string;
}

interface DataDirectoryOptions {
  readonly name: string;
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly user: SystemUser | undefined;
  readonly durable: boolean;
}

/** Creates the database; then its login is disabled: the owner has all the rights that its users need. */
const superuserName = 'postgres';
/** Exists before any other database; the processes that use the server register there (`join.ts`). */
export const commonDatabase = 'postgres';

/** The role that owns the database of a service, and the database: an identifier that SQL need not quote. */
export const roleOf = (name: string): string => name.replaceAll('-', '_');

/** `postgres` in the data directory or, for root, where it links to; throws `EmbeddedPostgresError` when that is nowhere. */
export async function findDataDirectory(dataDir: string): Promise<DataDirectory | undefined> {
  const entry = entryOf(dataDir);
  await finishMove(entry);
  try {
    return dataDirectoryAt(await realpath(entry));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  if ((await lstat(entry).catch(() => undefined)) === undefined) return undefined;
  throw new EmbeddedPostgresError(
    `The database that ${entry} links to does not exist. Remove the link to create a new database.`,
  );
}

/**
 * Returns the user that its server must run as; `undefined` for the user of this process. Throws
 * `EmbeddedPostgresError`.
 */
export async function ownerOf(dataDirectory: DataDirectory): Promise<SystemUser | undefined> {
  const { uid, gid } = await stat(dataDirectory.directory);
  if (uid === process.getuid?.() && !isRoot()) return undefined;
  if (process.getuid === undefined) return undefined;
  if (!isRoot()) throw new EmbeddedPostgresError(`${dataDirectory.directory} belongs to another user (number ${uid}).`);
  if (uid === 0) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, who owns ${dataDirectory.directory}: give it to another user (chown -R).`,
    );
  }
  return { uid, gid };
}

/** Throws `EmbeddedPostgresError` unless these binaries can open its database. */
export async function checkVersion(dataDirectory: DataDirectory, binaries: Binaries): Promise<void> {
  const file = path.join(dataDirectory.cluster, 'PG_VERSION');
  const found = await readFile(file, 'utf8').catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new EmbeddedPostgresError(
      `${dataDirectory.directory} does not hold a complete database: ${file} is missing.`,
    );
  });
  if (found.trim() === binaries.major) return;
  throw new EmbeddedPostgresError(
    `${dataDirectory.directory} holds a database of PostgreSQL ${found.trim()}, which PostgreSQL ${binaries.major} cannot open: ` +
      'back it up with the version that made it, and restore that into a new one.',
    'OTHER_VERSION',
  );
}

/** Atomic: when another process creates one at the same time, that one is returned. Throws `EmbeddedPostgresError`. */
export async function makeDataDirectory(options: DataDirectoryOptions): Promise<DataDirectory> {
  const { name, dataDir, user } = options;
  const entry = entryOf(dataDir);
  if (await userCan(user, 'enter', dataDir)) {
    await createDirectory(entry, (temporary) => fill(dataDirectoryAt(temporary), options));
  } else {
    const directory = path.join(await systemDirectory(name), nameElsewhere(dataDir));
    await createDirectory(directory, (temporary) => fill(dataDirectoryAt(temporary), options));
    try {
      await symlink(directory, entry);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
  const dataDirectory = await findDataDirectory(dataDir);
  if (dataDirectory === undefined) throw new EmbeddedPostgresError(`${entry} has vanished.`);
  return dataDirectory;
}

/** Moves a data directory that root restored below a closed directory to a place that is reachable. Throws `EmbeddedPostgresError`. */
export async function reachableHome(
  dataDirectory: DataDirectory,
  { name, dataDir, user }: Pick<DataDirectoryOptions, 'name' | 'dataDir' | 'user'>,
): Promise<DataDirectory> {
  const isBelow = dataDirectory.directory === entryOf(dataDir);
  if (!isBelow || (await userCan(user, 'enter', dataDirectory.directory))) return dataDirectory;
  // The running server could reach it when it started.
  if ((await settleState(dataDirectory.cluster)).kind !== 'absent') return dataDirectory;
  await moveBehindLink(dataDirectory.directory, path.join(await systemDirectory(name), nameElsewhere(dataDir)));
  return (await findDataDirectory(dataDir)) ?? dataDirectory;
}

/** The folder, for root, of files that PostgreSQL's user could not reach in the data directory. */
export async function systemDirectory(name: string): Promise<string> {
  const directory = path.join('/var/lib', name);
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
  await removeAbandoned(directory);
  return directory;
}

function entryOf(dataDir: string): string {
  return path.join(dataDir, 'postgres');
}

function dataDirectoryAt(directory: string): DataDirectory {
  return {
    directory,
    cluster: path.join(directory, 'cluster'),
    passwordFile: path.join(directory, 'password'),
    log: path.join(directory, 'server.log'),
  };
}

/** Adds a random suffix: after the directory is removed, a new database must be created. */
function nameElsewhere(dataDir: string): string {
  const origin = dataDir.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/^-/, '');
  return `${origin.slice(-60)}-${randomBytes(4).toString('hex')}`;
}

async function fill(
  dataDirectory: DataDirectory,
  { name, binaries, user, durable }: DataDirectoryOptions,
): Promise<void> {
  const role = roleOf(name);
  const password = randomBytes(24).toString('hex');
  await writeFile(dataDirectory.passwordFile, password, { mode: 0o600, flush: true });
  await writeFile(dataDirectory.log, '', { mode: 0o600 });
  if (user !== undefined) {
    // The directory last: while root owns it, no other user can replace a file in it.
    for (const file of [dataDirectory.passwordFile, dataDirectory.log, dataDirectory.directory])
      await chown(file, user.uid, user.gid);
  }
  await complete(
    run(
      binaries.initdb,
      [
        `--pgdata=${dataDirectory.cluster}`,
        `--username=${superuserName}`,
        `--pwfile=${dataDirectory.passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // The builtin provider has the same collation on every machine, with any locales.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        ...(durable ? [] : ['--no-sync']),
      ],
      { user },
    ),
  );
  await complete(
    run(binaries.postgres, ['--single', '-D', dataDirectory.cluster, '-c', 'exit_on_error=on', superuserName], {
      user,
      input: `CREATE ROLE ${role} LOGIN CREATEDB PASSWORD '${password}';
CREATE DATABASE ${role} OWNER ${role};
ALTER ROLE ${superuserName} NOLOGIN PASSWORD NULL;
`,
    }),
  );
}

async function complete(running: ReturnType<typeof run>): Promise<void> {
  const { succeeded, output } = await running;
  if (!succeeded) throw new EmbeddedPostgresError(`The database could not be made: ${explain(output)}.`);
}
