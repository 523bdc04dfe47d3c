import { appendFile, chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openEmbeddedDatabase } from '../../src/database/embedded/open.ts';
import { migrate } from '../../src/database/migrations/migrate.ts';
import { build } from './built.ts';
import { addressOf, templateName } from './database.ts';
import { copyDatabase, makeDatabase } from './made-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server shared by all test files; each clones its own databases from the template. */
    postgresUrl: string;
    /** Where tests make their own embedded databases. */
    testFolder: string;
    /** A data directory with an embedded database that was never started, to copy. */
    madeDataDir: string;
  }
}

const inMemory = '/dev/shm';
/** More than the databases of all tests take at the same time. */
const bytesMin = 4 * 1_024 ** 3;

/** Nothing that only a recovery or a standby reads: a clone of a database is not written to the log, too. */
const withoutRecovery = 'wal_level = minimal\nmax_wal_senders = 0\n';

/** Linux's file system in memory, if there is room: cloning a database then takes a fraction of the time. */
async function fastestFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > bytesMin ? inMemory : tmpdir();
}

/** Builds the service; starts one PostgreSQL without fsync for all tests, with a migrated template database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // `npm run schema` writes what the build reads, and so cannot wait for it.
  if (project.config.snapshotOptions.updateSnapshot !== 'all') build();
  const folder = await mkdtemp(join(await fastestFolder(), 'academic-structure-test-'));
  // When run as root, PostgreSQL runs as another user, which needs access.
  await chmod(folder, 0o755);
  const [madeDataDir, dataDir] = [join(folder, 'made'), join(folder, 'data')];
  await makeDatabase(madeDataDir);
  await copyDatabase(madeDataDir, dataDir);
  await appendFile(join(dataDir, 'postgres', 'cluster', 'postgresql.conf'), withoutRecovery);
  // Some tests put a TCP proxy between the service and its database.
  const embedded = await openEmbeddedDatabase({ dataDir, log: () => undefined, durable: false, overTcp: true });
  const client = new Client({ connectionString: embedded.url });
  await client.connect();
  await shortenHandshakes(client, embedded.url);
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
  await migrate(addressOf(embedded.url, templateName));
  project.provide('postgresUrl', embedded.url);
  project.provide('testFolder', folder);
  project.provide('madeDataDir', madeDataDir);
  return async () => {
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Clients of the same password hash it once instead of 4,096 times: tests open connections by the thousands. */
async function shortenHandshakes(client: Client, url: string): Promise<void> {
  const { username, password } = new URL(url);
  await client.query('SET scram_iterations = 1');
  await client.query(`ALTER ROLE ${username} PASSWORD ${client.escapeLiteral(decodeURIComponent(password))}`);
}
