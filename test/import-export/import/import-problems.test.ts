import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Run, runCommand } from '../../cli/run-command.ts';
import { emptyCatalog, useDatabase } from '../../support/database.ts';
import { makeFolder } from '../../support/files.ts';
import { csv, header } from './import-file.ts';

const good = 'BSC,Science,3 years,Optics,,2,,';

const folder = makeFolder();
const database = useDatabase();

beforeEach(() => database.query(emptyCatalog));

async function importOf(content: string | Buffer, name = 'file.csv', ...options: string[]): Promise<Run> {
  const file = join(folder, name);
  await writeFile(file, content);
  return runCommand(database.url, ['import', file, ...options]);
}
/** Without their rules, as people read them. */
async function problemsOf(content: string | Buffer, name?: string): Promise<unknown> {
  const { problems } = JSON.parse((await importOf(content, name, '--json')).out);
  return problems.map(({ rule: _rule, details: _details, ...read }: Record<string, unknown>) => read);
}
const branches = async () => (await database.query('SELECT name FROM branches ORDER BY id')).map(({ name }) => name);

describe('an invalid row', () => {
  it.each([
    ['BSC,,3 years,Optics,,2,,', 'program_name', 'program_name must not be blank.'],
    ['BSC,a\tb,3 years,,,,,', 'program_name', 'program_name must be on one line, without control characters.'],
    ['BSC,Science,3 years,A,a\0b,2,,', 'branch_description', 'branch_description must not contain the NUL character.'],
    ['BSC,Science,3 years,A,,,,', 'branch_years', 'branch_years is required.'],
    ['BSC,Science,3 years,A,,0,,', 'branch_years', 'branch_years must be from 1 to 10.'],
    ['BSC,Science,3 years,A,,0x2,,', 'branch_years', 'branch_years must be an integer.'],
    ['BSC,Science,3 years,A,,2,,perhaps', 'branch_code_is_numeric', 'branch_code_is_numeric must be true or false.'],
    ['BSC,Science,3 years,A,,2,,,x', null, 'has 9 cells where the header has 8'],
    ['BSC,Science,3 years,A "B",,2,,', null, 'cannot be read: quote inside an unquoted cell'],
  ])('%j is reported with its line and column', async (row, column, message) => {
    expect(await problemsOf(csv(good, row))).toEqual([
      { line: 3, column, message, value: expect.toBeOneOf([null, expect.any(String)]) },
    ]);
  });

  it('is reported with the beginning of what it has there', async () => {
    expect(await problemsOf(csv(`BSC,${'🎓'.repeat(300)},3 years,A,,2,,`))).toMatchObject([
      { column: 'program_name', value: `${'🎓'.repeat(50)}…` },
    ]);
  });

  it('is reported with the line on which it begins', async () => {
    const text = `${header}\r\n\r\nBSC,Science,3 years,A,"one\r\ntwo\r\n",2,,\r\n\r\n,,,,,,,\r\nBSC,,3 years,"B\r\n",,2,,\r\n`;

    expect(await problemsOf(text)).toEqual([
      { line: 8, column: 'program_name', message: 'program_name must not be blank.', value: null },
    ]);
  });

  it('of JSON is reported with the line of its element', async () => {
    const rows = [
      { program_name: 1, program_duration: null, branch_name: {}, branch_years: true },
      { program_name: '\ud800', program_duration: '1' },
      ['Science'],
    ];

    expect(await problemsOf(JSON.stringify(rows, null, 1), 'file.json')).toEqual([
      { line: 2, column: 'program_name', message: 'program_name must be a string.', value: '1' },
      { line: 2, column: 'program_duration', message: 'program_duration is required.', value: null },
      { line: 2, column: 'branch_name', message: 'branch_name must be a string.', value: '{}' },
      { line: 2, column: 'branch_years', message: 'branch_years must be an integer.', value: 'true' },
      {
        line: 8,
        column: 'program_name',
        message: 'program_name must be well-formed Unicode: it has half of a surrogate pair.',
        value: '\ud800',
      },
      { line: 12, column: null, message: 'is not an object', value: null },
    ]);
  });
});

describe('a file with problems', () => {
  it('is rejected as a whole, with every problem on standard error', async () => {
    const { exitCode, out, err } = await importOf(csv(good, 'BSC,,3 years,B,,2,,', 'BSC,Science,3 years,C,,2,,', 'x"'));

    expect({ exitCode, out }).toEqual({ exitCode: 3, out: '' });
    expect(err).toBe(
      'All rows read; matching them with existing records.\nErrors (2):\n' +
        '  line 3: program_name must not be blank.\n' +
        '  line 5: cannot be read: quote inside an unquoted cell\n' +
        'Nothing was imported: 2 of 4 rows have errors. --skip-invalid imports the others.\n',
    );
    expect(await branches()).toEqual([]);
    expect(await database.query(`SELECT 1 FROM audit_entries`)).toEqual([]);
  });

  it('with --json is reported in the summary alone', async () => {
    const { exitCode, out, err } = await importOf(csv(good, 'BSC,,3 years,B,,2,,'), 'file.csv', '--json', '--dry-run');

    expect({ exitCode, err }).toEqual({ exitCode: 3, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      outcome: 'rejected',
      changeId: null,
      dryRun: true,
      rows: 2,
      skipped: 1,
      programs: { created: 0 },
      problems: [{ line: 3, column: 'program_name', message: 'program_name must not be blank.', value: null }],
      sample: [{ line: 2, cells: expect.objectContaining({ program_name: 'Science', branch_name: 'Optics' }) }],
    });
  });

  it('lists the first hundred problems as text, and all of them as JSON', async () => {
    const text = csv(...Array.from({ length: 150 }, () => 'BSC,,3 years,B,,2,,'));
    const { err } = await importOf(text);

    expect(err.split('\n').filter((line) => line.startsWith('  line'))).toHaveLength(100);
    expect(err).toContain('Errors (150):\n');
    expect(err).toContain('\n  and 50 more\n');
    expect(await problemsOf(text)).toHaveLength(150);
  });
});

describe('a file without readable rows', () => {
  it.each([
    [
      'csv',
      `${good}\n`,
      'The first row must name the columns, separated by commas, semicolons, tabs or vertical bars; missing: program_name, program_duration.',
    ],
    ['json', '"A"', 'Line 1: the file must be a JSON array of objects, or have an object on each line.'],
  ])('is rejected even with --skip-invalid, in one line: %s', async (format, content, sentence) => {
    expect(await importOf(content, `file.${format}`, '--skip-invalid')).toEqual({
      exitCode: 3,
      out: '',
      err: `${sentence}\n`,
    });
    expect(await branches()).toEqual([]);
  });

  it('because it is missing or a directory is reported in one line', async () => {
    expect(await runCommand(database.url, ['import', join(folder, 'none.csv')])).toEqual({
      exitCode: 1,
      out: '',
      err: `Cannot read ${join(folder, 'none.csv')}: no such file.\n`,
    });
    expect(await runCommand(database.url, ['import', folder])).toEqual({
      exitCode: 1,
      out: '',
      err: `${folder} is a directory, not a file.\n`,
    });
  });
});
