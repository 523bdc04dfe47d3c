import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { definitionsOf } from '../definitions/definitions.ts';
import { makeKey } from '../support/credentials/keys.ts';
import { useServer } from '../support/server.ts';
import { startBrowser } from './browser.ts';
import { button, choice, field, openConsole, pasteText, programLinks } from './console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  await server.database.query(`
    INSERT INTO programs (name, duration, attributes, created_at, updated_at) VALUES
      ('Chemistry', '3 Years', '{"level": "B", "site": "https://chem.example/"}', now(), now()),
      ('Law', '4 Years', '{}', now(), now()),
      ('Physics', '3 Years', '{"level": "BSc", "site": "javascript:alert(1)", "campus": "North"}', now(), now())`);
});
afterAll(() => browser.close());

const attributesOf = async (name: string) =>
  (await server.database.query('SELECT attributes FROM programs WHERE name = $1', [name]))[0]?.['attributes'];

it('an administrator defines an attribute, finds the records without a valid one, and mends them in forms and cells', async () => {
  const { page, close } = await openConsole(browser, server.url, '/attributes');
  await button(page, 'Define an attribute').click();
  const dialog = page.getByRole('dialog', { name: 'Define an attribute' });
  await page.keyboard.type('Level');
  expect(await dialog.getByLabel('Key').inputValue()).toBe('level');
  await dialog.getByLabel('Value 1').focus();
  await pasteText(page, 'B\tBachelor\nM\tMaster');
  await dialog.getByText('Branches have it').click();
  await button(page, 'Save').click();
  await page.getByRole('link', { name: '1 program has no valid value' }).click();
  await page.getByRole('grid', { name: 'Programs' }).getByRole('link', { name: 'Physics' }).click();

  await button(page, 'Edit program').click();
  const level = page.getByRole('combobox', { name: 'Level' });
  expect(await level.locator('option').allTextContents()).toEqual(['No value', 'BSc', 'Bachelor', 'Master']);
  await level.selectOption({ label: 'Master' });
  await button(page, 'Save').click();
  await expect.poll(() => attributesOf('Physics')).toMatchObject({ level: 'M', campus: 'North' });

  await page.goto(`${server.url}/console/programs?columns=name,attributes.level`);
  await page.getByRole('row', { name: /Law/ }).locator('td').nth(2).click();
  await page.keyboard.type('ma');
  await page.keyboard.press('Enter');
  await expect.poll(() => attributesOf('Law')).toEqual({ level: 'M' });
  await close();
});

it('the order of attributes is that of fields: it changes with Alt and the arrows; an address is a link of http alone', async () => {
  const { page, close } = await openConsole(browser, server.url, '/attributes');
  await button(page, 'Define an attribute').click();
  const dialog = page.getByRole('dialog', { name: 'Define an attribute' });
  await dialog.getByLabel('Key').fill('site');
  await dialog.getByLabel('Kind').selectOption({ label: 'Web address' });
  await button(page, 'Save').click();
  await dialog.waitFor({ state: 'hidden' });
  const labels = page.getByRole('table', { name: 'Attributes' }).locator('tbody strong');
  await expect.poll(() => labels.allTextContents()).toEqual(['Level', 'site']);
  await button(page, 'Actions for site').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => labels.allTextContents()).toEqual(['site', 'Level']);

  await page.goto(`${server.url}/console/programs?columns=name,attributes.site`);
  await page.getByText('javascript:alert(1)').waitFor();
  const links = page.getByRole('grid', { name: 'Programs' }).locator('a[target=_blank]');
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
    'https://chem.example/',
  ]);
  await close();
});

it('what a change of many, a paste and a note in a cell say of values is their labels', async () => {
  const choices = [
    { value: 'B', label: 'Bachelor' },
    { value: 'M', label: 'Master' },
  ];
  await definitionsOf(server).define({ key: 'level', kind: 'CHOICE', label: 'Level', choices });
  const [law] = await server.database.query("SELECT id FROM programs WHERE name = 'Law'");
  const colleague = await server.makeKey({ role: 'editor', user: 'A colleague' });
  const setLevel = (value: string) =>
    server.graphql(
      'mutation ($id: Int!, $value: String!) { updateProgram(id: $id, input: { attributes: [{ key: "level", value: $value }] }) { id } }',
      { id: law?.['id'], value },
      colleague,
    );
  await setLevel('M');
  const { page, close } = await openConsole(browser, server.url, '/programs?columns=name,attributes.level');
  await page.getByRole('checkbox', { name: 'Select Law' }).click();
  await button(page, 'Change a field').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Field', { exact: true }).selectOption({ label: 'Level' });
  await dialog.getByRole('combobox', { name: /^Value/ }).selectOption({ label: 'Bachelor' });
  await button(page, 'Check').click();
  await dialog.getByText('Now: 1 × “Master”.').waitFor();
  await button(page, 'Cancel').click();

  const cell = page.getByRole('row', { name: /Law/ }).locator('td').nth(2);
  await cell.click();
  await pasteText(page, 'B');
  await dialog.getByRole('row').filter({ hasText: 'Master → Bachelor' }).waitFor();
  await page.keyboard.press('Escape');

  await cell.dblclick();
  await cell.getByRole('combobox').selectOption({ label: 'No value' });
  await setLevel('B');
  await page.getByText('Somebody else has changed this to “Bachelor”').waitFor();
  await close();
  await setLevel('M');
});

it('a registrar reads what is defined, finds the records without a valid value in the list, and defines nothing', async () => {
  const choices = [
    { value: 'B', label: 'Bachelor' },
    { value: 'M', label: 'Master' },
  ];
  const help = 'As in the statute';
  await definitionsOf(server).define({ key: 'level', kind: 'CHOICE', label: 'Level', help, choices });
  const key = await makeKey(server.database, { role: 'editor', user: 'registrar' });
  const { page, close } = await openConsole(browser, server.url, '', { key });
  await page.getByRole('navigation').getByRole('link', { name: 'Attributes' }).click();
  const row = page.getByRole('row', { name: /Level/ });
  await row.getByText('2 choices: Bachelor, Master').waitFor();
  await row.getByText(help).waitFor();
  expect(await button(page, /Define|Actions for/).count()).toBe(0);

  await page.getByRole('navigation').getByRole('link', { name: 'Programs' }).click();
  await button(page, '+ Filter').click();
  await choice(page, 'Incomplete, or with other values').click();
  await expect.poll(() => programLinks(page).allTextContents()).toEqual(['Physics']);
  await close();
});

it('retired choices are replaced where their records are counted, and filters and the history have labels', async () => {
  const level = { key: 'level', kind: 'CHOICE', label: 'Level of study' };
  const retired = { value: 'B', label: 'Bachelor', retired: true, replacedBy: 'M' };
  await definitionsOf(server).define({ ...level, choices: [retired, { value: 'M', label: 'Master' }] });
  const { page, close } = await openConsole(browser, server.url, '/attributes');
  await button(page, 'Replace retired values: 1 program').click();
  await page.getByRole('region', { name: 'Old and new values' }).getByText('Bachelor').waitFor();
  await button(page, 'Change 1 program').click();
  await expect.poll(() => attributesOf('Chemistry')).toMatchObject({ level: 'M' });
  await button(page, 'Replace retired values: 1 program').waitFor({ state: 'detached' });

  await page.goto(`${server.url}/console/programs`);
  await button(page, '+ Filter').click();
  await choice(page, 'Attribute').click();
  await choice(page, 'Level of study').click();
  await choice(page, /^Master \(\d\)$/).click();
  await button(page, 'Level of study is Master').waitFor();
  await page.keyboard.press('Escape');
  await programLinks(page).getByText('Chemistry').click();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('changed its Level of study').waitFor();
  expect(await history.locator('dd').first().textContent()).toContain('Master');
  await close();
});

it('5,000 choices are pasted and saved', async () => {
  const { page, close } = await openConsole(browser, server.url, '/attributes');
  await button(page, 'Define an attribute').click();
  const dialog = page.getByRole('dialog', { name: 'Define an attribute' });
  await dialog.getByLabel('Key').fill('course');
  await dialog.getByLabel('Value 1').focus();
  await pasteText(
    page,
    Array.from({ length: 5_000 }, (_, at) => `course-${at}\tThe course with the number ${at}`).join('\n'),
  );
  await button(page, 'Show all 5,000').waitFor();
  await button(page, 'Save').click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('5,000 choices').waitFor();

  await page.goto(`${server.url}/console/programs/new`);
  const course = page.getByRole('combobox', { name: 'course' });
  await course.selectOption({ label: 'The course with the number 4999' });
  await field(page, 'Name').fill('Long');
  await field(page, 'Duration').fill('1 Year');
  await button(page, 'Create program').click();
  await expect.poll(() => attributesOf('Long')).toMatchObject({ course: 'course-4999' });
  await close();
});

it('a choice goes on to the next with Enter, a row opens its definition, and a new attribute is a column at once', async () => {
  const { page, context, close } = await openConsole(browser, server.url, '/programs');
  const columns = page.getByRole('dialog', { name: 'Columns' });
  await page.getByRole('link', { name: 'Law' }).waitFor();

  const tab = await context.newPage();
  await tab.goto(`${server.url}/console/attributes`);
  await button(tab, 'Define an attribute').click();
  const dialog = tab.getByRole('dialog', { name: 'Define an attribute' });
  await dialog.getByLabel('Key').waitFor();
  await tab.keyboard.type('Mode');
  await dialog.getByLabel('Value 1').focus();
  for (const value of ['day', 'evening', '']) {
    await tab.keyboard.type(value);
    await tab.keyboard.press('Enter');
  }
  await dialog.getByRole('button', { name: 'Remove 3' }).click();
  await button(tab, 'Add a choice').click();
  expect(await tab.evaluate<string>("document.activeElement.getAttribute('aria-label')")).toBe('Value 3');
  expect(await dialog.getByLabel(/^Value \d/).evaluateAll((all) => all.map((one) => Object(one).value))).toEqual([
    'day',
    'evening',
    '',
  ]);
  await button(tab, 'Save').click();
  await dialog.waitFor({ state: 'detached' });
  await button(page, 'Columns').click();
  await columns.getByRole('checkbox', { name: 'Mode' }).waitFor();

  await tab.getByRole('row', { name: /Mode/ }).getByRole('button', { name: 'Mode', exact: true }).click();
  await tab.getByRole('dialog', { name: 'Edit the attribute Mode' }).getByLabel('Value 2').waitFor();
  await tab.keyboard.press('Escape');
  await tab.getByRole('navigation').getByRole('link', { name: 'Programs' }).click();
  await button(tab, 'Columns').click();
  await tab.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Mode' }).waitFor();
  await close();
});

it('a cell that is open as its attribute is defined goes on, and says what is wrong with what was typed', async () => {
  const { page, close } = await openConsole(browser, server.url, '/programs?columns=name,attributes.campus');
  await page.getByRole('row', { name: /Law/ }).locator('td').nth(2).click();
  await page.keyboard.type('evening');
  await server.graphql(
    `mutation { saveAttributeDefinition(input: { key: "campus", label: "Campus", kind: CHOICE,
      choices: [{ value: "North", label: "North" }] }) { key } }`,
  );
  await page.keyboard.press('Enter');
  await page
    .getByText(/evening/)
    .first()
    .waitFor();
  expect(await page.getByText('This could not be shown').count()).toBe(0);
  expect(await page.getByRole('grid', { name: 'Programs' }).isVisible()).toBe(true);
  await close();
});

it('a day that lacks its month, and a number that is none, are said at their fields, and empty no value', async () => {
  await definitionsOf(server).define(
    { key: 'approved', label: 'Approved', kind: 'DATE' },
    { key: 'credits', label: 'Credits', kind: 'WHOLE_NUMBER' },
  );
  await server.database.query(`
    INSERT INTO programs (name, duration, attributes, created_at, updated_at)
      VALUES ('Botany', '3 Years', '{"approved": "2031-05-06", "credits": "60"}', now(), now())`);
  const stored = { approved: '2031-05-06', credits: '60' };
  const { page, close } = await openConsole(
    browser,
    server.url,
    '/programs?columns=name,attributes.credits,attributes.approved',
  );
  const row = page.getByRole('row', { name: /Botany/ });

  await row.locator('td').nth(2).click();
  await page.keyboard.press('F2');
  await page.keyboard.type('60-90');
  await page.keyboard.press('Enter');
  await page
    .getByText(/whole number/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await row.locator('td').nth(3).click();
  await page.keyboard.press('F2');
  expect(await page.locator('td input.input').inputValue()).toBe('2031-05-06');
  await page.keyboard.press('Escape');
  expect(await attributesOf('Botany')).toEqual(stored);

  await row.getByRole('link', { name: 'Botany' }).click();
  await button(page, 'Edit program').click();
  await field(page, /^Credits/).hover();
  await field(page, /^Credits/).focus();
  await page.mouse.wheel(0, 300);
  await field(page, /^Approved/).focus();
  await page.keyboard.press('Backspace');
  await button(page, 'Save').click();
  expect(await field(page, /^Approved/).evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await button(page, 'Save').isVisible()).toBe(true);
  expect(await attributesOf('Botany')).toEqual(stored);
  await page.keyboard.type('07');
  await button(page, 'Save').click();
  await expect.poll(() => attributesOf('Botany')).toEqual({ approved: '2031-07-06', credits: '60' });
  await close();
});

it('two edit one definition: the second gets what the first has saved, keeps what it typed, and saves on top of it', async () => {
  await definitionsOf(server).define({ key: 'site', label: 'Site', kind: 'ADDRESS' });
  const { page, close } = await openConsole(browser, server.url, '/attributes');
  await page.getByRole('button', { name: 'Site', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit the attribute Site' });
  await dialog.getByLabel('Label').fill('Home page');
  await definitionsOf(server).define({ key: 'site', label: 'Web site', help: 'With https.' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Saving replaces what they have here by yours: Label: Web site.').waitFor();
  expect(await dialog.getByLabel('Help').inputValue()).toBe('With https.');
  // Nobody could have read it yet.
  await dialog.getByLabel('Label').press('Enter');
  const save = dialog.getByRole('button', { name: 'Save' }).and(page.locator('[aria-disabled=false]'));

  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('SaveDefinition') === true)
      await dialog.getByLabel('Help').fill('With https:// in front.');
    await route.continue();
  });
  await save.click();
  await page.getByText('Home page was saved.').waitFor();
  await page.unroute('**/graphql');
  await save.click();
  await dialog.waitFor({ state: 'detached' });
  expect((await definitionsOf(server).list()).find(({ key }: { key: string }) => key === 'site')).toMatchObject({
    label: 'Home page',
    help: 'With https:// in front.',
  });
  await close();
});
