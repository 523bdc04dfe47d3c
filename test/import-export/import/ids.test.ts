// Whether the ids of a file are of this catalog: an export of it that was changed, or one of its copy, whose ids agree by chance.
import { array, asyncProperty, boolean, assert as check, constantFrom, record, uniqueArray } from 'fast-check';
import { expect, inject, it } from 'vitest';
import { emptyCatalog } from '../../support/database.ts';
import { useSharedServer } from '../../support/server.ts';
import { reportOf } from './import-file.ts';

const server = useSharedServer();

const type = 'application/json';
const imported = (rows: readonly object[], query: Record<string, string> = {}) =>
  reportOf(server, JSON.stringify(rows), { type, query });
const exported = async (): Promise<Record<string, string>[]> => (await server.get('/export/catalog.json')).json();
const names = ['Arts', 'Crafts', 'Law', 'Music'];

const branch = record({
  branch_code: constantFrom('', '', 'A', 'B'),
  branch_name: constantFrom(...names),
  branch_years: constantFrom(1, 2),
  isDeleted: boolean(),
});
const program = record({
  program_code: constantFrom('', '', 'P1', 'P2', 'P3', 'P4'),
  program_name: constantFrom(...names),
  program_duration: constantFrom('1 Year', '2 Years'),
  branches: uniqueArray(branch, { maxLength: 3, selector: (one) => one.branch_code || one.branch_name.concat(' ') }),
  isDeleted: constantFrom(true, false, false),
});
const programs = uniqueArray(program, {
  minLength: 1,
  maxLength: 12,
  selector: (one) => one.program_code || `${one.program_name} ${one.program_duration}`,
});

it('those of an export are, whatever is renamed in it; those of a copy are not, and no record gets the values of another', async () => {
  await check(
    asyncProperty(programs, array(boolean(), { minLength: 12, maxLength: 12 }), async (made, renames) => {
      await server.database.query(emptyCatalog);
      const rows = made.flatMap(({ branches, isDeleted: _, ...fields }) =>
        (branches.length === 0 ? [{}] : branches).map((of) => ({ ...fields, ...of })),
      );
      await imported(rows);
      await server.database.query(`UPDATE programs SET deleted_at = now() WHERE id = ANY ($1)`, [
        made.flatMap(({ isDeleted }, place) => (isDeleted ? [place + 1] : [])),
      ]);
      await server.database.query(
        `UPDATE branches SET deleted_at = now() WHERE id = ANY ($1) OR program_id IN (SELECT id FROM programs WHERE deleted_at IS NOT NULL)`,
        [made.flatMap(({ branches }) => branches).flatMap(({ isDeleted }, place) => (isDeleted ? [place + 1] : []))],
      );
      const file = await exported();

      const renamed = file.map((row) => ({
        ...row,
        ...(renames[Number(row['program_id'])] && { program_name: `New ${row['program_id']}` }),
        ...(row['branch_id'] !== null &&
          renames[Number(row['branch_id'])] && { branch_name: `New ${row['branch_id']}` }),
      }));
      const changes = [...new Set(renamed.map((row) => row.program_name)), ...renamed.map((row) => row.branch_name)];
      expect(await imported(renamed, { update: 'true', dryRun: 'true' })).toMatchObject({
        problemCount: 0,
        createdCount: 0,
        missingCount: 0,
        changeCount: changes.filter((name) => name?.startsWith('New')).length,
      });

      await server.database.query(emptyCatalog);
      await imported(file.map(({ program_id: _, branch_id: __, ...row }) => row));
      const copy = await exported();
      expect(await imported(file, { update: 'true', wholeCatalog: 'true' })).toMatchObject({
        problemCount: 0,
        createdCount: 0,
        missingCount: 0,
        changeCount: 0,
        conflictCount: 0,
      });
      expect(await exported()).toEqual(copy);
    }),
    { numRuns: inject('thorough') ? 8 : 2, endOnFailure: true },
  );
});

