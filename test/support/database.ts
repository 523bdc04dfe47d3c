import { asUsual, createDatabase, createdBy, type TestDatabase as Database } from '@service/postgres/testing/database';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest';

/** The migrated database that tests clone. */
export const templateName = 'academic_structure_template';

export type TestDatabase = Database;

/**
 * Creates a migrated database for one test by cloning the template.
 *
 * @param template another template; `null` creates an empty database.
 * @param settings further options of CREATE DATABASE.
 */
export function createTestDatabase(template: string | null = templateName, settings = ''): Promise<TestDatabase> {
  return createDatabase(template ?? undefined, settings);
}

/** As `createTestDatabase`; it is removed when the test ends. */
export async function databaseForTest(...options: Parameters<typeof createTestDatabase>): Promise<TestDatabase> {
  const database = await createTestDatabase(...options);
  onTestFinished(() => database.close());
  return database;
}

/** A connection that is closed when the test ends. */
export async function clientForTest(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, ...asUsual });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A migrated database for all tests of a file or of a `describe`. */
export const useDatabase = (): TestDatabase => createdBy(beforeAll, afterAll, createTestDatabase);

const catalog = ['notes', 'branch_years', 'branches', 'programs'];
const others = ['saved_views', 'search_words', 'api_keys', 'users', 'idempotency_records'];

/** TRUNCATE takes five times as long, since it makes each index anew. */
const deletedFrom = (tables: readonly string[]): string =>
  [
    ...tables.map((table) => `DELETE FROM ${table}`),
    `SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S' AND relname = ANY ('{${tables.map((table) => `${table}_id_seq`)}}')`,
  ].join('; ');

/** Deletes programs, branches and notes; their ids begin at 1 again. */
export const emptyCatalog = deletedFrom(catalog);

/** Deletes the audit log, which a service never does. */
export const emptyLog = `ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only;
  ${deletedFrom(['audit_entries'])};
  ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_append_only`;

/** Deletes all of a database, users, keys and the audit log too: what a test needs of one of its own, for a fraction of the time. */
const emptied = `${deletedFrom([...catalog, ...others])}; ${emptyLog}`;

/** Remembers what a database has; the returned function restores that. */
export async function resetOf({ query }: TestDatabase): Promise<() => Promise<void>> {
  const kept = ['users', 'api_keys', 'audit_entries'];
  const [found] = await query(`SELECT
    (SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE schemaname = 'public'
       AND tablename NOT IN ('_prisma_migrations', 'change_log', 'sign_in_secret')) AS tables,
    (SELECT string_agg(format('setval(%L, %s, %L)', sequencename, coalesce(last_value, 1), last_value IS NOT NULL), ', ')
       FROM pg_sequences WHERE sequencename <> 'change_log_id_seq') AS sequences,
    (SELECT string_agg(format('ALTER TABLE %I DISABLE TRIGGER %I;', relname, tgname), ' ')
       FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE tgname LIKE '%\\_append\\_only') AS unguarded,
    ${kept.map((table) => `(SELECT json_agg(${table})::text FROM ${table}) AS ${table}`)}`);
  const { tables, sequences, unguarded, ...rows } = found ?? {};
  const restored = kept.map((table) => {
    const text = String(rows[table] ?? '[]').replaceAll("'", "''");
    return `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, '${text}')`;
  });
  return async () => {
    const guarded = String(unguarded).replaceAll('DISABLE', 'ENABLE');
    await query(`${unguarded} TRUNCATE ${tables}; ${guarded} ${restored.join('; ')}; SELECT ${sequences}`);
  };
}

/** A migrated database for all tests of a file or of a `describe`, emptied before each. */
export function useEmptiedDatabase(): TestDatabase {
  const database = useDatabase();
  beforeEach(() => database.query(emptied));
  return database;
}

/** A migrated database for each test of a file or of a `describe`. */
export const useDatabaseForEach = (): TestDatabase => createdBy(beforeEach, afterEach, createTestDatabase);
