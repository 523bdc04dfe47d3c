import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '../../errors.ts';
import { createDirectory, removeAbandoned } from './atomic-directory.ts';
import type { Binaries } from './binaries.ts';
import { explain, run, type SystemUser } from './exec.ts';
import { hasCode } from './os-errors.ts';
import { observe } from './postmaster.ts';
import { finishMove, moveBehindLink } from './relocate.ts';
import { isRoot, userCan } from './system-user.ts';

export interface DataDirectory {
  readonly directory: string;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly log: string;
}

interface DataDirectoryOptions {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly user: SystemUser | undefined;
  readonly durable: boolean;
}

/** Creates the database; then its login is disabled. */
const superuserName = 'postgres';
/** The owner of the database has all the rights that the service needs. */
/** Exists before any other database; the processes that use the server register there (`join.ts`). */
export const commonDatabase = 'postgres';
export const serviceName = 'academic_structure';

/** For root: where files go that PostgreSQL's user could not reach in the data directory. */
const systemDirectoryPath = '/var/lib/academic-structure-service';

/** `postgres` in the data directory or, for root, where it links to; throws `StartupError` when that is nowhere. */
export async function findDataDirectory(dataDir: string): Promise<DataDirectory | undefined> {
  const entry = entryOf(dataDir);
  await finishMove(entry);
  try {
    return dataDirectoryAt(await realpath(entry));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  if ((await lstat(entry).catch(() => undefined)) === undefined) return undefined;
  throw new StartupError(`The database that ${entry} links to is gone; without that link a new one is made.`);
}

/** Who alone may run its server; undefined: this process's own. Throws `StartupError` when it cannot be that user. */
export async function ownerOf(dataDirectory: DataDirectory): Promise<SystemUser | undefined> {
  const { uid, gid } = await stat(dataDirectory.directory);
  if (uid === process.getuid?.() && !isRoot()) return undefined;
  if (process.getuid === undefined) return undefined;
  if (!isRoot()) throw new StartupError(`${dataDirectory.directory} belongs to another user (number ${uid}).`);
  if (uid === 0) {
    throw new StartupError(`PostgreSQL does not run as root, to whom ${dataDirectory.directory} belongs: chown -R it.`);
  }
  return { uid, gid };
}

/** Throws `StartupError` unless these binaries can open its database. */
export async function checkVersion(dataDirectory: DataDirectory, binaries: Binaries): Promise<void> {
  const file = path.join(dataDirectory.cluster, 'PG_VERSION');
  const found = await readFile(file, 'utf8').catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new StartupError(`${dataDirectory.directory} does not hold a complete database: ${file} is missing.`);
  });
  if (found.trim() === binaries.major) return;
  throw new StartupError(
    `${dataDirectory.directory} holds a database of PostgreSQL ${found.trim()}, which PostgreSQL ${binaries.major} cannot open: ` +
      'back it up with the version of the service that made it, and restore that into a new one (docs/upgrading.md).',
  );
}

/** Atomic: when another process creates one meanwhile, that one is returned. Throws `StartupError`. */
export async function makeDataDirectory(options: DataDirectoryOptions): Promise<DataDirectory> {
  const { dataDir, user } = options;
  const entry = entryOf(dataDir);
  if (await userCan(user, 'enter', dataDir)) {
    await createDirectory(entry, (temporary) => fill(dataDirectoryAt(temporary), options));
  } else {
    const directory = path.join(await systemDirectory(), nameElsewhere(dataDir));
    await createDirectory(directory, (temporary) => fill(dataDirectoryAt(temporary), options));
    try {
      await symlink(directory, entry);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
  const dataDirectory = await findDataDirectory(dataDir);
  if (dataDirectory === undefined) throw new StartupError(`${entry} has vanished.`);
  return dataDirectory;
}

/** Moves a data directory that root restored below a closed directory to a place that is reachable. Throws `StartupError`. */
export async function reachableHome(
  dataDirectory: DataDirectory,
  dataDir: string,
  user: SystemUser | undefined,
): Promise<DataDirectory> {
  const isBelow = dataDirectory.directory === entryOf(dataDir);
  if (!isBelow || (await userCan(user, 'enter', dataDirectory.directory))) return dataDirectory;
  // It was reachable when its server was started.
  if ((await observe(dataDirectory.cluster)).kind !== 'absent') return dataDirectory;
  await moveBehindLink(dataDirectory.directory, path.join(await systemDirectory(), nameElsewhere(dataDir)));
  return (await findDataDirectory(dataDir)) ?? dataDirectory;
}

export async function systemDirectory(): Promise<string> {
  await mkdir(systemDirectoryPath, { recursive: true });
  await chmod(systemDirectoryPath, 0o755);
  await removeAbandoned(systemDirectoryPath);
  return systemDirectoryPath;
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

/** With a random suffix: after its removal, a new database must be created. */
function nameElsewhere(dataDir: string): string {
  const origin = dataDir.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/^-/, '');
  return `${origin.slice(-60)}-${randomBytes(4).toString('hex')}`;
}

async function fill(dataDirectory: DataDirectory, { binaries, user, durable }: DataDirectoryOptions): Promise<void> {
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
        // PostgreSQL's builtin provider: the same collation on every machine, whatever its locales.
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
      input: `CREATE ROLE ${serviceName} LOGIN CREATEDB PASSWORD '${password}';
CREATE DATABASE ${serviceName} OWNER ${serviceName};
ALTER ROLE ${superuserName} NOLOGIN PASSWORD NULL;
`,
    }),
  );
}

async function complete(program: ReturnType<typeof run>): Promise<void> {
  const { succeeded, output } = await program;
  if (!succeeded) throw new StartupError(`The database could not be made: ${explain(output)}.`);
}
