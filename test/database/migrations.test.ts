import { migrate } from '@service/postgres/migrations/migrate';
import { readMigrations } from '@service/postgres/migrations/migrations';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../src/database/open-postgres.ts';
import { createTestDatabase, databaseForTest, type TestDatabase, useDatabase } from '../support/database.ts';
import { migrationsList, openSchemaEngine, readDataModel } from './schema-engine.ts';

const filters = { externalTables: [], externalEnums: [] };

/** The SQL with which Prisma would create the database of `schema.prisma`. */
async function sqlOfDataModel(url: string): Promise<string> {
  const { engine, close } = await openSchemaEngine(url);
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: readDataModel() }] },
    script: true,
    exitCode: null,
    filters,
  });
  await close();
  return stdout ?? '';
}

/** Everything that a data model can express: columns, keys, and indexes on columns of all rows. */
async function shapeOf(database: TestDatabase, tables: 'ours' | 'prisma' = 'ours') {
  const like = `${tables === 'ours' ? 'NOT ' : ''}LIKE '\\_prisma%'`;
  const columns = `SELECT table_name, column_name, udt_name, is_nullable, column_default, datetime_precision, character_maximum_length
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name ${like} ORDER BY 1, 2`;
  // A model cannot say that a key is checked at the commit.
  const keys = `SELECT conrelid::regclass::text AS table, conname,
      replace(pg_get_constraintdef(oid), ' DEFERRABLE INITIALLY DEFERRED', '') AS definition FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f') AND conrelid::regclass::text ${like}
    ORDER BY 1, 2`;
  // Nor by which collation an index compares texts.
  const indexes = `SELECT indrelid::regclass::text AS table,
      replace(pg_get_indexdef(indexrelid), ' COLLATE "C"', '') AS definition FROM pg_index
    JOIN pg_class ON pg_class.oid = indrelid WHERE relnamespace = 'public'::regnamespace AND indexprs IS NULL AND indpred IS NULL
    AND relname ${like} ORDER BY 1, 2`;
  return {
    columns: await database.query(columns),
    keys: await database.query(keys),
    indexes: await database.query(indexes),
  };
}

const emptyDatabase = (): Promise<TestDatabase> => databaseForTest(null);

describe('the migrations', () => {
  const migrated = useDatabase();
  let described: TestDatabase;
  beforeAll(async () => {
    described = await createTestDatabase(null);
    // The model names operators of an index that are the extension's.
    await described.query('CREATE EXTENSION pg_trgm');
    await described.query(await sqlOfDataModel(described.url));
  });
  afterAll(async () => {
    await described.close();
  });

  it('create exactly the database that schema.prisma describes', async () => {
    expect(await shapeOf(migrated)).toEqual(await shapeOf(described));
  });

  it.each([
    'ALTER TABLE branches DROP COLUMN description',
    'ALTER TABLE programs ALTER COLUMN duration DROP NOT NULL',
    'DROP INDEX api_keys_hash_key',
    'ALTER TABLE branches DROP CONSTRAINT branches_program_id_fkey',
  ])('no longer match schema.prisma after %s', async (sql) => {
    const altered = await createTestDatabase();
    await altered.query(sql);
    expect(await shapeOf(altered)).not.toEqual(await shapeOf(described));
    await altered.close();
  });

  it('make texts of attributes that SQL has written as anything else', async () => {
    const database = await emptyDatabase();
    const [[init], rest] = [readMigrations(migrations.folder).slice(0, 1), readMigrations(migrations.folder).slice(1)];
    await database.query(init?.sql ?? '');
    const odd = `'{"level": 5, "gone": null, "list": ["x"], "kept": "text"}'`;
    await database.query(`INSERT INTO programs (name, duration, attributes) VALUES ('Odd', '1', ${odd})`);
    for (const { sql } of rest) await database.query(sql);
    const [{ attributes, version } = {}] = await database.query('SELECT attributes, version FROM programs');
    expect(attributes).toEqual({ level: '5', list: '["x"]', kept: 'text' });
    expect(version).toBe(1);
  });

  it('contain no statement that cannot run in a transaction, or ends it', () => {
    const broken = /^\s*(?:BEGIN|COMMIT|ROLLBACK)\s*;|^\s*VACUUM\b|\bCONCURRENTLY\b/im;
    expect(readMigrations(migrations.folder).filter(({ sql }) => broken.test(sql.replaceAll(/--.*/g, '')))).toEqual([]);
  });
});

describe("Prisma's own engine", () => {
  /** The state after a migration, without values that differ between runs. */
  const rowsOf = (database: TestDatabase) =>
    database.query(`SELECT checksum, migration_name, logs, rolled_back_at, applied_steps_count, length(id) AS id_length,
      finished_at >= started_at AS finished, started_at > now() - interval '1 hour' AS started
      FROM _prisma_migrations ORDER BY migration_name`);

  it('has nothing to do after our migrations', async () => {
    const database = await emptyDatabase();
    await migrate(database.url, migrations);
    const { engine, close } = await openSchemaEngine(database.url);
    onTestFinished(close);

    const diagnosis = await engine.diagnoseMigrationHistory({
      migrationsList: migrationsList(),
      optInToShadowDatabase: false,
      filters,
    });
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: migrationsList(), filters });

    expect(diagnosis).toMatchObject({
      editedMigrationNames: [],
      failedMigrationNames: [],
      hasMigrationsTable: true,
      history: null,
    });
    expect(appliedMigrationNames).toEqual([]);
  });

  it('writes the same migrations table, after which ours has nothing to do', async () => {
    const [ours, theirs] = [await emptyDatabase(), await emptyDatabase()];
    await migrate(ours.url, migrations);
    const { engine, close } = await openSchemaEngine(theirs.url);
    onTestFinished(close);
    await engine.applyMigrations({ migrationsList: migrationsList(), filters });

    expect(await shapeOf(ours, 'prisma')).toEqual(await shapeOf(theirs, 'prisma'));
    expect(await rowsOf(ours)).toEqual(await rowsOf(theirs));
    expect(await migrate(theirs.url, migrations)).toEqual([]);
  });
});
