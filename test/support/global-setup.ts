import { appendFile, chmod, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '@service/embedded-postgres';
import { copyDatabase, makeDatabase } from '@service/embedded-postgres/testing/made-database';
import { provenServer } from '@service/postgres/client';
import { migrate } from '@service/postgres/migrations/migrate';
import { addressOf } from '@service/postgres/testing/database';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { embeddedName, migrations } from '../../src/database/open-postgres.ts';
import { templateName } from './database.ts';
import { build } from './files.ts';

const inMemory = '/dev/shm';
/** More than the databases of all tests take at the same time. */
const bytesMin = 4 * 1_024 ** 3;

/**
 * Nothing that only a recovery or a standby reads: a clone of a database is not written to the log, too. No autovacuum:
 * it begins a process for each of the many databases, which live for seconds.
 */
const forTests = 'wal_level = minimal\nmax_wal_senders = 0\nautovacuum = off\n';

/** Tests open connections by the thousands, and the proof of a password costs more than a statement. */
const withoutPassword = 'host "/^test_" all 127.0.0.1/32 trust\n';

/** Linux's file system in memory, if there is room: cloning a database then takes a fraction of the time. */
async function fastestFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > bytesMin ? inMemory : tmpdir();
}

/** Another server for the tests, as a role that may create databases: `.ci/with-postgresql` starts Debian's. */
const given = process.env['TEST_DATABASE_URL'];

/** Builds the service; starts one PostgreSQL without fsync for all tests, unless one is given, with a migrated template. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // `npm run schema` writes what the build reads, and so cannot wait for it.
  if (project.config.snapshotOptions.updateSnapshot !== 'all') build();
  const folder = await mkdtemp(join(await fastestFolder(), 'academic-structure-test-'));
  // When run as root, PostgreSQL runs as another user, which needs access.
  await chmod(folder, 0o755);
  const madeDataDir = join(folder, 'made');
  await makeDatabase(embeddedName, madeDataDir);
  const server =
    given === undefined ? await startServer(folder, madeDataDir) : { url: given, close: async () => undefined };
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${templateName}`);
  await client.query(`CREATE DATABASE ${templateName}`);
  await migrate(addressOf(server.url, templateName), migrations);
  project.provide('postgresUrl', server.url);
  project.provide('testFolder', folder);
  project.provide('embeddedName', embeddedName);
  project.provide('madeDataDir', madeDataDir);
  return async () => {
    await client.query(`DROP DATABASE ${templateName}`);
    await client.end();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}

async function startServer(folder: string, madeDataDir: string): Promise<EmbeddedDatabase> {
  const dataDir = join(folder, 'data');
  await copyDatabase(madeDataDir, dataDir);
  const cluster = join(dataDir, 'postgres', 'cluster');
  await appendFile(join(cluster, 'postgresql.conf'), forTests);
  const access = join(cluster, 'pg_hba.conf');
  await writeFile(access, withoutPassword + (await readFile(access, 'utf8')));
  // Some tests put a TCP proxy between the service and its database.
  const embedded = await openEmbeddedDatabase({
    name: embeddedName,
    dataDir,
    log: () => undefined,
    durable: false,
    overTcp: true,
  });
  const url = new URL(embedded.url);
  for (const name of Object.keys(provenServer)) url.searchParams.delete(name);
  return { url: url.href, close: embedded.close };
}
