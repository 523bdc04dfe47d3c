import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { openSchemaEngine, readDataModel } from '../../src/database/schema-engine.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** The SQL by which Prisma would make a database as `schema.prisma` describes it. */
async function sqlOfDataModel(url: string): Promise<string> {
  const { engine, close } = await openSchemaEngine(url);
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: readDataModel() }] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  await close();
  return stdout ?? '';
}

/** All that a data model can say of a database: columns, keys, and indexes on columns. */
async function shapeOf(database: TestDatabase) {
  const columns = `SELECT table_name, column_name, udt_name, is_nullable, column_default, datetime_precision
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE '\\_prisma%' ORDER BY 1, 2`;
  const keys = `SELECT conrelid::regclass::text AS table, conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f') AND conrelid::regclass::text NOT LIKE '\\_prisma%'
    ORDER BY 1, 2`;
  const indexes = `SELECT indrelid::regclass::text AS table, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    JOIN pg_class ON pg_class.oid = indrelid WHERE relnamespace = 'public'::regnamespace AND indexprs IS NULL
    AND relname NOT LIKE '\\_prisma%' ORDER BY 1, 2`;
  return {
    columns: await database.query(columns),
    keys: await database.query(keys),
    indexes: await database.query(indexes),
  };
}

describe('the migrations', () => {
  let migrated: TestDatabase;
  let described: TestDatabase;
  beforeAll(async () => {
    migrated = await createTestDatabase();
    described = await createTestDatabase(null);
    await described.query(await sqlOfDataModel(described.url));
  });
  afterAll(async () => {
    await migrated.close();
    await described.close();
  });

  it('make exactly the database that schema.prisma describes', async () => {
    expect(await shapeOf(migrated)).toEqual(await shapeOf(described));
  });

  it.each([
    'ALTER TABLE branches DROP COLUMN description',
    'ALTER TABLE programs ALTER COLUMN duration DROP NOT NULL',
    'DROP INDEX api_keys_hash_key',
    'ALTER TABLE branches DROP CONSTRAINT branches_program_id_fkey',
  ])('would be found wanting after %s', async (sql) => {
    const wanting = await createTestDatabase();
    await wanting.query(sql);
    expect(await shapeOf(wanting)).not.toEqual(await shapeOf(described));
    await wanting.close();
  });

  it('are applied once, by one instance at a time', async () => {
    const empty = await createTestDatabase(null);
    await Promise.all([migrate(empty.url), migrate(empty.url), migrate(empty.url)]);
    const applied = await empty.query(
      'SELECT migration_name, count(*)::int AS times FROM _prisma_migrations GROUP BY 1 ORDER BY 1',
    );
    expect(applied.length).toBeGreaterThan(0);
    expect(applied.every((row) => row['times'] === 1)).toBe(true);
    await empty.close();
  });

  it('stop the start with one clear line when the database cannot be reached', async () => {
    await expect(migrate('postgresql://ada:secret@127.0.0.1:1/none')).rejects.toThrow(
      /^The database cannot be reached: .* Check DATABASE_URL\.$/,
    );
    await expect(migrate('postgresql://ada:secret@127.0.0.1:1/none')).rejects.not.toThrow('secret');
  });
});
