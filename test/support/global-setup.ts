import { appendFile, chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '@service/embedded-postgres';
import { copyDatabase, makeDatabase } from '@service/embedded-postgres/testing/made-database';
import { addressOf } from '@service/postgres/testing/database';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/database/migrations/migrate.ts';
import { embeddedName } from '../../src/database/open-postgres.ts';
import { templateName } from './database.ts';

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

/** Starts one PostgreSQL without fsync for all tests, with a migrated template database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await fastestFolder(), 'academic-structure-test-'));
  // When run as root, PostgreSQL runs as another user, which needs access.
  await chmod(folder, 0o755);
  const [madeDataDir, dataDir] = [join(folder, 'made'), join(folder, 'data')];
  await makeDatabase(embeddedName, madeDataDir);
  await copyDatabase(madeDataDir, dataDir);
  await appendFile(join(dataDir, 'postgres', 'cluster', 'postgresql.conf'), withoutRecovery);
  // Some tests put a TCP proxy between the service and its database.
  const embedded = await openEmbeddedDatabase({
    name: embeddedName,
    dataDir,
    log: () => undefined,
    durable: false,
    overTcp: true,
  });
  const client = new Client({ connectionString: embedded.url });
  await client.connect();
  await shortenHandshakes(client, embedded.url);
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
  await migrate(addressOf(embedded.url, templateName));
  project.provide('postgresUrl', embedded.url);
  project.provide('testFolder', folder);
  project.provide('embeddedName', embeddedName);
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
