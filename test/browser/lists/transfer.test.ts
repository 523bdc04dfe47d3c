import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { lockTable } from '@service/postgres/testing/table-lock';
import { partsOf, zipped } from '@service/tabular/testing/workbook';
import type { Download, Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { definitionsOf } from '../../definitions/definitions.ts';
import { emptyCatalog } from '../../support/database.ts';
import { factoriesFor } from '../../support/factories.ts';
import { useServer } from '../../support/server.ts';
import { useBrowser } from '../browser.ts';
import { button, openConsole } from '../console.ts';

const server = useServer();
const make = factoriesFor(server);
const browser = useBrowser();
beforeEach(() => server.database.query(emptyCatalog));

const names = async (): Promise<unknown[]> => {
  const { body } = await server.graphql('{ programsConnection(orderBy: NAME_ASC) { nodes { name } } }');
  return body.data.programsConnection.nodes.map(({ name }: { name: string }) => name);
};

const bytesOf = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream());

const choose = (page: Page, name: string, content: string | Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });

const header = 'program_name,program_duration,branch_name,branch_years';
const file = (...lines: readonly string[]) => [header, ...lines].join('\n');

/** What a column of the file is imported as. */
const target = (page: Page, name: string) => page.getByRole('combobox', { name: `Is imported as: ${name}` });

/** The rows of a table, after its head. */
const rowsOf = async (page: Page, name: string): Promise<string[]> =>
  (await page.getByRole('region', { name, exact: true }).getByRole('row').allInnerTexts())
    .slice(1)
    .map((row) => row.replace(/\s+/g, ' ').trim());

const open = (page: Page, title: RegExp) => page.locator('summary', { hasText: title }).click();
const isChecked = (page: Page) => page.getByText('Checked 1 row; nothing was changed yet.').waitFor();

