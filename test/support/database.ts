import { createDatabase, type TestDatabase as Database } from '@service/postgres/testing/database';

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
