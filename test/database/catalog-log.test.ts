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

beforeEach(async () => {
  await database.query('TRUNCATE programs, branches, branch_years RESTART IDENTITY');
  await database.query(`INSERT INTO programs (name, duration, deleted_at)
    VALUES ('Physics', '4 Years', NULL), ('Chemistry', '4 Years', NULL), ('Alchemy', '7 Years', now())`);
  await database.query(`INSERT INTO branches (program_id, name, deleted_at)
    VALUES (1, 'Optics', NULL), (1, 'Ether', now()), (2, 'Salts', NULL)`);
  await database.query(`INSERT INTO branch_years (branch_id, year, code) VALUES (1, 1, 'O1'), (3, 1, 'S1')`);
});

/** What a transaction leaves in the log. */
async function logged(sql: string) {
  const { next } = await extentOfLog(db);
  await database.query(sql);
  const entries = await entriesBehind(db, next - 1, 10);
  return entries.map(({ changes, programs }) => ({
    changes: changes?.map(({ kind, action, id, programId }) => `${kind} ${id} of ${programId} ${action}`) ?? null,
    programs,
  }));
}

const insertPrograms = (count: number) =>
  `INSERT INTO programs (name, duration) SELECT 'Program ' || i, '4 Years' FROM generate_series(1, ${count}) i`;
const updateYears = `UPDATE branch_years SET code = code || 'x'`;

