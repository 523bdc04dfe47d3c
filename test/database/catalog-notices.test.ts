import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let listener: Client;
let heard: unknown[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(
    `INSERT INTO programs (name, duration) SELECT 'P' || i, '4 Years' FROM generate_series(1, 300) i`,
  );
  await database.query(`INSERT INTO branches (program_id, name) SELECT i, 'B' || i FROM generate_series(1, 300) i`);
  await database.query(
    `INSERT INTO branch_years (branch_id, year, code) SELECT i, 1, 'L1' FROM generate_series(1, 300) i`,
  );
  listener = new Client({ connectionString: database.url });
  await listener.connect();
  listener.on('notification', ({ payload }) => heard.push(JSON.parse(payload ?? '')));
  await listener.query('LISTEN academic_structure');
});

afterAll(async () => {
  await listener.end();
  await database.close();
});

beforeEach(() => {
  heard = [];
});

/** Runs SQL in one transaction; what it told is there when the next answer is. */
async function toldBy(sql: string): Promise<unknown[]> {
  await database.query(sql);
  await listener.query('');
  return heard;
}

const of = (...programs: number[]) => ({ kind: 'catalog', programs });
const all = { kind: 'catalog', programs: null };

describe('a change of the catalog is told by the programs that it touches', () => {
  it.each([
    ['a program that is added', `INSERT INTO programs (id, name, duration) VALUES (1001, 'New', '1 Year')`, [of(1001)]],
    ['a program that changes', `UPDATE programs SET name = 'Other' WHERE id = 1`, [of(1)]],
    ['a program that gets another id', `UPDATE programs SET id = 1002 WHERE id = 1001`, [of(1001, 1002)]],
    ['a program that is removed', `DELETE FROM programs WHERE id = 1002`, [of(1002)]],
    ['a branch that is added', `INSERT INTO branches (id, program_id, name) VALUES (1001, 2, 'New')`, [of(2)]],
    ['a branch that changes', `UPDATE branches SET name = 'Other' WHERE id = 3`, [of(3)]],
    ['a branch that moves to another program', `UPDATE branches SET program_id = 5 WHERE id = 4`, [of(4, 5)]],
    ['a branch that is removed', `DELETE FROM branches WHERE id = 1001`, [of(2)]],
    ['a year that is added', `INSERT INTO branch_years (branch_id, year, code) VALUES (6, 2, 'L2')`, [of(6)]],
    ['a year that changes', `UPDATE branch_years SET code = 'X' WHERE branch_id = 7`, [of(7)]],
    [
      'a year that moves to another branch',
      `UPDATE branch_years SET branch_id = 9, year = 3 WHERE branch_id = 8`,
      [of(8, 9)],
    ],
    ['a year that is removed', `DELETE FROM branch_years WHERE branch_id = 10`, [of(10)]],
    ['two programs in one statement', `UPDATE programs SET name = 'Both' WHERE id IN (11, 12)`, [of(11, 12)]],
    [
      'two hundred programs',
      `UPDATE programs SET name = name WHERE id <= 200`,
      [of(...Array.from({ length: 200 }, (_, index) => index + 1))],
    ],
    ['more than two hundred', `UPDATE programs SET name = name WHERE id <= 201`, [all]],
    ['branches of more than two hundred', `UPDATE branches SET name = name WHERE id <= 250`, [all]],
    ['years of more than two hundred', `UPDATE branch_years SET code = code WHERE branch_id BETWEEN 20 AND 260`, [all]],
    ['a statement that finds nothing', `UPDATE programs SET name = 'None' WHERE id = 5000`, []],
    [
      'the same program three times in one transaction',
      `
      BEGIN; UPDATE programs SET name = 'A' WHERE id = 13; UPDATE programs SET name = 'B' WHERE id = 13;
      UPDATE branches SET name = 'C' WHERE id = 13; COMMIT`,
      [of(13)],
    ],
    ['a change that is rolled back', `BEGIN; UPDATE programs SET name = 'A' WHERE id = 14; ROLLBACK`, []],
  ])('%s', async (_what, sql, told) => {
    expect((await toldBy(sql)).map(sorted)).toEqual(told);
  });

  it('all that is emptied', async () => {
    expect(await toldBy('TRUNCATE branch_years')).toEqual([all]);
    expect(await toldBy('TRUNCATE programs CASCADE')).toEqual([all, all]);
  });
});

function sorted(told: unknown): unknown {
  if (typeof told !== 'object' || told === null || !('programs' in told) || !Array.isArray(told.programs)) return told;
  return { ...told, programs: told.programs.toSorted((one: number, other: number) => one - other) };
}
