import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entriesBehind, extentOfLog, removeOldEntries } from '../../src/database/catalog-log.ts';
import { type Database, openDatabase } from '../../src/database/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url });
});
afterAll(async () => {
  await db.$disconnect();
  await database.close();
});

/** Two programs with two branches each, and a program and a branch that are deleted. */
beforeEach(async () => {
  await database.query(`TRUNCATE programs, branches, branch_years RESTART IDENTITY`);
  await database.query(`INSERT INTO programs (name, duration, deleted_at)
    VALUES ('Physics', '4 Years', NULL), ('Chemistry', '4 Years', NULL), ('Alchemy', '7 Years', now())`);
  await database.query(`INSERT INTO branches (program_id, name, deleted_at)
    VALUES (1, 'Optics', NULL), (1, 'Ether', now()), (2, 'Salts', NULL)`);
  await database.query(`INSERT INTO branch_years (branch_id, year, code) VALUES (1, 1, 'O1'), (3, 1, 'S1')`);
});

/** What one statement, or several in one transaction, leave in the log. */
async function logged(sql: string) {
  const { next } = await extentOfLog(db);
  await database.query(sql);
  const entries = await entriesBehind(db, next - 1, 10);
  return entries.map(({ changes, programs }) => ({
    changes: changes?.map(({ kind, action, id, programId }) => `${kind} ${id} of ${programId} ${action}`) ?? null,
    programs,
  }));
}

describe('the log of the catalog', () => {
  it.each([
    ['a program inserted', `INSERT INTO programs (name, duration) VALUES ('Botany', '3')`, ['PROGRAM 4 of 4 CREATED']],
    ['one inserted as deleted', `INSERT INTO programs (name, duration, deleted_at) VALUES ('x', '3', now())`, []],
    ['a program changed', `UPDATE programs SET name = 'x' WHERE id = 1`, ['PROGRAM 1 of 1 UPDATED']],
    ['one that stays as it is', `UPDATE programs SET name = name`, []],
    ['one that is deleted and changed', `UPDATE programs SET name = 'x' WHERE id = 3`, []],
    ['a program marked as deleted', `UPDATE programs SET deleted_at = now() WHERE id = 1`, ['PROGRAM 1 of 1 DELETED']],
    ['a program brought back', `UPDATE programs SET deleted_at = NULL WHERE id = 3`, ['PROGRAM 3 of 3 CREATED']],
    ['one removed that was deleted', `DELETE FROM programs WHERE id = 3`, []],
    ['a branch inserted', `INSERT INTO branches (program_id, name) VALUES (2, 'x')`, ['BRANCH 4 of 2 CREATED']],
    ['a branch changed', `UPDATE branches SET name = 'x' WHERE id = 1`, ['BRANCH 1 of 1 UPDATED']],
    ['branches deleted', `UPDATE branches SET deleted_at = now()`, ['BRANCH 1 of 1 DELETED', 'BRANCH 3 of 2 DELETED']],
    [
      'a branch moved',
      `UPDATE branches SET program_id = 2 WHERE id = 1`,
      ['BRANCH 1 of 1 DELETED', 'BRANCH 1 of 2 CREATED'],
    ],
    ['years added', `INSERT INTO branch_years (branch_id, year, code) VALUES (1, 2, 'x'), (1, 3, 'y')`, ['BRANCH 1 of 1 UPDATED']],
    ['a year changed', `UPDATE branch_years SET code = 'x' WHERE branch_id = 3`, ['BRANCH 3 of 2 UPDATED']],
    ['years removed', `DELETE FROM branch_years`, ['BRANCH 1 of 1 UPDATED', 'BRANCH 3 of 2 UPDATED']],
    ['years of a deleted branch', `INSERT INTO branch_years (branch_id, year, code) VALUES (2, 1, 'x')`, []],
    ['nothing', `UPDATE programs SET name = 'x' WHERE id = 99`, []],
  ])('has one entry for %s, or none', async (_what, sql, changes) => {
    const programs = [...new Set(changes.map((change) => Number(/of (\d+)/.exec(change)?.[1])))];

    expect(await logged(sql)).toEqual(
      changes.length === 0 ? [] : [{ changes: expect.toSatisfy(sameItems(changes)), programs: expect.toSatisfy(sameItems(programs)) }],
    );
  });
});

const sameItems = (wanted: readonly unknown[]) => (found: readonly unknown[]) =>
  found.length === wanted.length && wanted.every((item) => found.includes(item));
