import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { StartupError } from '@service/errors';
import type { Client } from 'pg';

export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the SQL in hexadecimal digits, as Prisma records it. */
  readonly checksum: string;
}

/** `folder` has a folder for each, with the file `migration.sql`; they are applied in the order of their names. */
export function readMigrations(folder: URL): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      // A checkout on Windows may have other line ends; they are no other migration.
      const sql = readFileSync(new URL(`${name}/migration.sql`, folder), 'utf8').replaceAll('\r\n', '\n');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

export const migrationsTable = '_prisma_migrations';

/** Exactly Prisma's table of migrations, so that `prisma migrate` works on the same database. */
const createTable = `CREATE TABLE IF NOT EXISTS ${migrationsTable} (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

const insertRow = `INSERT INTO ${migrationsTable}
  (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
  VALUES (gen_random_uuid(), $1, $2, now(), clock_timestamp(), 1)`;

/** Creates Prisma's table of applied migrations, if it is missing. */
export async function createMigrationsTable(client: Client): Promise<void> {
  await client.query(createTable);
}

/** Records a migration in the transaction that applied it. */
export async function recordMigration(client: Client, { checksum, name }: Migration): Promise<void> {
  await client.query(insertRow, [checksum, name]);
}

export interface AppliedMigration {
  readonly at: Date;
  /** Of the SQL that was applied. */
  readonly checksum: string;
}

/**
 * Returns the applied migrations by name. Takes no lock that could block others.
 * @throws StartupError when another tool has left one unfinished.
 */
export async function readAppliedMigrations(client: Client): Promise<ReadonlyMap<string, AppliedMigration>> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('${migrationsTable}') IS NOT NULL AS found`,
  );
  if (tables[0]?.found !== true) return new Map();
  const { rows } = await client.query<{ name: string; at: Date | null; checksum: string }>(
    `SELECT migration_name AS name, finished_at AS at, checksum FROM ${migrationsTable} WHERE rolled_back_at IS NULL`,
  );
  const applied = new Map<string, AppliedMigration>();
  for (const { name, at, checksum } of rows) if (at !== null) applied.set(name, { at, checksum });
  const unfinished = rows.find(({ name }) => !applied.has(name));
  if (unfinished !== undefined) {
    throw new StartupError(
      `Migration ${unfinished.name} was begun by another tool and did not finish. Undo its changes, then set rolled_back_at of its row in ${migrationsTable}.`,
    );
  }
  return applied;
}
