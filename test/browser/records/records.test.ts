import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csv, importFile } from '../../import-export/import/import-file.ts';
import { makeKey } from '../../support/credentials/keys.ts';
import { factoriesFor } from '../../support/factories.ts';
import { useServer } from '../../support/server.ts';
import { startBrowser } from '../browser.ts';
import { button, field, holdUntil, openConsole } from '../console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('the history of a record', () => {
  it('says who changed a code, and puts it back', async () => {
    const key = await makeKey(server.database, { role: 'editor', user: 'ed.registrar' });
    const { id } = await factoriesFor(server).program({ name: 'Petrology', code: 'PET-1' });
    await server.graphql(
      'mutation ($id: Int!) { updateProgram(id: $id, input: { code: "PET-9" }) { id } }',
      { id },
      key,
    );
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('ed.registrar changed its code').waitFor();
    await history.getByText('just now').first().waitFor();

    await button(page, 'Put back code PET-1').click();
    await page.getByRole('form', { name: 'Edit program' }).waitFor();
    const unsaved = page.getByText('Not saved yet: what you typed or put back is in the form.');
    await unsaved.waitFor();
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await unsaved.waitFor();
    expect(await field(page, /^Code/).inputValue()).toBe('PET-1');
    await button(page, 'Save').click();
    await history.getByText('admin changed its code').waitFor();

    const { body } = await server.graphql('query ($id: Int!) { program(id: $id) { code } }', { id });
    expect(body.data.program.code).toBe('PET-1');
    await close();
  });

  it('of a program tells of its branches: those that came, left and were renamed', async () => {
    const make = factoriesFor(server);
    const [here, there] = [await make.program({ name: 'Mining' }), await make.program({ name: 'Minerals' })];
    const branch = await make.branch(here.id, { name: 'Ores' });
    const guest = await make.branch(there.id, { name: 'Salts' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${here.id}`);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('admin created the branch Ores').waitFor();
    const change = (id: number, input: string) =>
      server.graphql(`mutation { updateBranch(id: ${id}, input: { ${input} }) { id } }`);

    await change(branch.id, 'name: "Metal ores"');
    await history.getByText('admin renamed the branch Metal ores').waitFor();
    await change(guest.id, `programId: ${here.id}`);
    await history.getByText('admin moved the branch Salts from Minerals to').waitFor();
    await change(branch.id, `programId: ${there.id}`);
    await history.getByText(/admin moved the branch Metal ores from .+ to Minerals/).waitFor();

    // An earlier value of a branch is put back on its own page.
    await button(page, 'Put back name Ores').click();
    await page.getByRole('form', { name: 'Edit branch' }).waitFor();
    expect(await field(page, /^Name/).inputValue()).toBe('Ores');
    await close();
  });
});

describe('the form of a record', () => {
  it('opens alone at a double click', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Seismology' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await button(page, 'Edit program').dblclick();
    await page.getByRole('form', { name: 'Edit program' }).waitFor();
    expect(await page.getByRole('form').count()).toBe(1);
    await close();
  });

  it('adds an attribute, whose name is suggested, and removes it', async () => {
    const make = factoriesFor(server);
    await server.graphql(
      'mutation { createProgram(input: { name: "Law", duration: "1", attributes: { key: "campus", value: "North" } }) { id } }',
    );
    const { id } = await make.program({ name: 'Botany' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await button(page, 'Edit program').click();
    const names = page.locator('.attributes option');
    await expect
      .poll(() => names.evaluateAll((options) => options.map((option) => option.getAttribute('value'))))
      .toEqual(['campus']);
    await field(page, /^Another attribute/).fill('campus');
    await page.keyboard.press('Enter');
    await field(page, /^campus/).fill('South');
    await button(page, 'Save').click();
    const facts = page.getByRole('region', { name: 'Program' });
    await facts.getByText('South').waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('changed its campus').waitFor();

    await button(page, 'Edit program').click();
    await button(page, 'Remove campus').click();
    await button(page, 'Save').click();
    await button(page, 'Edit program').waitFor();
    expect(await facts.getByText('South').count()).toBe(0);
    const { body } = await server.graphql('query ($id: Int!) { program(id: $id) { attributes { key } } }', { id });
    expect(body.data.program.attributes).toEqual([]);
    await close();
  });

  it('shows what was saved at once, and does not wait until the record is read again', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Numismatics' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await button(page, 'Edit program').click();
    await field(page, /^Name/).fill('Coins and Medals');
    await holdUntil(page, 'query Program(', 'Coins and Medals');
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Coins and Medals', level: 1 }).waitFor();
    await close();
  });

  it('says while one types that a name or code exists, with a link, and keeps what was typed after a click elsewhere', async () => {
    await factoriesFor(server).program({ name: 'Heraldry', code: 'HER' });
    const { page, close } = await openConsole(browser, server.url, '/programs/new');
    await field(page, /^Name/).fill('heraldry');
    await page.getByText('There is another program with this name').waitFor();
    await field(page, /^Name/).fill('Arms');
    await field(page, /^Code/).fill('HER');
    await page.getByText('There is another program with this code').waitFor();
    await page.getByRole('link', { name: 'Heraldry' }).click();
    await page.getByRole('heading', { name: 'Heraldry', level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => field(page, /^Name/).inputValue()).toBe('Arms');
    await close();
  });
});

describe('an attribute', () => {
  it('narrows a list, is set and removed in all that match, and has a plot on the overview', async () => {
    const { body } = await server.graphql(`mutation { createPrograms(items: [
      { name: "Viola", duration: "1", attributes: { key: "faculty", value: "Music" } },
      { name: "Piano", duration: "1", attributes: { key: "faculty", value: "Music" } },
      { name: "Chess", duration: "1", attributes: { key: "faculty", value: "Games" } }
    ]) { id } }`);
    expect(body.errors).toBeUndefined();
    const { page, close } = await openConsole(browser, server.url, '/programs');
    const option = (name: string) => page.getByRole('group').getByRole('button', { name, exact: true });
    await button(page, '+ Filter').click();
    await option('Attribute').click();
    await option('faculty (3)').click();
    await option('Music (2)').click();
    await page.getByText('2 programs', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('attributes')).toBe('{"faculty":"Music"}');

    await page.getByRole('checkbox', { name: 'Select the rows of the list' }).check({ force: true });
    await button(page, 'Change a field').click();
    await page.getByRole('combobox', { name: 'Field' }).selectOption('Another attribute');
    const suggested = () =>
      page.evaluate<string[]>('[...document.activeElement.list.options].map(({ value }) => value)');
    await field(page, 'Name of the attribute').focus();
    await expect.poll(suggested).toContain('faculty');
    await field(page, 'Name of the attribute').fill('faculty');
    await field(page, 'Value').focus();
    await expect.poll(suggested).toEqual(['Music', 'Games']);
    await field(page, 'Value').fill('Arts');
    await button(page, 'Check').click();
    await button(page, 'Change 2 programs').click();
    await page.getByText('No program matches').waitFor();
    await button(page, 'faculty is Music').click();
    await page.getByRole('combobox', { name: 'faculty' }).selectOption('is empty');
    await button(page, 'faculty is empty').waitFor();
    await page.getByText('Viola').waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Overview' }).click();
    const plot = page.getByRole('region', { name: 'Programs by attribute' });
    await plot.getByRole('combobox').selectOption('faculty');
    await plot.getByRole('link', { name: 'Arts 2' }).click();
    await button(page, 'faculty is Arts').waitFor();
    await close();
  });
});

describe('the overview', () => {
  it('has an import as one line, which can be undone', async () => {
    const lines = Array.from({ length: 30 }, (_, n) => `,Imported ${n},4 Years,Branch ${n},,3,,`);
    await importFile(server, csv(...lines));
    const { page, close } = await openConsole(browser, server.url);
    const changes = page.getByRole('region', { name: 'Last changes' });
    await changes.getByText('admin imported 30 programs and 30 branches').waitFor();

    await button(page, 'Undo: imported 30 programs and 30 branches').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/60 records are as before/).waitFor();
    await changes.getByText('undone', { exact: true }).waitFor();

    const { body } = await server.graphql('{ programsConnection(filter: { search: "imported" }) { totalCount } }');
    expect(body.data.programsConnection.totalCount).toBe(0);
    await close();
  });
});

describe('a program', () => {
  it('is copied with its branches, under another name', async () => {
    const make = factoriesFor(server);
    const { id } = await make.program({ name: 'Botany', code: 'BO' });
    await make.branch(id, { name: 'Mosses' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await button(page, 'Copy program').click();
    const dialog = page.getByRole('dialog', { name: 'Copy a program with its branches' });
    await dialog.getByText('There is another program with this name: Botany').waitFor();
    await dialog.getByLabel('Name').fill('Botany of the North');
    await dialog.getByRole('button', { name: 'Copy program' }).click();

    await page.getByRole('heading', { name: 'Botany of the North', level: 1 }).waitFor();
    await page.getByRole('grid', { name: 'Branches' }).getByRole('link', { name: 'Mosses' }).waitFor();
    await close();
  });

  it('with a long name has room for it beside its history, and its buttons where they are with a short one', async () => {
    const make = factoriesFor(server);
    const name = 'Bachelor of Vocation in Hospital Instrumentation and Management';
    const [long, short] = [await make.program({ name }), await make.program({ name: 'Art' })];
    const { page, close } = await openConsole(browser, server.url, `/programs/${long.id}`, {
      screen: { width: 1366, height: 768, colorScheme: 'light' },
    });
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const box = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(box?.width).toBeGreaterThan(500);
    const place = await button(page, 'Edit program').boundingBox();
    await page.goto(`${server.url}/console/programs/${short.id}`);
    await page.getByRole('heading', { level: 1, name: 'Art' }).waitFor();
    expect(await button(page, 'Edit program').boundingBox()).toEqual(place);
    await close();
  });

  it('is created after another without leaving the form, and its branches have the years of its duration', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs/new');
    for (const name of ['Zoology', 'Ethology']) {
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Duration').fill('2 Years');
      await page.keyboard.press('Control+Enter');
      await page.getByText(`${name} was created.`).waitFor();
      expect(await page.evaluate<string>('document.activeElement.value')).toBe('');
      await page.keyboard.type('x');
      expect(await page.getByLabel('Name').inputValue()).toBe('x');
    }
    await page.getByLabel('Name').fill('Ecology');
    await page.getByLabel('Duration').fill('Six');
    await page.getByText('This has no number').waitFor();
    await page.getByLabel('Duration').fill('3 Years');
    await button(page, 'Create program').click();
    await button(page, 'Add branch').click();
    expect(await page.getByRole('combobox', { name: 'Years' }).inputValue()).toBe('3');
    await close();
  });
});
