import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { useBrowser } from '../browser.ts';
import { button, field, openConsole, programLinks } from '../console.ts';

const server = useServer();
const browser = useBrowser();

/** Opens the list of two programs, and selects them. */
async function selectPair(name: string, duration: string) {
  for (const one of ['one', 'two']) await server.make.program({ name: `${name} ${one}`, duration });
  const opened = await openConsole(browser(), server.url, `/programs?q=${name}`);
  await programLinks(opened.page).nth(1).waitFor();
  await opened.page.keyboard.press('Control+a');
  return opened;
}

/** Types into a field while a request with a text is on its way. */
async function typeDuring(page: Page, request: string, label: RegExp, text: string): Promise<void> {
  let isTyped = false;
  await page.route(/graphql|import/, async (route) => {
    if (isTyped || !`${route.request().url()} ${route.request().postData()}`.includes(request)) return route.fallback();
    isTyped = true;
    const response = await route.fetch();
    await field(page, label).fill(text);
    await route.fulfill({ response });
  });
}

const valuesOf = async (column: 'name' | 'duration', name: string) =>
  (
    await server.database.query(`SELECT DISTINCT ${column} AS value FROM programs WHERE name LIKE $1`, [`${name}%`])
  ).map(({ value }) => value);

it('what is typed while a change of many is checked, or made, is not taken for checked, and stays', async () => {
  const { page, close } = await selectPair('Typed', '3 Years');
  await button(page, 'Change a field').click();
  await typeDuring(page, 'UpdatePrograms', /^New duration/, '4 Years');
  await field(page, /^New duration/).fill('5 Years');
  await button(page, 'Check').click();
  await expect.poll(() => field(page, /^New duration/).inputValue()).toBe('4 Years');
  await button(page, 'Check').click();
  await page.getByText('2 programs will change.').waitFor();

  await page.unrouteAll();
  await typeDuring(page, 'UpdatePrograms', /^New duration/, '6 Years');
  await button(page, 'Change 2 programs').click();
  await page.getByText('2 programs were changed.').waitFor();
  expect(await valuesOf('duration', 'Typed')).toEqual(['4 Years']);
  expect(await field(page, /^New duration/).inputValue()).toBe('6 Years');
  await close();
});

it('what is typed while find and replace reads is not taken for checked', async () => {
  const { page, close } = await selectPair('Replaced', '3 Years');
  await button(page, 'Find and replace').click();
  await typeDuring(page, 'query Programs', /^Replace with/, 'Swapped late');
  await field(page, /^Find/).fill('Replaced');
  await field(page, /^Replace with/).fill('Swapped');
  await button(page, 'Check').click();
  await expect.poll(() => field(page, /^Replace with/).inputValue()).toBe('Swapped late');
  await button(page, 'Check').click();
  await page.getByText('Swapped late one').first().waitFor();
  await button(page, 'Change 2 programs').click();
  await page.getByText('2 programs were changed').waitFor();
  expect(await valuesOf('name', 'Swapped late')).toHaveLength(2);
  await close();
});
