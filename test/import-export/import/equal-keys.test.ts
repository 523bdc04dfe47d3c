// Files and catalogs in which many records have one code, one name, or spellings of one: an import makes no pairs of them.
// What its statements do is counted in rows, by their plans.
import { inTransaction } from '@service/postgres/transaction';
import type { Client } from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { DefinedAttributes } from '../../../src/academics/definitions/defined-attributes.ts';
import type { CatalogRow } from '../../../src/academics/import-export/columns.ts';
import { importRows } from '../../../src/academics/import-export/import/import-rows.ts';
import { actor } from '../../accounts/administration.ts';
import { emptyCatalog, useDatabase } from '../../support/database.ts';
import { explain, rowsOfPlans } from '../../support/plans.ts';

const database = useDatabase();
beforeEach(() => database.query(emptyCatalog));

const statementEnd = /;\s*(?=(?:INSERT|UPDATE|DELETE|SELECT|WITH|ANALYZE|TRUNCATE|DECLARE)\b)/;

/** Runs the rows as a dry run of an import. @returns the rows that all its statements make. */
async function rowsOfImport(rows: readonly CatalogRow['cells'][], options: { ownIds?: boolean }): Promise<number> {
  let made = 0;
  const counting = (client: Client): Client => {
    const query = async (text: string, values: readonly unknown[] = []) => {
      if (text.includes('CREATE TEMP TABLE')) return client.query(text);
      let result: unknown;
      for (const statement of text.split(statementEnd)) {
        const isPlanned = /^\s*(?:INSERT|UPDATE|DELETE|SELECT|WITH)\b/.test(statement);
        if (isPlanned) {
          made += rowsOfPlans((await client.query(explain(statement), [...values])).rows);
        }
        // EXPLAIN ANALYZE has written what a statement writes.
        if (!isPlanned || !/\b(?:INSERT|UPDATE|DELETE)\b/.test(statement)) {
          result = await client.query(statement, [...values]);
        }
      }
      return result;
    };
    return new Proxy(client, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
  };
  async function* numbered() {
    for (const [place, cells] of rows.entries()) yield { line: place + 2, cells, texts: [] };
  }
  const { signal } = new AbortController();
  const mode = 'ISOLATION LEVEL REPEATABLE READ' as const;
  await inTransaction({ url: database.url, mode, signal }, (client) =>
    importRows({
      ...{ client: counting(client), actor, rows: numbered(), format: 'csv', defined: new DefinedAttributes([]) },
      ...{ listedMax: 10, signal, fileName: null, dryRun: true, skipInvalid: true, update: true, renamed: false },
      ...{ ownIds: options.ownIds ?? false, keep: [], wholeCatalog: false },
    }),
  );
  return made;
}

/** One word, with a capital letter where the number has a bit. */
const spelled = (number: number): string =>
  [...'abcdefghijklmnop'].map((letter, bit) => ((number >> bit) & 1 ? letter.toUpperCase() : letter)).join('');
const other = (place: number): string => spelled(place + 2 ** 15);

/** Records of the catalog: the branches are of the program 1. */
interface Catalog {
  readonly programs?: (place: number, size: number) => { readonly code?: string; readonly name: string };
  readonly branches?: (place: number, size: number) => { readonly code?: string; readonly name: string };
  readonly isDeleted?: boolean;
}

async function fill(size: number, { programs, branches, isDeleted = false }: Catalog): Promise<void> {
  const many = (record: Catalog['programs']) =>
    JSON.stringify(Array.from({ length: record ? size : 0 }, (_, n) => record?.(n, size)));
  await database.query(
    `${emptyCatalog}; INSERT INTO programs (code, name, duration) VALUES ('ONE', 'One', '1'), ('TWO', 'Two', '1')`,
  );
  const given = 'json_to_recordset($1) AS given (code text, name text)';
  await database.query(
    `INSERT INTO programs (code, name, duration, deleted_at)
     SELECT code, name, '1', CASE WHEN ${isDeleted} THEN now() END FROM ${given}`,
    [many(programs)],
  );
  await database.query(`INSERT INTO branches (program_id, code, name) SELECT 1, code, name FROM ${given}`, [
    many(branches),
  ]);
  await database.query('ANALYZE programs, branches');
}

const one = { program_code: 'ONE', program_name: 'One', program_duration: '1', branch_years: '1' };

it.each<[string, Catalog, (place: number) => CatalogRow['cells'], { ownIds?: boolean }?]>([
  ['names of branches', { branches: (n) => ({ name: spelled(n) }) }, (n) => ({ ...one, branch_name: other(n) })],
  [
    'codes of branches',
    { branches: (n) => ({ code: spelled(n), name: `b${n}` }) },
    (n) => ({ ...one, branch_code: other(n), branch_name: `c${n}` }),
  ],
  [
    'codes of programs',
    { programs: (n, size) => ({ code: n < size / 2 ? `x${n}` : spelled(n), name: `p${n}` }) },
    (n) => ({ program_code: other(n), program_name: `q${n}`, program_duration: '1' }),
  ],
  [
    'names of deleted programs',
    { programs: (n) => ({ name: spelled(n) }), isDeleted: true },
    (n) => ({ program_name: other(n), program_duration: '1' }),
  ],
  [
    'a new code, which many programs have',
    { programs: (n) => ({ code: 'X', name: `p${n}` }) },
    (n) => ({ program_code: `y${n}`, program_new_code: 'X', program_name: `q${n}`, program_duration: '1' }),
  ],
  [
    'a new code, which many branches have',
    { branches: (n) => ({ code: 'X', name: `b${n}` }) },
    (n) => ({ ...one, branch_code: `y${n}`, branch_new_code: 'X', branch_name: `c${n}` }),
  ],
  [
    'an id with the code of another program',
    {},
    (n) => ({ program_id: 1, program_code: 'TWO', program_name: `p${n}`, program_duration: '1' }),
  ],
  [
    'an id with the code of another branch',
    { branches: (n) => ({ code: `x${n}`, name: `b${n}` }) },
    (n) => ({ program_id: 1, ...one, branch_id: 1, branch_code: 'x1', branch_name: `c${n}` }),
  ],
  [
    'ids with a code that many branches have',
    { branches: (n) => ({ code: n % 2 === 0 ? 'X' : `x${n}`, name: `b${n}` }) },
    (n) => ({
      program_id: 1,
      ...one,
      branch_id: 2 * Math.floor(n / 2) + 2,
      branch_code: 'X',
      branch_occurrence: n + 1,
      branch_name: `c${n}`,
    }),
  ],
  [
    'branches of other programs',
    { branches: (n) => ({ name: `b${n}` }) },
    (n) => ({
      program_id: 2,
      program_name: `p${n}`,
      program_duration: '1',
      branch_id: n + 1,
      branch_name: `b${n}`,
      branch_years: '1',
    }),
    { ownIds: true },
  ],
  [
    'many codes of one record',
    { branches: () => ({ name: 'b' }) },
    (n) => ({
      program_id: 1,
      program_code: `c${n}`,
      program_name: 'One',
      program_duration: '1',
      branch_id: 1,
      branch_code: `d${n}`,
      branch_name: 'b',
      branch_years: '1',
    }),
    { ownIds: true },
  ],
])('twice the rows are twice the work at most: %s', async (_what, catalog, row, options = {}) => {
  const size = 300;
  const made = async (rows: number): Promise<number> => {
    await fill(rows, catalog);
    return rowsOfImport(
      Array.from({ length: rows }, (_, place) => row(place)),
      options,
    );
  };
  const few = await made(size);
  const many = await made(2 * size);
  expect(many / few).toBeLessThan(2.2);
});
