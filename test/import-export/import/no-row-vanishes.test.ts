import { array, asyncProperty, assert as check, constantFrom, record } from 'fast-check';
import { beforeEach, expect, inject, it } from 'vitest';
import { emptyCatalog } from '../../support/database.ts';
import { useSharedServer } from '../../support/server.ts';
import { importFile } from './import-file.ts';

const server = useSharedServer();
beforeEach(() => server.database.query(emptyCatalog));

const columns = [
  'program_code',
  'program_name',
  'program_duration',
  'branch_code',
  'branch_name',
  'branch_years',
] as const;
type Row = Readonly<Record<(typeof columns)[number], string>>;

const code = constantFrom('', 'A', 'B', 'NULL', 'n/a', '1E+05');
const row = record({
  program_code: code,
  program_name: constantFrom('Nursing', 'Pharmacy', 'Law'),
  program_duration: constantFrom('3 Years', '4 Years', ''),
  branch_code: code,
  branch_name: constantFrom('', 'One', 'Two', 'Three'),
  branch_years: constantFrom('1', '2', 'x'),
});

const programOf = ({ program_code: of, program_name: name, program_duration: duration }: Row): string =>
  [of, name, of === '' && duration].join();
const recordOf = (of: Row): string =>
  [programOf(of), ...(of.branch_name === '' ? [] : [of.branch_code, of.branch_name])].join();

const imported = async (rows: readonly Row[]) => {
  const lines = rows.map((of) => columns.map((column) => of[column]).join());
  const query = { skipInvalid: 'true', update: 'true' };
  const { body } = await importFile(server, `${[columns.join(), ...lines].join('\n')}\n`, { query });
  const rejected = new Set<number>(body.problems.map(({ line }: { line: number }) => line));
  return { report: body, valid: rows.filter((_, place) => !rejected.has(place + 2)) };
};
/** All programs, and all branches with theirs, as `recordOf` writes them. */
const catalog = async (): Promise<string[]> =>
  (
    await server.database.query(`
      WITH shown AS (
        SELECT id, concat_ws(',', coalesce(code, ''), name, CASE WHEN code IS NULL THEN duration ELSE 'false' END) AS record
        FROM programs
      )
      SELECT record FROM shown UNION ALL
      SELECT concat_ws(',', record, coalesce(code, ''), name) FROM branches b JOIN shown ON shown.id = b.program_id`)
  ).map(({ record: shown }) => String(shown));

it('a row is a record, a problem, or repeats one that is equal: none vanishes, nor is the name of another lost', async () => {
  await check(
    asyncProperty(array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
      await server.database.query(emptyCatalog);
      const { report, valid } = await imported(rows);
      const named = new Set(valid.map(recordOf));
      expect(report.rows).toBe(rows.length);
      expect(report.rows).toBe(named.size + report.skipped + report.repeated);
      expect(report.skipped).toBe(rows.length - valid.length);
      expect((await catalog()).toSorted()).toEqual([...new Set([...named, ...valid.map(programOf)])].toSorted());
    }),
    { numRuns: inject('thorough') ? 8 : 3, endOnFailure: true },
  );
});
