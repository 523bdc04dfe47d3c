import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '@service/embedded-postgres';
import { migrate } from '@service/postgres/migrations/migrate';
import { Client } from 'pg';
import { embeddedName, migrations } from '../src/database/open-postgres.ts';
import { parentOf } from './cpu.ts';

/** Branches of each program, and years of each branch. */
export const branchesEach = 5;
export const yearsEach = 4;
/** The time of all records. */
export const createdAt = '2026-01-01T00:00:00.000Z';

/** A PostgreSQL for the bench, as durable as the service's. */
export interface BenchDatabase {
  /** Creates a migrated, filled and analyzed database with this many programs; returns its URL. */
  fill(programs: number): Promise<string>;
  /** The process ID of its postmaster. */
  pid(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts it in a temporary directory, which is removed on close, unless a server is given: one of this machine, by the
 * address of a role that may create databases.
 */
export async function openBenchDatabase(given?: string): Promise<BenchDatabase> {
  const server = given === undefined ? await startServer() : { url: given, close: async () => undefined };
  const made: string[] = [];
  return {
    fill: async (programs) => {
      const name = `bench_${programs}`;
      await run(server.url, [`CREATE DATABASE ${name}`]);
      made.push(name);
      const address = new URL(server.url);
      address.pathname = `/${name}`;
      await migrate(address.href, migrations);
      await run(address.href, rowsOf(programs));
      return address.href;
    },
    // The postmaster starts the process of each connection.
    pid: () => connected(server.url, async (client) => parentOf(await backendOf(client))),
    close: async () => {
      await run(
        server.url,
        made.map((name) => `DROP DATABASE ${name} WITH (FORCE)`),
      );
      await server.close();
    },
  };
}

async function startServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const embedded = await openEmbeddedDatabase({ name: embeddedName, dataDir, log: () => undefined });
  return {
    url: embedded.url,
    close: async () => {
      await embedded.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const tables = ['programs', 'branches', 'branch_years'];

/**
 * Every record follows from its id, so that responses can be checked. Triggers are disabled, and foreign keys are added
 * afterwards: with millions of rows, either would take longer than the measurement.
 */
function rowsOf(programs: number): string[] {
  return [
    ...tables.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER`),
    `CREATE TEMPORARY TABLE reference AS SELECT conrelid::regclass AS of, conname, pg_get_constraintdef(oid) AS text
      FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text = ANY ('{${tables}}')`,
    forEachReference(`'ALTER TABLE %s DROP CONSTRAINT %I', reference.of, reference.conname`),
    `INSERT INTO programs (name, duration, code, created_at, updated_at)
      SELECT 'Bachelor of Technology, subject ' || i, '4 Years', 'BT' || i, '${createdAt}', '${createdAt}' FROM generate_series(1, ${programs}) i`,
    `INSERT INTO branches (program_id, name, description, code_prefix)
      SELECT p, 'Branch ' || k || ' of program ' || p, 'Its required and elective courses.', 'L'
      FROM generate_series(1, ${programs}) p, generate_series(1, ${branchesEach}) k ORDER BY p, k`,
    `INSERT INTO branch_years (branch_id, year, code)
      SELECT b, k, 'L' || k FROM generate_series(1, ${programs * branchesEach}) b, generate_series(1, ${yearsEach}) k
      ORDER BY b, k`,
    forEachReference(`'ALTER TABLE %s ADD CONSTRAINT %I %s', reference.of, reference.conname, reference.text`),
    ...tables.map((table) => `ALTER TABLE ${table} ENABLE TRIGGER USER`),
    'VACUUM ANALYZE',
  ];
}

function forEachReference(command: string): string {
  return `DO $$ DECLARE reference record; BEGIN
    FOR reference IN SELECT * FROM reference LOOP EXECUTE format(${command}); END LOOP; END $$`;
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

function run(url: string, statements: readonly string[]): Promise<void> {
  return connected(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

async function connected<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
