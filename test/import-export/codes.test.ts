import { xlsxType } from '@service/tabular/xlsx';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyCatalog } from '../support/database.ts';
import { useSharedServer } from '../support/server.ts';
import { exportHeader, importFile, reportOf } from './import/import-file.ts';

const server = useSharedServer();
beforeEach(() => server.database.query(emptyCatalog));

/** Rows of the program BSC, by the columns that matter here. */
const file = (...rows: readonly string[]) =>
  `program_code,program_name,program_duration,branch_code,branch_name,branch_years\n${rows
    .map((row) => `BSC,Science,3 years,${row},1`)
    .join('\n')}\n`;
const imported = (content: string, query: Record<string, string> = {}) => reportOf(server, content, { query });
const branches = () => server.database.query('SELECT id, code, name FROM branches ORDER BY id');

describe('an import', () => {
  it('matches a branch by its code, so that a new name in the source renames it', async () => {
    await imported(file('OPT,Optics', 'WAV,Waves'));
    const renamed = file('OPT,Optics and Light', 'WAV,Waves');

    expect(await imported(renamed, { dryRun: 'true' })).toMatchObject({
      branches: { created: 0, changed: 0, unchanged: 2 },
      conflicts: [{ line: 2, column: 'branch_name', value: 'Optics and Light' }],
    });
    expect(await imported(renamed, { update: 'true' })).toMatchObject({
      branches: { created: 0, changed: 1, unchanged: 1 },
      changes: [{ column: 'branch_name', kind: 'branch', recordId: 1, from: 'Optics', to: 'Optics and Light' }],
    });
    expect(await branches()).toEqual([
      { id: 1, code: 'OPT', name: 'Optics and Light' },
      { id: 2, code: 'WAV', name: 'Waves' },
    ]);
    expect(await imported(renamed, { update: 'true' })).toMatchObject({ branches: { created: 0, changed: 0 } });
  });

  it('tells branches of one name apart by their codes, and creates those whose codes are new', async () => {
    await imported(file('DAY,Law', 'EVE,Law'));
    expect(await imported(file('EVE,Law', 'DAY,Law', 'FAR,Law'))).toMatchObject({
      branches: { created: 1, unchanged: 2 },
      conflictCount: 0,
    });
    expect((await branches()).map(({ code }) => code)).toEqual(['DAY', 'EVE', 'FAR']);
  });

  it('gives a code to the branch of that name that has none', async () => {
    await imported(file(',Optics', ',Waves'));
    expect(await imported(file('OPT,Optics', ',Waves'), { update: 'true' })).toMatchObject({
      branches: { created: 0, changed: 1, unchanged: 1 },
      changes: [{ column: 'branch_code', recordId: 1, from: null, to: 'OPT' }],
    });
    expect(await branches()).toEqual([
      { id: 1, code: 'OPT', name: 'Optics' },
      { id: 2, code: null, name: 'Waves' },
    ]);
  });

  it('matches by name a row without a code: first the branch without one; an empty cell clears a code', async () => {
    await imported(file('OPT,Optics', ',Optics', 'WAV,Waves'));
    const lacking =
      'program_code,program_name,program_duration,branch_name,branch_years\nBSC,Science,3 years,Waves,1\n';
    expect(await imported(lacking, { update: 'true' })).toMatchObject({ branches: { created: 0, changed: 0 } });
    expect(await imported(file(',Optics', 'OPT,Optics'), { update: 'true' })).toMatchObject({
      branches: { created: 0, changed: 0, unchanged: 2 },
    });
    expect(await imported(file(',Waves'))).toMatchObject({ branches: { created: 0 }, conflicts: [{ value: null }] });
    await imported(file(',Waves'), { update: 'true' });
    expect((await branches())[2]).toEqual({ id: 3, code: null, name: 'Waves' });
  });

  it('does not take a branch of another program, nor a deleted one, for the one with a code', async () => {
    await imported(file('OPT,Optics'));
    await server.database.query('UPDATE branches SET deleted_at = now()');
    const elsewhere = file('OPT,Optics').replace('BSC,Science', 'MSC,Science');
    expect(await imported(elsewhere)).toMatchObject({ branches: { created: 1 } });
    expect(await imported(file('OPT,Optics'))).toMatchObject({ branches: { created: 1 } });
  });

  it('lists codes that several records have, without deleted ones, and matches the oldest', async () => {
    await server.database.query(
      `INSERT INTO programs (code, name, duration, deleted_at)
        SELECT 'BSC', 'Science', '3 years', CASE WHEN n > 12 THEN now() END FROM generate_series(1, 13) AS n`,
    );
    await server.database.query(
      `INSERT INTO branches (program_id, code, name, deleted_at)
        VALUES (1, 'OPT', 'Optics', NULL), (1, 'OPT', 'Light', NULL), (1, 'OPT', 'Gone', now()), (2, 'OPT', 'Old', NULL)`,
    );
    const report = await imported(file('OPT,Optics', 'WAV,Waves'), { dryRun: 'true' });
    expect(report).toMatchObject({
      branches: { created: 1, unchanged: 1 },
      ambiguousCodeCount: 2,
      ambiguousCodes: [
        {
          line: 2,
          column: 'branch_code',
          value: 'OPT',
          message: 'branch_code "OPT" is the code of 2 branches: 1, 2. Rows match them in this order.',
        },
        {
          line: 2,
          column: 'program_code',
          value: 'BSC',
          message:
            'program_code "BSC" is the code of 12 programs: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and others. Rows match them in this order.',
        },
      ],
    });
  });

  it('takes codes from JSON, and reports a code without a branch', async () => {
    const row = {
      program_name: 'Arts',
      program_duration: '1',
      branch_code: ' MUS ',
      branch_name: 'Music',
      branch_years: 1,
    };
    const type = 'application/json';
    await importFile(server, JSON.stringify([row]), { type });
    expect(await branches()).toEqual([{ id: 1, code: 'MUS', name: 'Music' }]);
    const { body } = await importFile(server, JSON.stringify([{ ...row, branch_name: '', branch_years: null }]), {
      type,
    });
    expect(body.conflicts).toMatchObject([{ column: 'branch_code', value: ' MUS ' }]);
  });

  it.each([
    ['csv', 'text/csv'],
    ['json', 'application/json'],
    ['xlsx', xlsxType],
  ])('believes an export (%s) that its codes are such, even in an empty catalog', async (format, type) => {
    const codes = ['NULL', '-', 'None', '#REF!', '1E+05'];
    const programs = codes.map((code) => `{ code: "${code}", name: "Of ${code}", duration: "1" }`);
    const branches = codes
      .slice(1)
      .map((code, at) => `{ code: "${code}", name: "Of", programId: ${at + 1}, years: 1 }`);
    await server.graphql(`mutation { createPrograms(items: [${programs}]) { id } }`);
    await server.graphql(`mutation { createBranches(items: [${branches}]) { id } }`);
    const shown = () =>
      server.database.query(
        'SELECT p.code, p.name, b.code AS branch FROM programs p LEFT JOIN branches b ON b.program_id = p.id ORDER BY p.id',
      );
    const before = await shown();
    const response = await server.get(`/export/catalog.${format}`);
    const content = new Uint8Array(await response.arrayBuffer());
    await server.database.query(emptyCatalog);
    expect(await reportOf(server, content, { type })).toMatchObject({ outcome: 'imported', problems: [] });
    expect(await shown()).toEqual(before);
  });

  it('believes no file that lacks a column of an export, nor one that a spreadsheet has saved', async () => {
    const columns = exportHeader.replace('program_id,', 'program_id,extra,');
    const row = (isNumeric: string) => `7,,1E+14,Law,3,8,NULL,Civil,,1,,${isNumeric}`;
    const problems = [
      { column: 'program_code', rule: 'SHORTENED_NUMBER' },
      { column: 'branch_code', rule: 'NOT_A_CODE' },
    ];
    const lacking = columns.replace('branch_code_prefix', 'prefix');
    expect(await imported(`${lacking}\n${row('true')}\n`)).toMatchObject({ outcome: 'rejected', problems });
    expect(await imported(`${columns}\n${row('TRUE')}\n`)).toMatchObject({ outcome: 'rejected', problems });
    expect(await imported(`${columns}\n${row('true')}\n`)).toMatchObject({ outcome: 'imported' });
    const other = row('true').replace('7,', '1,');
    expect(await imported(`${columns}\n${other}\n`)).toMatchObject({ outcome: 'imported', createdCount: 0 });
    await server.database.query(`UPDATE programs SET code = 'LAW'`);
    expect(await imported(`${columns}\n${other}\n`)).toMatchObject({ outcome: 'rejected' });
  });
});
