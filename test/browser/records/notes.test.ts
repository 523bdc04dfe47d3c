import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csv, importFile } from '../../import-export/import/import-file.ts';
import { makeKey } from '../../support/credentials/keys.ts';
import { factoriesFor } from '../../support/factories.ts';
import { useServer } from '../../support/server.ts';
import { startBrowser } from '../browser.ts';
import { button, choose, field, openConsole } from '../console.ts';

const server = useServer();
let browser: Browser;
let ada: string;
beforeAll(async () => {
  browser = await startBrowser();
  ada = await makeKey(server.database, { role: 'editor', user: 'ada' });
});
afterAll(() => browser.close());

describe('the change log', () => {
  it('says who changed what yesterday, and leads to what a change did and to its undo', async () => {
    await server.database.query(
      `INSERT INTO audit_entries (at, actor, action, subject, subject_id, after)
      SELECT CURRENT_TIMESTAMP - interval '24 hours', 'ben', 'create', 'Program', n, '{"name": "Botany"}'
      FROM generate_series(901, 903) AS n`,
    );
    const lines = Array.from({ length: 5 }, (_, n) => `,Imported ${n},4 Years,Branch ${n},,3,,`);
    await importFile(server, csv(...lines), { query: { fileName: 'many.csv' } });
    const { page, close } = await openConsole(browser, server.url, '', { key: ada });
    await page.getByRole('link', { name: 'Changes', exact: true }).click();
    await page.getByRole('region', { name: 'Today' }).getByText('(10 new, 0 changed)').waitFor();
    await button(page, 'Yesterday').click();
    await page.getByText('ben created 3 programs').waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Today' }).count()).toBe(0);

    await button(page, 'Clear all').click();
    await page.getByRole('link', { name: '5 programs and 5 branches' }).click();
    await page.getByRole('link', { name: 'Imported 4' }).waitFor();
    await page.goBack();
    await button(page, /^Undo: imported many.csv/).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('undone', { exact: true }).waitFor();
    await close();
  });
});

describe('a note', () => {
  it('reaches the one for whom it is, who marks it as done', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Physics' });
    const [hers, mine] = [
      await openConsole(browser, server.url, '/notes', { key: ada }),
      await openConsole(browser, server.url, `/programs/${id}`),
    ];
    await hers.page.getByRole('heading', { name: 'There are no such notes' }).waitFor();
    await mine.page.getByText('Add a note').click();
    await field(mine.page, 'Note').fill('Please check the name');
    await choose(mine.page, 'For', 'ada');
    await button(mine.page, 'Save').click();
    const panel = mine.page.getByRole('region', { name: 'Open notes' });
    await panel.getByText('Please check the name').waitFor();

    await hers.page.getByText('admin for ada').waitFor();
    await hers.page.getByRole('link', { name: 'Notes 1' }).waitFor();
    await button(hers.page, 'Another note on Physics').click();
    await hers.page.getByRole('dialog').getByLabel('Note', { exact: true }).fill('It is right');
    await button(hers.page, 'Save').click();
    await panel.getByText('It is right').waitFor();
    await hers.page.getByRole('dialog').waitFor({ state: 'detached' });
    await hers.page.getByRole('listitem').filter({ hasText: 'ada' }).getByText('It is right').waitFor();
    await hers.page.getByRole('listitem').filter({ hasText: 'for ada' }).getByRole('button', { name: 'Done' }).click();
    await hers.page.getByText('Please check the name').waitFor({ state: 'detached' });
    await panel.getByText('Please check the name').waitFor({ state: 'detached' });
    await mine.page.getByRole('region', { name: 'History' }).getByText('Please check the name').waitFor();
    await Promise.all([hers.close(), mine.close()]);
  });

  it('has its field, with the focus, before the next key', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Botany' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`, { key: ada });
    const focused = await page.getByText('Add a note').evaluate(async (button: HTMLElement) => {
      button.click();
      await Promise.resolve();
      return document.activeElement?.tagName;
    });
    expect(focused).toBe('TEXTAREA');
    await close();
  });

  it('that is typed stays when the record is deleted, and after a reload', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Geology' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`, { key: ada });
    await page.getByText('Add a note').click();
    await field(page, 'Note').fill('Years');
    await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    await page.getByText(`Program ${id} was deleted`).waitFor();
    await page.keyboard.type(' gn?');
    await page.reload();
    await page.getByText('Years gn?').waitFor();
    await server.graphql(`mutation { restoreProgram(id: ${id}) { id } }`);
    await page.getByText(`Program ${id} was deleted`).waitFor({ state: 'detached' });
    await page.reload();
    expect(await field(page, 'Note').inputValue()).toBe('Years gn?');
    await button(page, 'Save').click();
    await page.getByRole('region', { name: 'Open notes' }).getByText('Years gn?').waitFor();
    await close();
  });

  it('on selected records leaves out, and names, the deleted ones, and is given up after a question alone', async () => {
    const { program } = factoriesFor(server);
    const [kept, deleted] = [await program({ name: 'Mycology A' }), await program({ name: 'Mycology B' })];
    const { page, close } = await openConsole(browser, server.url, '/programs?q=Mycology', { key: ada });
    await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
    await button(page, 'Add a note').click();
    const note = field(page, 'Note');
    await note.fill('Spores');
    await button(page, 'Cancel').click();
    const question = page.getByRole('alertdialog', { name: 'Close this without saving what you have typed?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await note.inputValue()).toBe('Spores');
    await server.graphql(`mutation { deleteProgram(id: ${deleted.id}) { id } }`);
    await button(page, 'Save').click();
    await page.getByText('1 note was written. Deleted meanwhile, so left out: Mycology B.').waitFor();
    await page.goto(`${server.url}/console/programs/${kept.id}`);
    await page.getByRole('region', { name: 'Open notes' }).getByText('Spores').waitFor();
    await close();
  });

  it('on selected records that are all deleted stays, and names them', async () => {
    const { program } = factoriesFor(server);
    const all = [await program({ name: 'Bryology A' }), await program({ name: 'Bryology B' })];
    const { page, close } = await openConsole(browser, server.url, '/programs?q=Bryology', { key: ada });
    await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
    await button(page, 'Add a note').click();
    await field(page, 'Note').fill('Mosses');
    for (const { id } of all) await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    await button(page, 'Save').click();
    await page.getByRole('dialog').getByText('Deleted meanwhile, so left out: Bryology A, Bryology B.').waitFor();
    expect(await field(page, 'Note').inputValue()).toBe('Mosses');
    await close();
  });

  it('keeps what is typed while it is saved', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Oceanography' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`, { key: ada });
    await page.getByText('Add a note').click();
    await field(page, 'Note').fill('Tides');
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation AddNote')) await field(page, 'Note').fill('Tides, and ice');
      await route.fallback();
    });
    await button(page, 'Save').click();
    await page.getByRole('listitem').getByText('Tides', { exact: true }).waitFor();
    expect(await field(page, 'Note').inputValue()).toBe('Tides, and ice');
    await close();
  });

  it('of a branch has a link at its program, also if both have the same number', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Glaciology' });
    await server.database.query(
      `INSERT INTO branches (id, program_id, name) VALUES ($1, $1, 'Ice') ON CONFLICT DO NOTHING`,
      [id],
    );
    await server.graphql(`mutation { addNote(input: { branchId: ${id}, text: "Melting" }) { id } }`);
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await page.getByRole('region', { name: 'Open notes' }).getByRole('link', { name: 'Ice' }).waitFor();
    await close();
  });
});
