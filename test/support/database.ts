import { createDatabase, type TestDatabase as Database } from '@service/postgres/testing/database';
import { afterAll, beforeAll } from 'vitest';

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

/** A migrated database for all tests of a file or of a `describe`. */
export function useDatabase(): TestDatabase {
  let created: TestDatabase | undefined;
  const database = (): TestDatabase => {
    if (created === undefined)
      throw new Error('The database is created before the first test: use it in hooks and tests.');
    return created;
  };
  beforeAll(async () => {
    created = await createTestDatabase();
  });
  afterAll(() => created?.close());
  return {
    get url() {
      return database().url;
    },
    query: (sql, values) => database().query(sql, values),
    close: () => database().close(),
  };
}