describe('an import', () => {
  it('is checked first: problems are grouped by column and cause, and valid rows can be imported without the others', async () => {
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(page, 'dirty.csv', file('Dentistry,5 Years,Surgery,5', 'Dentistry,,Bad,99', 'A,1,B,98', 'A,1,C,99'));
    await page.getByText('3 of 4 rows have problems').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Records' }).count()).toBe(0);
    const problems = page.getByRole('region', { name: 'Problems' });
    expect(await problems.locator('summary').allInnerTexts()).toEqual([
      expect.stringMatching(/^branch_years: .+ 3 rows$/),
      expect.stringMatching(/^program_duration: .+ 1 row$/),
    ]);
    await open(page, /branch_years/);
    await problems.getByText('Lines 3 to 5').waitFor();
    await problems.getByText('The file has there: 99 · 98').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download the rows with problems, to correct and import them').click(),
    ]);
    expect(download.suggestedFilename()).toBe('dirty-problems.csv');
    expect((await bytesOf(download)).toString()).toMatch(
      /^\uFEFF"Line","Problems",program_name,.+\n3,"program_duration: /,
    );

    await page.getByText('Skip rows with problems').click();
    await page.getByText('nothing was changed yet. 3 rows with problems left out.').waitFor();
    await button(page, 'Import dirty.csv').click();
    await page.getByText('Imported 1 row. 3 rows with problems left out.').waitFor();
    expect(await names()).toEqual(['Dentistry']);
    await page.reload();
    const imports = page.getByRole('region', { name: 'Last imports' });
    await imports.getByText('(2 new, 0 changed, 3 rows left out)').waitFor();
    await close();
  });

  it('shows values as lists do, by the labels of choices, and quotes the beginning of long ones', async () => {
    const choices = [
      { value: 'B', label: 'Bachelor' },
      { value: 'M', label: 'Master' },
    ];
    await definitionsOf(server).define({ key: 'level', kind: 'CHOICE', label: 'Level', choices });
    const { id } = await make.program({ name: 'Dentistry', duration: '5 Years' });
    await server.graphql(
      `mutation { updateProgram(id: ${id}, input: { attributes: [{ key: "level", value: "B" }] }) { id } }`,
    );
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    const row = `Dentistry,5 Years,M,Surgery,5,${'long '.repeat(40)}`;
    await choose(
      page,
      'labels.csv',
      `program_name,program_duration,program_attr:level,branch_name,branch_years,branch_description\n${row}`,
    );
    await isChecked(page);
    expect(await rowsOf(page, 'Values of the file that are not used')).toEqual([
      '2 Dentistry program_attr:level Bachelor Master',
    ]);
    await open(page, /First rows/);
    expect(await rowsOf(page, 'First rows as they will be')).toEqual([
      `2 Dentistry 5 Years Surgery ${'long '.repeat(20).trim()} … 5 Master`,
    ]);
    await close();
  });

  it('takes a sheet of a workbook whose columns have other names: the likely ones are found, the others chosen', async () => {
    const sheets = ['Read me', 'Courses']
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at + 1}"/>`)
      .join('');
    const rows = [
      ['Academic Program Name', 'Duration', 'Discipline', 'How long', 'Remark'],
      ['Forestry', '3 Years', 'Trees', '3', 'old'],
    ].map((cells) => `<row>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join('')}</row>`);
    const workbook = await zipped({
      ...partsOf({
        workbook: `<w xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${sheets}</sheets></w>`,
      }),
      'xl/worksheets/sheet2.xml': `<w><sheetData>${rows.join('')}</sheetData></w>`,
    });
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(page, 'courses.xlsx', workbook);
    await page.getByRole('combobox', { name: 'Sheet' }).selectOption('Courses');

    await page.getByText('Not found in the file: number of years. Choose the columns below.').waitFor();
    expect(await rowsOf(page, 'Columns of the file')).toEqual([
      expect.stringMatching(/^Academic Program Name Forestry/),
      expect.stringMatching(/^Duration 3 Years/),
      expect.stringMatching(/^Discipline Trees/),
      expect.stringMatching(/^How long 3/),
      expect.stringMatching(/^Remark old/),
    ]);
    expect(await target(page, 'Discipline').inputValue()).toBe('branch_name');
    expect(await target(page, 'Remark').inputValue()).toBe('');
    await target(page, 'How long').selectOption('Number of years (needed)');
    await isChecked(page);
    await target(page, 'Remark').selectOption('Attribute “remark” of the branch');
    await open(page, /^First rows as they will be/);
    await expect.poll(() => rowsOf(page, 'First rows as they will be')).toEqual(['2 Forestry 3 Years Trees 3 old']);
    await open(page, /^New records: 2/);
    expect(await rowsOf(page, 'New records')).toEqual(['2 program Forestry', '2 branch Trees in Forestry']);
    await button(page, 'Import courses.xlsx').click();
    await page.getByText('Imported 1 row.').waitFor();
    const { body } = await server.graphql(
      '{ branchesConnection { nodes { name attributes { key value } program { name } } } }',
    );
    expect(body.data.branchesConnection.nodes).toEqual([
      { name: 'Trees', attributes: [{ key: 'remark', value: 'old' }], program: { name: 'Forestry' } },
    ]);

    // The sheet and the columns of the corrected file are those of the first.
    await choose(page, 'courses, corrected.xlsx', workbook);
    await page.getByText('Checked 1 row; there is nothing to import.').waitFor();
    expect(await target(page, 'Remark').inputValue()).toBe('branch_attr:remark');
    expect(await button(page, 'Import courses.xlsx').count()).toBe(0);
    await close();
  });

  it('says what a workbook hides and repeats, leaves that out, and takes empty cells of a program from above', async () => {
    const rowOf = (cells: readonly string[], attributes = '') =>
      `<row${attributes}>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join('')}</row>`;
    const heads = header.split(',');
    const rows = [
      rowOf(['Forestry', '3 Years', 'Trees', '3']),
      rowOf(['', '', 'Soil', '3']),
      rowOf(heads),
      rowOf(['Logging', '2 Years', 'Saws', '2'], ' hidden="1"'),
    ];
    const workbook = await zipped(partsOf({ header: rowOf(heads), rows: rows.join('') }));
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(page, 'printed.xlsx', workbook);
    await page.getByText('1 row that repeats the headings is left out.').waitFor();
    await page.getByText('The file has hidden cells: 1 row. They are read, too.').waitFor();
    await page.getByText('1 of 3 rows have problems').waitFor();
    await page.getByText('Empty cells of the program: as in the row above').click();
    await page.getByText('Checked 3 rows; nothing was changed yet.').waitFor();
    await button(page, 'Leave them out').click();
    await page.getByText('Checked 2 rows; nothing was changed yet.').waitFor();
    await page.getByText('The file has hidden cells: 1 row. They are left out.').waitFor();
    await button(page, 'Import printed.xlsx').click();
    await page.getByText('Imported 2 rows.').waitFor();
    expect(await names()).toEqual(['Forestry']);
    await close();
  });

  it('shows how the letters of a file were understood, and takes another encoding', async () => {
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(
      page,
      'mac.csv',
      Buffer.concat([Buffer.from(`${header}\nG`), Buffer.from([0x8e]), Buffer.from('ologie,3 Years,,')]),
    );
    const characters = page.getByRole('region', { name: 'Characters' });
    await characters.getByText('Line 2 GŽologie').waitFor();
    expect(await page.getByRole('combobox', { name: 'Characters of the file' }).inputValue()).toBe('Windows-1252');
    await page.getByRole('combobox', { name: 'Characters of the file' }).selectOption('Macintosh');
    await characters.getByText('Line 2 Géologie').waitFor();
    await button(page, 'Import mac.csv').click();
    await page.getByText('Imported 1 row.').waitFor();
    expect(await names()).toEqual(['Géologie']);
    await close();
  });

  it('shows the value of the file beside that of the catalog, which is kept or changed', async () => {
    const program = await make.program({ name: 'Optics', duration: '3 Years' });
    await make.branch(program.id, { name: 'Lasers', years: 2 });
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(page, 'other.csv', file('Optics,3 Years,Lasers,3'));
    const differs =
      '0 new, 0 changed, 2 left as they are: 1 value of the file differs and is not used. Checked 1 row; there is nothing else to import.';
    await page.locator('.notice.warn', { hasText: differs }).waitFor();
    expect(await rowsOf(page, 'Values of the file that are not used')).toEqual([
      '2 Lasers in Optics Number of years 2 3',
    ]);

    await page.getByText('Change records that exist and differ', { exact: true }).click();
    await isChecked(page);
    await page.getByText('0 new, 1 changed, 1 the same.').waitFor();
    const changed = page.getByRole('table', { name: 'Values that change' }).getByRole('row').last();
    expect(await changed.textContent()).toMatch(/^Lasers in Optics.*years2 → 3 *2$/);
    await open(page, /^Columns of the file/);
    await page
      .getByRole('row', { name: /branch_years/ })
      .getByText('Keep what is there')
      .click();
    await page.locator('.notice.warn', { hasText: differs }).waitFor();
    await close();
  });

  it('of a list of programs below a title asks whether new records are renamed ones', async () => {
    await make.program({ name: 'Optics', duration: '3 Years' });
    await make.program({ name: 'Law', duration: '4 Years' });
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(page, 'list.csv', 'Our programs\nTitle,Length\nOptics,3 Years\nLaws,4 Years');
    const header = page.getByRole('combobox', { name: 'The names of the columns are in' });
    await header.waitFor();
    expect(await header.inputValue()).toBe('2');
    await target(page, 'Title').selectOption('Name of the program (needed)');
    await target(page, 'Length').selectOption('Duration of the program (needed)');
    await page.getByText('1 new, 0 changed, 1 the same.').waitFor();
    await button(page, 'They are renamed').click();
    await page.getByText('0 new, 1 changed, 1 the same.').waitFor();
    await button(page, 'Import list.csv').click();
    await page.getByText('Imported 2 rows.').waitFor();
    expect(await names()).toEqual(['Laws', 'Optics']);
    await header.selectOption('Row 1: Our programs');
    await page.getByText('Not found in the file').waitFor();
    await close();
  });

  it('lists what the catalog has and the file has not, deletes that on request, and brings it back', async () => {
    const kept = await make.program({ name: 'Kept', duration: '3 Years' });
    await make.branch(kept.id, { name: 'Stays' });
    await make.branch(kept.id, { name: 'Leaves' });
    await make.program({ name: 'Old' });
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(page, 'new.csv', file('Kept,3 Years,Stays,'));
    await page.getByText('1 of 1 row have problems').waitFor();
    expect(await page.getByText('In the catalog and not in the file').count()).toBe(0);

    await choose(page, 'new.csv', file('Kept,3 Years,Stays,4'));
    await page.getByText('In the catalog and not in the file: 1').waitFor();
    await page.getByText('The file is the whole catalog').click();
    await open(page, /^In the catalog and not in the file: 2/);
    expect(await rowsOf(page, 'In the catalog and not in the file')).toEqual(['branch Leaves in Kept', 'program Old']);
    await button(page, 'Delete 1 branch…').waitFor();
    await button(page, 'Delete 1 program…').click();
    await page.getByText('1 program will be deleted.').waitFor();
    expect(await names()).toEqual(['Kept', 'Old']);
    await button(page, 'Delete 1 program').click();
    await page.getByText('1 program was deleted.').waitFor();
    expect(await names()).toEqual(['Kept']);
    await open(page, /^In the catalog and not in the file: 1/);
    expect(await rowsOf(page, 'In the catalog and not in the file')).toEqual(['branch Leaves in Kept']);
    await button(page, 'Undo').click();
    await expect.poll(names).toEqual(['Kept', 'Old']);
    await close();
  });

  it('is undone at once, or later by its place among the last imports, except for what was changed since', async () => {
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(page, 'first.csv', file('Alchemy,1 Year,,'));
    await button(page, 'Import first.csv').click();
    await page.getByText('Imported 1 row.').waitFor();
    const message = page
      .getByRole('alertdialog')
      .filter({ hasText: 'first.csv was imported. 1 new, 0 changed, 0 the same.' });
    await button(page, 'Dismiss').waitFor();
    expect(await message.getByRole('button', { name: 'Undo' }).count()).toBe(1);
    const report = page.getByRole('region', { name: 'Import', exact: true });
    await report.getByRole('button', { name: 'Undo this import: first.csv' }).click();
    await button(page, 'Undo this import').last().click();
    await page.getByText('1 record is as before.').waitFor();
    // It no longer offers the same.
    await message.waitFor({ state: 'detached', timeout: 5_000 });
    await isChecked(page);
    expect(await names()).toEqual([]);

    await button(page, 'Import first.csv').click();
    await page.getByText('Imported 1 row.').waitFor();
    await message.getByRole('button', { name: 'Undo' }).click();
    await isChecked(page);
    expect(await names()).toEqual([]);

    await choose(page, 'second.csv', file('Botany,1 Year,,', 'Zoology,1 Year,,'));
    await button(page, 'Import second.csv').click();
    await page.getByText('Imported 2 rows.').waitFor();
    const { body } = await server.graphql('{ programsConnection(filter: { search: "Botany" }) { nodes { id } } }');
    const { id } = body.data.programsConnection.nodes[0];
    await server.graphql(`mutation { updateProgram(id: ${id}, input: { duration: "2 Years" }) { id } }`);
    await page.reload();
    const imports = page.getByRole('region', { name: 'Last imports' });
    await imports.getByText('second.csv').waitFor();
    expect((await imports.getByRole('listitem').allInnerTexts()).slice(0, 2)).toEqual([
      expect.stringMatching(/^admin imported second\.csv: 2 programs/),
      expect.stringMatching(/^admin imported first\.csv: the program Alchemy .+ undone$/),
    ]);
    await imports.getByRole('button', { name: 'Undo: imported second.csv' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 record is as before. 1 stays as it is:').waitFor();
    await page.getByText(/You have changed it since/).waitFor();
    expect(await names()).toEqual(['Botany']);
    await page.getByRole('link', { name: 'Botany' }).click();
    await page.getByRole('heading', { name: 'Botany' }).waitFor();
    await close();
  });

  it('of a file with ids, as exports are, brings corrections back without a further choice', async () => {
    const { id } = await make.program({ name: 'Ophtalmology', duration: '3 Years' });
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(page, 'back.csv', `program_id,program_name,program_duration\n${id},Ophthalmology,3 Years`);
    await page.getByText('0 new, 1 changed, 0 the same.').waitFor();
    await button(page, 'Import back.csv').click();
    await page.getByText('Imported 1 row.').waitFor();
    expect(await names()).toEqual(['Ophthalmology']);
    await close();
  });

  it('changes nothing that somebody else has saved since the check, before it is shown', async () => {
    const { id } = await make.program({ name: 'Law', duration: '3 Years' });
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(page, 'law.csv', `program_id,program_name,program_duration\n${id},Law,4 Years`);
    await isChecked(page);
    await server.graphql(`mutation { updateProgram(id: ${id}, input: { duration: "9 Years" }) { id } }`);
    await button(page, 'Import law.csv').click();
    await page.getByText('These records were changed meanwhile').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: /^Law.*9 Years → 4 Years/ })
      .waitFor();
    await button(page, 'Import law.csv').click();
    await page.getByText('Imported 1 row.').waitFor();
    expect(await page.getByText('These records were changed meanwhile').count()).toBe(0);
    await close();
  });

  it('whose response is lost says that all of it was done or nothing, and the next check says which, with its undo', async () => {
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(page, 'lost.csv', file('Law,3 Years,Roman,3'));
    await isChecked(page);
    await page.route('**/import/catalog?**', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await button(page, 'Import lost.csv').click();
    await page.getByText('this may be done or not').waitFor();
    await page.unrouteAll();
    await button(page, 'Check again').click();
    await page.getByText('Imported 1 row.').waitFor();
    expect(await names()).toEqual(['Law']);
    await button(page, 'Undo').click();
    await expect.poll(names).toEqual([]);
    await isChecked(page);
    await page.route('**/import/catalog?**dryRun=false**', (route) => route.abort('connectionreset'));
    await button(page, 'Import lost.csv').click();
    await page.getByText('this may be done or not').waitFor();
    await page.unrouteAll();
    await button(page, 'Check again').click();
    await isChecked(page);
    expect(await names()).toEqual([]);
    await close();
  });

  it('checks a file again when a choice changes during its check, and not at the same time', async () => {
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    const lock = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    await choose(page, 'wine.csv', file('Viticulture,3 Years,Vines,3'));
    await lock.waitUntilBlocking();
    await page.getByText('Change records that exist and differ').click();
    await lock.release();

    await isChecked(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    await button(page, 'Import wine.csv').click();
    await page.getByText('Imported 1 row.').waitFor();
    expect(await page.evaluate<string>('document.activeElement.role')).toBe('status');
    await close();
  });

  it('goes on while one is on other screens, which say so, and its file and report are there when one is back', async () => {
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    const go = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await choose(page, 'tiles.csv', file('Tiling,3 Years,Mosaics,3', 'Tiling,,Bad,99'));
    await page.getByText('Skip rows with problems').click();
    await page.getByText('nothing was changed yet. 1 row with problems left out.').waitFor();
    await go('Programs');
    await page.getByText('The catalog is empty: two ways to begin').waitFor();
    await go('Import and export');
    const lock = await lockTable(server.database, 'programs', 'SHARE ROW EXCLUSIVE');
    await button(page, 'Import tiles.csv').click();
    await lock.waitUntilBlocking();
    await go('Programs');
    await page.getByText('A file is being imported').waitFor();
    await go('Import and export');
    await page.getByText('Importing. You can go on working on other screens').waitFor();
    await go('Programs');
    await lock.release();
    const message = page.getByRole('alertdialog').filter({ hasText: 'tiles.csv was imported. 2 new, 0 changed' });
    await message.getByText('1 row was left out.').waitFor();
    await message.getByRole('link', { name: 'See why' }).click();
    await page.getByText('Imported 1 row. 1 row with problems left out.').waitFor();
    await button(page, /^Download the rows with problems/).waitFor();

    // Once its import is undone elsewhere, the file is checked again.
    await go('Programs');
    await message.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The catalog is empty: two ways to begin').waitFor();
    await go('Import and export');
    await page.getByText('nothing was changed yet. 1 row with problems left out.').waitFor();
    await close();
  });

  it('says how many rows repeat others', async () => {
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    const row = 'Thatching,1 Year,Reeds,1';
    await choose(page, 'twice.csv', file(row, row, row));
    await page.getByText('Checked 3 rows; nothing was changed yet. 2 rows repeat others.').waitFor();
    await button(page, 'Import twice.csv').click();
    await page.getByText('Imported 3 rows. 2 rows repeat others.').waitFor();
    await close();
  });

  it('names the record of a row that is in the trash, and is checked again once that is restored', async () => {
    const { make } = server;
    const [kept, deleted] = [await make.program({ name: 'Falconry' }), await make.program({ name: 'Hawking' })];
    const rows = [`${kept.id},Falconry,4 Years`, `${deleted.id},Hawking,4 Years`];
    await server.graphql(`mutation { deleteProgram(id: ${deleted.id}) { id } }`);
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(page, 'birds.csv', ['program_id,program_name,program_duration', ...rows].join('\n'));
    await page.getByText(`Number ${deleted.id} is "Hawking", which is in the trash`).waitFor();
    await page.getByText('1 new, 0 changed, 1 the same.').waitFor();
    await server.graphql(`mutation { restoreProgram(id: ${deleted.id}) { id } }`);
    await button(page, 'Check again').click();
    await page.getByText('0 new, 0 changed, 2 the same.').waitFor();
    await close();
  });

  it('says of each file what is about that file, and checks again when asked to', async () => {
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await choose(page, 'empty.csv', '');
    const alert = page.getByRole('region', { name: 'Import', exact: true }).getByRole('alert');
    await alert.getByText('The file is empty: it has no row with the names of the columns.', { exact: true }).waitFor();

    await choose(page, 'sheet.xlsx', 'PK\u0003\u0004\u0014\0\u0006\0Program,Duration');
    await alert.getByText(/^The workbook cannot be read: it is damaged, or a part of it is missing\./).waitFor();

    await choose(page, 'odd.csv', 'a,b\n1,2');
    await page.getByText('Not found in the file: ').waitFor();
    expect(await alert.count()).toBe(0);

    await page.route('**/import/**', (route) => route.abort());
    await choose(page, 'good.csv', file('Cooperage,1 Year,,'));
    await alert.getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/import/**');
    await button(page, 'Check again').click();
    await button(page, 'Import good.csv').waitFor();
    await close();
  });
});

describe('a file that is corrected and saved again after it was chosen', () => {
  it('says so, blames nothing else, and is imported as it was checked or chosen again', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'chosen-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const list = path.join(folder, 'list.csv');
    const write = (name: string, duration: string) =>
      writeFile(list, `program_name,program_duration\n${name},${duration}\n`);
    await write('Heraldry', '');
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    const input = page.locator('input[type=file]');
    await input.setInputFiles(list);
    await page.getByText('1 of 1 row have problems').or(page.getByText('Problems: 1')).first().waitFor();
    await write('Heraldry', '3 Years');
    await page.getByLabel(/exist and differ/).click();
    const said = page.getByText(
      'list.csv can no longer be read: it was moved, deleted or saved again since you chose it.',
    );
    await said.waitFor();
    expect(await page.getByText('cannot be reached').count()).toBe(0);
    const chooser = page.waitForEvent('filechooser');
    await button(page, 'Choose it again').click();
    await (await chooser).setFiles(list);
    await isChecked(page);
    expect(await said.count()).toBe(0);

    await write('Sphragistics', '3 Years');
    await button(page, 'Import list.csv').click();
    await said.waitFor();
    expect(await names()).toEqual([]);
    await button(page, 'Import list.csv').click();
    await page.getByText('list.csv was imported.').waitFor();
    expect(await names()).toEqual(['Heraldry']);
    await close();
  });
});

describe('an export', () => {
  it('is of what the filter shows, says how much that is, and has day and filter in its name', async () => {
    const program = await make.program({ name: 'Dentistry', duration: '5 Years' });
    await make.branch(program.id, { name: 'Surgery' });
    await make.program({ name: 'Other' });
    const { page, close } = await openConsole(browser(), server.url, '/programs?q=dentistry');
    await page.getByRole('link', { name: 'Export these' }).click();
    await page.getByText('The 1 program that your filter shows, with all branches: “dentistry”.').waitFor();
    const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(titles.slice(0, 2)).toEqual(['Export', 'Import']);
    const [workbook] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()]);
    expect(workbook.suggestedFilename()).toMatch(/^catalog-\d{4}-\d\d-\d\d-dentistry\.xlsx$/);
    expect((await bytesOf(workbook)).subarray(0, 2).toString()).toBe('PK');

    await page.getByRole('combobox', { name: 'Format' }).selectOption('CSV for spreadsheets');
    const [csv] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()]);
    const text = (await bytesOf(csv)).toString();
    expect(csv.suggestedFilename()).toMatch(/^catalog-\d{4}-\d\d-\d\d-dentistry\.csv$/);
    expect(text.startsWith('\uFEFFprogram_id,')).toBe(true);
    expect(text.trim().split(/\r?\n/)).toHaveLength(2);
    await close();
  });

  it('to Excel comes back without a change, and the whole catalog is counted before', async () => {
    await make.program({ name: '=1+1', duration: '4 Years' });
    const { page, close } = await openConsole(browser(), server.url, '/transfer');
    await page.getByText('The whole catalog: 1 program, with all branches.').waitFor();
    expect(await page.getByText('Choose a file', { exact: true }).getAttribute('class')).toContain('primary');
    expect(await button(page, 'Export').getAttribute('class')).not.toContain('primary');
    const [workbook] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()]);
    await choose(page, workbook.suggestedFilename(), await bytesOf(workbook));
    await page.getByText('Checked 1 row; there is nothing to import.').waitFor();
    await close();
  });
});