it('one of a few rows that have the values of another record is an error, unless the caller says that the ids are right', async () => {
  await server.database.query(emptyCatalog);
  const rows = Array.from({ length: 120 }, (_, place) => ({
    program_code: `P${place}`,
    program_name: `Program ${place}`,
    program_duration: '1 Year',
    branch_name: place === 119 ? 'Dance' : 'Music',
    branch_years: 1,
  }));
  await imported([...rows, { ...rows[119], branch_name: 'Drama' }]);
  const file = await exported();
  const swapped = file.map((row) => {
    const other = { P1: 'P2', P2: 'P1' }[row['program_code'] ?? ''] ?? '';
    const code = other === '' ? {} : { program_code: other, program_name: `Program ${other.slice(1)}` };
    const branchName = { Dance: 'Drama', Drama: 'Dance' }[row['branch_name'] ?? ''];
    return { ...row, ...code, ...(branchName !== undefined && { branch_name: branchName }) };
  });
  const problem = (column: string, id: number, name: string, other: number) => ({
    column,
    rule: 'HAS_OTHER_ID',
    value: String(id),
    message: expect.stringMatching(
      `${column} ${id} is "${name}" in the catalog, but .* of the (program|branch) ${other}\\.`,
    ),
  });
  expect(await imported(swapped, { update: 'true' })).toMatchObject({
    ids: 'matched',
    problems: [
      problem('program_id', 2, 'Program 1', 3),
      problem('program_id', 3, 'Program 2', 2),
      problem('branch_id', 120, 'Dance', 121),
      problem('branch_id', 121, 'Drama', 120),
    ],
  });
  expect(await imported(swapped, { update: 'true', ownIds: 'true' })).toMatchObject({
    problemCount: 0,
    changeCount: 6,
  });
});

/** The rows of a catalog, each program with a branch, as they are exported there. */
async function exportedFrom(rows: readonly object[]) {
  await server.database.query(emptyCatalog);
  await imported(rows);
  return exported();
}
const catalogOf = (name: string, count: number, fields: (place: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, place) => ({
    program_name: `${name} ${place}`,
    program_duration: '4 Years',
    ...fields(place),
  }));

it.each([
  ['with names alone', () => ({})],
  ['with codes', (name: string, place: number) => ({ program_code: `${name[0]}${place}` })],
  ['with branches', (name: string, place: number) => ({ branch_name: `${name} branch ${place}`, branch_years: 4 })],
])('those of a catalog that has no record of this one are not of it: %s', async (_, fields) => {
  const file = await exportedFrom(catalogOf('Theirs', 12, (place) => fields('Theirs', place)));
  const mine = await exportedFrom(catalogOf('Mine', 12, (place) => fields('Mine', place)));
  expect(await imported(file, { update: 'true' })).toMatchObject({
    ids: 'ofAnotherCatalog',
    programs: { created: 12, changed: 0 },
    problemCount: 0,
  });
  expect((await exported()).slice(0, mine.length)).toEqual(mine);
});

it('a row that has another name and code than the record of its id is an error, where two copies have gone on apart', async () => {
  const common = catalogOf('Common', 100, (place) => ({ program_code: `C${place}` }));
  const [first] = common;
  const branch = (code: string) => ({ ...first, branch_code: code, branch_name: `Branch ${code}`, branch_years: 1 });
  const file = await exportedFrom([
    ...common,
    { ...first, program_code: 'ROB', program_name: 'Robotics' },
    branch('AI'),
  ]);
  await exportedFrom([...common, { ...first, program_code: 'NUR', program_name: 'Nursing' }, branch('DS')]);
  const problem = (column: string, id: number, name: string) => ({
    column,
    rule: 'OF_OTHER_RECORD',
    details: { kind: column.replace('_id', ''), id, name: `"${name}"` },
  });
  expect(await imported(file, { update: 'true' })).toMatchObject({
    outcome: 'rejected',
    ids: 'matched',
    problems: [problem('branch_id', 1, 'Branch DS'), problem('program_id', 101, 'Nursing')],
  });
  expect(await imported(file, { update: 'true', ownIds: 'true' })).toMatchObject({ problemCount: 0, changeCount: 4 });
});
