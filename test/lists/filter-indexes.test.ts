import { beforeAll, describe, expect, it } from 'vitest';
import { rowsIn } from '../../src/academics/lists/order.ts';
import { allConditions } from '../../src/academics/lists/ranking.ts';
import { branchListRequest, orderingOf, programListRequest } from '../../src/academics/rules/lists.ts';
import { branchList } from '../../src/academics/sql/all-branches.ts';
import { programList } from '../../src/academics/sql/program-list.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { useDatabase } from '../support/database.ts';

const count = 20_000;
const database = useDatabase();
beforeAll(async () => {
  await database.query(
    `INSERT INTO programs (code, name, duration, attributes)
      SELECT 'P' || n, 'Program ' || n, '1', jsonb_build_object('campus', 'Campus ' || n % 2000, 'level', 'UG')
      FROM generate_series(1, ${count}) n`,
  );
  await database.query(
    `INSERT INTO branches (program_id, code, name, attributes)
      SELECT id, 'B' || id % 500, 'Branch ' || id, attributes FROM programs`,
  );
  await database.query(
    `INSERT INTO branch_years (branch_id, year, code) SELECT id, year, 'Y' || id || '-' || year FROM branches, generate_series(1, 3) year`,
  );
  // VACUUM, so that no index has entries that are still to be sorted in.
  await database.query('VACUUM ANALYZE');
});

const window = { limit: 20, after: undefined, before: undefined, backwards: false };
const hundred = (prefix: string) => Array.from({ length: 100 }, (_, index) => `${prefix}${index * 7}`);

const campus = { key: 'campus', value: 'Campus 77' };
const noShift = { key: 'shift', value: null };
const campusSearch = { search: 'campus 1777', searchAttributes: true };
const branchSearch = { ...campusSearch, search: '1777', searchBranches: true };

/** The plans of the first page and of the count. */
async function plansOf(table: 'programs' | 'branches', filter: object): Promise<string[]> {
  const list =
    table === 'programs'
      ? programList(programListRequest.parse({ filter }).filter, true)
      : branchList(branchListRequest.parse({ filter }).filter);
  const statements = [
    Prisma.sql`EXPLAIN ${rowsIn(list, orderingOf({ filter: {}, orderBy: 'ID_ASC' }), window)}`,
    Prisma.sql`EXPLAIN SELECT count(*) FROM ${list.table} WHERE ${Prisma.join(allConditions(list), ' AND ')}`,
  ];
  return Promise.all(
    statements.map(async ({ text, values }) =>
      JSON.stringify(await database.query(text, values)).replace(/'\{[^}]+\}'/, 'codes'),
    ),
  );
}

describe('a filter', () => {
  it.each([
    ['a code', 'programs', { codes: ['P7'] }, 'programs_code_idx'],
    ['a code', 'branches', { codes: ['B7'] }, 'branches_code_idx'],
    ['a code of a year', 'branches', { yearCodes: ['Y7-1'] }, 'branch_years_code_idx'],
    ['an attribute', 'programs', { attributes: [campus] }, 'programs_attributes_idx'],
    ['an attribute', 'branches', { attributes: [campus] }, 'branches_attributes_idx'],
    ['an attribute and a key without', 'programs', { attributes: [campus, noShift] }, 'programs_attributes_idx'],
    ['a word of an attribute', 'programs', campusSearch, 'programs_search_attributes_idx'],
    ['a word of an attribute', 'branches', campusSearch, 'branches_search_attributes_idx'],
    ['a word of an attribute of their branches', 'programs', branchSearch, 'branches_search_attributes_idx'],
  ] as const)('by %s finds %s in an index', async (_what, table, filter, index) => {
    for (const plan of await plansOf(table, filter)) expect(plan).toContain(index);
  });

  it.each([
    ['a hundred codes', 'programs', { codes: hundred('P') }, 'programs_code_idx'],
    ['a hundred codes of years', 'branches', { yearCodes: hundred('Y') }, 'branch_years_code_idx'],
    ['a part of a code', 'branches', { search: 'B477' }, 'branches_search_idx'],
  ] as const)('by %s reads an index of %s, not all of them', async (_what, table, filter, index) => {
    const [page, count] = await plansOf(table, filter);
    expect(page).not.toContain('Seq Scan');
    expect(count).toContain(index);
  });

  it.each([
    ['at least so many branches', 'programs', { minBranches: 2 }],
    ['at most so many branches', 'programs', { maxBranches: 1 }],
    ['any branches', 'programs', { hasBranches: true }],
    ['so many years', 'branches', { years: 3 }],
  ] as const)('by %s is counted at once, not for each of all %s', async (_what, table, filter) => {
    expect((await plansOf(table, filter))[1]).not.toContain('SubPlan');
  });
});
