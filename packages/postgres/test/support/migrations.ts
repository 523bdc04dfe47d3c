import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import type { TestDatabase } from './database.ts';

/** Creates a folder of migrations from their SQL by name, removed when the test ends. */
export async function migrationsFolder(migrations: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, name, 'migration.sql'), sql);
  }
  return pathToFileURL(`${folder}/`);
}

/** The names of the migrations that a database has, in order. */
export const appliedTo = async (database: TestDatabase): Promise<unknown[]> =>
  (await database.query('SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1')).map(({ name }) => name);

/** Another session, named `report`, in a transaction that has run a statement; ended when the test ends. */
export async function openReader(database: TestDatabase, sql: string): Promise<Client> {
  const client = new Client({ connectionString: database.url, application_name: 'report' });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query(sql);
  return client;
}
