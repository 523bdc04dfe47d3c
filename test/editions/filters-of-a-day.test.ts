import { Client } from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { stateAt } from '../../src/academics/editions/catalog-state.ts';
import { shadowTables } from '../../src/academics/editions/shadowed-tables.ts';
import { type ProgramFilter, programFilter } from '../../src/academics/rules/filters.ts';
import { conditionsOf } from '../../src/academics/sql/program-list.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { emptyCatalog, useDatabase } from '../support/database.ts';
import { explain, rowsOfPlans } from '../support/plans.ts';

const database = useDatabase();
beforeEach(() => database.query(emptyCatalog));

/** The rows that a filter of an earlier state reads and makes, among so many programs with two branches each. */
async function rowsOfFilter(size: number, filter: ProgramFilter): Promise<number> {
  await database.query(emptyCatalog);
  await database.query(`INSERT INTO programs (name, duration) SELECT 'P' || n, '1' FROM generate_series(1, ${size}) n`);
  await database.query(
    `INSERT INTO branches (program_id, name) SELECT id, 'B' || n FROM programs, generate_series(1, 2) n`,
  );
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await shadowTables(client, await stateAt(client, { now: true }, 'asOf'));
    const { text, values } = Prisma.sql`SELECT id FROM programs WHERE ${Prisma.join(conditionsOf(filter), ' AND ')}`;
    return rowsOfPlans((await client.query(explain(text), values)).rows);
  } finally {
    await client.end();
  }
}

it.each([
  ['minBranches', { minBranches: 2 }],
  ['maxBranches', { maxBranches: 2 }],
  ['hasBranches', { hasBranches: false }],
  ['minBranches, of some', { minBranches: 2, ids: Array.from({ length: 900 }, (_, place) => place + 1) }],
])('twice the programs of a day are twice the work at most: %s', async (_what, given) => {
  const filter = programFilter.parse(given);
  const few = await rowsOfFilter(500, filter);
  const many = await rowsOfFilter(1_000, filter);
  expect(many / few).toBeLessThan(2.5);
});