describe('the log of the catalog', () => {
  it.each([
    ['a program inserted', `INSERT INTO programs (name, duration) VALUES ('x', '1')`, ['PROGRAM 4 of 4 CREATED']],
    ['a program changed', `UPDATE programs SET name = 'x' WHERE id = 1`, ['PROGRAM 1 of 1 UPDATED']],
    ['a program marked as deleted', 'UPDATE programs SET deleted_at = now() WHERE id = 1', ['PROGRAM 1 of 1 DELETED']],
    ['a program brought back', 'UPDATE programs SET deleted_at = NULL WHERE id = 3', ['PROGRAM 3 of 3 CREATED']],
    [
      'a program with another id',
      'UPDATE programs SET id = 9 WHERE id = 2',
      ['PROGRAM 2 of 2 DELETED', 'PROGRAM 9 of 9 CREATED', 'BRANCH 3 of 2 DELETED', 'BRANCH 3 of 9 CREATED'],
    ],
    ['a branch inserted', `INSERT INTO branches (program_id, name) VALUES (2, 'x')`, ['BRANCH 4 of 2 CREATED']],
    ['a branch changed', `UPDATE branches SET name = 'x' WHERE id = 1`, ['BRANCH 1 of 1 UPDATED']],
    ['branches deleted', 'UPDATE branches SET deleted_at = now()', ['BRANCH 1 of 1 DELETED', 'BRANCH 3 of 2 DELETED']],
    ['a branch brought back', 'UPDATE branches SET deleted_at = NULL WHERE id = 2', ['BRANCH 2 of 1 CREATED']],
    [
      'a branch moved',
      'UPDATE branches SET program_id = 2 WHERE id = 1',
      ['BRANCH 1 of 1 DELETED', 'BRANCH 1 of 2 CREATED'],
    ],
    [
      'a branch removed for good',
      'WITH gone AS (DELETE FROM branch_years WHERE branch_id = 3) DELETE FROM branches WHERE id = 3',
      ['BRANCH 3 of 2 DELETED'],
    ],
    [
      'years added',
      `INSERT INTO branch_years (branch_id, year, code) VALUES (1, 2, 'x'), (1, 3, 'y')`,
      ['BRANCH 1 of 1 UPDATED'],
    ],
    ['years changed', updateYears, ['BRANCH 1 of 1 UPDATED', 'BRANCH 3 of 2 UPDATED']],
    ['years removed', 'DELETE FROM branch_years', ['BRANCH 1 of 1 UPDATED', 'BRANCH 3 of 2 UPDATED']],
  ])('has an entry for %s', async (_what, sql, changes) => {
    const programs = [...new Set(changes.map((change) => Number(/of (\d+)/.exec(change)?.[1])))].sort();

    expect(await logged(sql)).toEqual([{ changes, programs }]);
  });

  it.each([
    ['a statement that finds nothing', `UPDATE programs SET name = 'x' WHERE id = 99`],
    ['a statement that changes nothing', 'UPDATE programs SET name = name'],
    ['a program inserted as deleted', `INSERT INTO programs (name, duration, deleted_at) VALUES ('x', '1', now())`],
    ['a change of what is deleted', `UPDATE programs SET name = 'x' WHERE id = 3`],
    ['the removal of what is deleted', 'DELETE FROM programs WHERE id = 3'],
    ['years of a deleted branch', `INSERT INTO branch_years (branch_id, year, code) VALUES (2, 1, 'x')`],
    ['a transaction that is rolled back', `BEGIN; UPDATE programs SET name = 'x'; ROLLBACK`],
  ])('has no entry for %s', async (_what, sql) => {
    expect(await logged(sql)).toEqual([]);
  });

  it('has one entry for a transaction, with what it did in order, without what it took back', async () => {
    const sql = `BEGIN; UPDATE branches SET name = 'x' WHERE id = 3; SAVEPOINT before;
      UPDATE programs SET name = 'x' WHERE id = 2; ROLLBACK TO before; UPDATE programs SET name = 'x' WHERE id = 1; COMMIT`;

    expect(await logged(sql)).toEqual([
      { changes: ['BRANCH 3 of 2 UPDATED', 'PROGRAM 1 of 1 UPDATED'], programs: [1, 2] },
    ]);
  });

  it('begins anew when a transaction takes back all that it did first', async () => {
    const sql = `BEGIN; SAVEPOINT before; UPDATE programs SET name = 'x' WHERE id = 2; ROLLBACK TO before;
      UPDATE programs SET name = 'x' WHERE id = 1; COMMIT`;

    expect(await logged(sql)).toEqual([{ changes: ['PROGRAM 1 of 1 UPDATED'], programs: [1] }]);
  });

  it.each([
    ['100 records are listed', insertPrograms(100), { changes: 100, programs: 100 }],
    ['of 101 records the programs are', insertPrograms(101), { changes: null, programs: 101 }],
    ['of 200 programs too', insertPrograms(200), { changes: null, programs: 200 }],
    ['201 are not', insertPrograms(201), { changes: null, programs: null }],
    [
      '100 in two statements are listed',
      `${insertPrograms(60)}; ${insertPrograms(40)}`,
      { changes: 100, programs: 100 },
    ],
    ['101 are not', `${insertPrograms(60)}; ${insertPrograms(41)}`, { changes: null, programs: 101 }],
    ['nor 201 programs', `${insertPrograms(150)}; ${insertPrograms(51)}`, { changes: null, programs: null }],
    ['more adds nothing to that', `${insertPrograms(300)}; ${updateYears}`, { changes: null, programs: null }],
    ['nor to a table emptied', `TRUNCATE branch_years; ${insertPrograms(1)}`, { changes: null, programs: null }],
  ])('is bounded: %s', async (_what, sql, lengths) => {
    const entries = await logged(`BEGIN; ${sql}; COMMIT`);

    expect(entries.map(({ changes, programs }) => [changes?.length ?? null, programs?.length ?? null])).toEqual([
      [lengths.changes, lengths.programs],
    ]);
  });

  it('is in the order of commits, whichever transaction began first', async () => {
    const { next } = await extentOfLog(db);
    const [first, second] = [new Client(database.url), new Client(database.url)];
    await Promise.all([first.connect(), second.connect()]);
    await first.query(`BEGIN; UPDATE programs SET name = 'first' WHERE id = 1`);
    await second.query(`BEGIN; UPDATE programs SET name = 'second' WHERE id = 2`);
    await second.query('COMMIT');
    const inBetween = await entriesBehind(db, next - 1, 10);
    await first.query('COMMIT');
    await Promise.all([first.end(), second.end()]);

    expect(inBetween.map(({ programs }) => programs)).toEqual([[2]]);
    expect((await entriesBehind(db, next - 1, 10)).map(({ programs }) => programs)).toEqual([[2], [1]]);
  });

  it('is written by whoever may change the catalog, whatever else they may do', async () => {
    // A role that always is there, and may do nothing with tables.
    await database.query('GRANT SELECT, UPDATE ON programs TO pg_database_owner');
    const sql = `BEGIN; SET LOCAL ROLE pg_database_owner; UPDATE programs SET name = 'x' WHERE id = 1; COMMIT`;

    expect(await logged(sql)).toEqual([{ changes: ['PROGRAM 1 of 1 UPDATED'], programs: [1] }]);
  });
});

describe('old entries', () => {
  it('are removed after a day, the oldest first, but for the newest of all', async () => {
    await database.query('TRUNCATE catalog_log');
    for (const name of ['a', 'b', 'c', 'd']) await database.query('UPDATE programs SET name = $1 WHERE id = 1', [name]);
    const { first, next } = await extentOfLog(db);
    await database.query(`UPDATE catalog_log SET at = now() - interval '23 hours 59 minutes'`);
    expect(await removeOldEntries(db, 10)).toBe(0);

    await database.query(`UPDATE catalog_log SET at = now() - interval '24 hours'`);
    expect(await removeOldEntries(db, 2)).toBe(2);
    expect(await extentOfLog(db)).toEqual({ first: first + 2, next });
    expect(await removeOldEntries(db, 10)).toBe(1);
    expect(await extentOfLog(db)).toEqual({ first: next - 1, next });
  });
});
