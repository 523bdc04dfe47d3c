// Files as spreadsheets make them: titles above the header, columns of one name, programs alone.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { emptyCatalog } from '../support/database.ts';
import { makeFolder } from '../support/files.ts';
import { useSharedServer } from '../support/server.ts';
import { importFile } from './import/import-file.ts';

const folder = makeFolder();
const server = useSharedServer();
afterEach(() => server.database.query(emptyCatalog));

/** Imports over HTTP, then checks the same file with the command line. */
async function imported(text: string, query: Record<string, string> = {}, words: string[] = []) {
  const { body } = await importFile(server, text, { query });
  const file = join(folder, 'file.csv');
  await writeFile(file, text);
  const { out } = await runCommand(server.database.url, ['import', file, '--json', '--dry-run', ...words]);
  return { http: body, cli: JSON.parse(out) };
}

const all = `SELECT p.code AS program_code, p.name AS program, b.code, b.name
  FROM programs p LEFT JOIN branches b ON b.program_id = p.id ORDER BY p.id, b.id`;
const unchanged = { programs: { created: 0, unchanged: 1 } };

describe('a file with titles above its header', () => {
  const titled = 'University of Example: programmes 2026/27\n\nprogram_name,program_duration\nArts,3 Years\n';

  it('is imported by the row that has the columns, which the report names', async () => {
    const { http, cli } = await imported(titled);
    expect(http).toMatchObject({ outcome: 'imported', rows: 1, headerRow: 3, created: [{ line: 4, name: 'Arts' }] });
    expect(cli).toMatchObject({ rows: 1, ...unchanged });
  });

  it('is imported by a chosen row', async () => {
    const text = `${titled}program_name,program_duration\nLaw,4 Years\n`;
    const { http, cli } = await imported(text, { headerRow: '5' }, ['--header-row', '5']);
    expect(http).toMatchObject({ rows: 1, headerRow: 5, created: [{ name: 'Law' }] });
    expect(cli).toMatchObject({ rows: 1, ...unchanged });
    expect((await importFile(server, text, { query: { headerRow: '0' } })).body).toMatchObject({
      errors: { headerRow: ['headerRow must be 1 or more.'] },
    });
    expect((await importFile(server, text, { query: { headerRow: '99' } })).body).toMatchObject({
      errors: { file: ['Line 99 must name the columns, but the file ends before it.'] },
    });
    const { exitCode } = await runCommand(server.database.url, ['import', 'x.csv', '--header-row', 'x']);
    expect(exitCode).toBe(2);
  });
});

describe('columns of one name', () => {
  it('are chosen by their place', async () => {
    const text = 'Code,Name,Duration,Code,Name,Years\nDH,Double,3 Years,DH1,One,3\n';
    const map = {
      program_code: 'Code',
      program_name: 'Name',
      program_duration: 'Duration',
      branch_code: 'Code (2)',
      branch_name: 'Name (2)',
      branch_years: 'Years',
    };
    const query = Object.fromEntries(Object.entries(map).map(([column, name]) => [`map.${column}`, name]));
    const words = Object.entries(map).flatMap(([column, name]) => ['--map', `${name}=${column}`]);
    const { cli } = await imported(text, query, words);
    expect(await server.database.query(all)).toEqual([
      { program_code: 'DH', program: 'Double', code: 'DH1', name: 'One' },
    ]);
    expect(cli).toMatchObject({ ...unchanged, branches: { created: 0, unchanged: 1 } });
  });

  it('do no harm where they are not wanted', async () => {
    const { http } = await imported('program_name,program_duration,Program_Name,Note,note\nArts,3 Years,x,y,z\n');
    expect(http).toMatchObject({
      created: [{ name: 'Arts' }],
      ignoredColumns: ['"Program_Name (2)"', '"Note"', '"note (2)"'],
    });
  });

  it('of attributes that differ in the case of their keys are two', async () => {
    await imported('program_name,program_duration,program_attr:Shift,program_attr:shift\nArts,3 Years,1,2\n');
    expect(await server.database.query('SELECT attributes FROM programs')).toEqual([
      { attributes: { Shift: '1', shift: '2' } },
    ]);
  });
});

describe('a list of programs alone', () => {
  it('is none with a column of branches, which needs the others', async () => {
    const { body } = await importFile(server, 'program_name,program_duration,branch_code\nArts,3 Years,A\n');
    expect(body.errors.file).toEqual([expect.stringMatching(/missing: branch_name, branch_years\.$/)]);
  });
});
