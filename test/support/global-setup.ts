import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openEmbeddedDatabase } from '../../src/database/embedded/open.ts';
import { migrate } from '../../src/database/migrations/migrate.ts';
import { addressOf, templateName } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL that all test files share; each clones databases of its own from the template. */
    postgresUrl: string;
  }
}

/** Starts one real PostgreSQL for all tests, without fsync, with a migrated template to clone. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'academic-structure-test-'));
  // As root, PostgreSQL runs as another user, who can then use the folder where it is.
  await chmod(dataDir, 0o755);
  // Tests lay proxies between a service and its database, which are simple over TCP.
  const embedded = await openEmbeddedDatabase({ dataDir, log: () => undefined, durable: false, overTcp: true });
  const client = new Client({ connectionString: embedded.url });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${templateName}`);
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
  await migrate(addressOf(embedded.url, templateName));
  project.provide('postgresUrl', embedded.url);
  return async () => {
    await embedded.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}
