import { mkdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { addressOf, openSocketFolder } from './address.ts';
import { exists, removeAbandoned } from './atomic-directory.ts';
import { prepareBinaries } from './binaries.ts';
import {
  checkVersion,
  findDataDirectory,
  makeDataDirectory,
  ownerOf,
  reachableHome,
  roleOf,
  systemDirectory,
} from './data-directory.ts';
import { EmbeddedPostgresError, hasCode, toEmbeddedPostgresError } from './errors.ts';
import { acquireLease } from './lease.ts';
import type { EmbeddedServer } from './server.ts';
import { chooseUser } from './system-user.ts';

export interface EmbeddedDatabase {
  /** Holds a password: never log it. */
  readonly url: string;
  /** The last process to leave stops the server. */
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  /**
   * Name of the service, in lower-case letters and hyphens: `class-lists`. Names the database and its role, and for
   * root the system user and the folder below `/var/lib`.
   */
  readonly name: string;
  readonly dataDir: string;
  readonly log: (message: string) => void;
  /** False disables fsync, for tests. */
  readonly durable?: boolean;
  /** False requires a database that exists. */
  readonly creates?: boolean;
  /** True uses TCP instead of a Unix socket, for tests. */
  readonly overTcp?: boolean;
}

/** Creates, starts or shares the embedded PostgreSQL of a data directory. Throws `EmbeddedPostgresError`. */
export async function openEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    const server = await prepareServer(options);
    const close = async () => server.folder?.close();
    const lease = await acquireLease(server, options.log).catch((problem: unknown) =>
      close().then(() => Promise.reject(problem)),
    );
    const password = await readFile(server.dataDirectory.passwordFile, 'utf8');
    const login = { user: server.role, password, database: server.role };
    return {
      url: addressOf(lease.endpoint, server.folder, login),
      close: () => lease.release().then(close),
    };
  } catch (error) {
    throw toEmbeddedPostgresError(error);
  }
}

async function prepareServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { name, dataDir: configured, log, durable = true, creates = true, overTcp = false } = options;
  if (creates) await createDirectories(configured);
  else if (!(await exists(configured))) throw noDatabaseIn(configured);
  const dataDir = await realpath(configured);
  await removeAbandoned(dataDir);
  const existing = await findDataDirectory(dataDir);
  if (existing === undefined && !creates) throw noDatabaseIn(configured);
  const user = existing === undefined ? await chooseUser(name) : await ownerOf(existing);
  const binaries = await prepareBinaries(user, async () => (user === undefined ? dataDir : systemDirectory(name)));
  if (existing === undefined) log(`Making an embedded PostgreSQL database in ${dataDir}.`);
  const dataDirectory =
    existing === undefined
      ? await makeDataDirectory({ name, dataDir, binaries, user, durable })
      : await reachableHome(existing, { name, dataDir, user });
  await checkVersion(dataDirectory, binaries);
  const folder = overTcp ? undefined : await openSocketFolder(dataDirectory);
  return { role: roleOf(name), binaries, dataDirectory, user, durable, folder };
}

function noDatabaseIn(dataDir: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`There is no database in ${dataDir} yet.`, 'NO_DATABASE');
}

/**
 * Creates directories one by one: the recursive mode of `mkdir` never ends on file systems like `/proc`, where nobody
 * can create any.
 */
async function createDirectories(directory: string): Promise<void> {
  const parent = path.dirname(directory);
  if (parent !== directory && !(await exists(parent))) await createDirectories(parent);
  try {
    await mkdir(directory);
  } catch (error) {
    if (hasCode(error, 'EEXIST') && (await stat(directory)).isDirectory()) return;
    if (hasCode(error, 'ENOENT')) throw new EmbeddedPostgresError(`No directory can be created in ${parent}.`);
    throw error;
  }
}
