import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { startBrowser } from './browser.ts';
import { button, openConsole, pasteText } from './console.ts';

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

it('an administrator defines an attribute, finds the records with other values, and mends them in forms and cells', async () => {
  const { page, close } = await openConsole(browser, server.url, '/access');
  await button(page, 'Define an attribute').click();
  const dialog = page.getByRole('dialog', { name: 'Define an attribute' });
  await dialog.getByLabel('Key').fill('level');
  await dialog.getByLabel('Label', { exact: false }).first().fill('Level');
  await dialog.getByLabel('Value 1').focus();
  await pasteText(page, 'B\tBachelor\nM\tMaster');
  await dialog.getByText('Branches have it').click();
  await button(page, 'Save').click();
  await page.getByRole('link', { name: '1 program has another value' }).click();
  await page.getByRole('grid', { name: 'Programs' }).getByRole('link', { name: 'Physics' }).click();

  await button(page, 'Edit program').click();
  const level = page.getByRole('combobox', { name: 'Level' });
  expect(await level.locator('option').allTextContents()).toEqual([
    'No value',
    'BSc (no longer offered)',
    'Bachelor',
    'Master',
  ]);
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
  const { page, close } = await openConsole(browser, server.url, '/access');
  await button(page, 'Define an attribute').click();
  const dialog = page.getByRole('dialog', { name: 'Define an attribute' });
  await dialog.getByLabel('Key').fill('site');
  await dialog.getByLabel('Kind').selectOption({ label: 'Web address' });
  await button(page, 'Save').click();
  await dialog.waitFor({ state: 'hidden' });
  const labels = page.getByRole('region', { name: 'Attributes' }).locator('tbody strong');
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
