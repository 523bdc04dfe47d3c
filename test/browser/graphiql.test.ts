import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';
import { keyField, openPage, screens, startBrowser } from './browser.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), startBrowser()]);
  const make = factoriesFor(server);
  await make.branch((await make.program()).id);
});
afterAll(() => Promise.all([server.close(), browser.close()]));

const execute = (page: Page) => page.getByRole('button', { name: /^Execute/ }).click();
const waitForResult = (page: Page, text: string) => page.getByLabel('Result Window').getByText(text).first().waitFor();

const persistedOperations = (page: Page) => page.evaluate<string>('JSON.stringify(localStorage)');

const tabState = (page: Page) => page.evaluate<string>("localStorage['graphiql:tabState']");

/** Types the key between the quotes in the headers editor. */
async function writeKey(page: Page): Promise<void> {
  await page.locator('section[aria-label=Headers] .monaco-editor:visible').getByText('""').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type(adminKey);
}

describe.each(screens)('GraphiQL on $name', (screen) => {
  it('runs a query with the key in the headers editor, and then loads the schema', async () => {
    const { page, problems, close } = await openPage(browser, `${server.url}/graphql`, screen);
    await execute(page);
    await waitForResult(page, 'Paste your API key');

    await writeKey(page);
    await execute(page);
    await waitForResult(page, '"Physics"');
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('CreateProgramInput').first().waitFor();

    expect(problems).toEqual([]);
    await close();
  });
});

describe('GraphiQL', () => {
  it('opens with the examples, and stores no key beyond the tab', async () => {
    const { page, close } = await openPage(browser, `${server.url}/graphql`, screens[0]);
    await page.getByRole('tab').first().waitFor();
    const tabs = await page.getByRole('tab').allInnerTexts();
    await writeKey(page);
    await execute(page);
    await waitForResult(page, '"Physics"');

    expect(await page.title()).toBe('GraphiQL · Academic Structure Service');
    expect(tabs).toEqual(['ListPrograms', 'Nested', 'CreateProgram', 'PageByCursor', 'CatalogChanged']);
    expect(await persistedOperations(page)).not.toContain(adminKey);
    await close();
  });

  it('runs each example unchanged with one click', async () => {
    const { page, problems, close } = await openPage(browser, server.url, screens[0]);
    await keyField(page).fill(adminKey);
    await page.getByRole('link', { name: 'Open GraphiQL' }).click();
    for (const [tab, shown] of [
      ['PageByCursor', '"endCursor"'],
      ['Nested', '"years"'],
      ['CreateProgram', '"BSC"'],
      ['ListPrograms', '"totalPages"'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      // GraphiQL parses the operation name asynchronously.
      await vi.waitFor(
        async () => {
          await execute(page);
          await page.getByLabel('Result Window').getByText(shown).first().waitFor({ timeout: 2_000 });
        },
        { timeout: 30_000 },
      );
    }

    expect(problems).toEqual([]);
    await close();
  });

  it('restores the tabs and the names of the headers after a reload', async () => {
    const { page, close } = await openPage(browser, `${server.url}/graphql`, screens[0]);
    await page.getByLabel('Operation Editor').getByText('totalPages').click();
    await page.keyboard.type('# edited');
    await vi.waitFor(async () => expect(await tabState(page)).toContain('# edited'), { timeout: 10_000 });
    await page.reload();
    await page.getByLabel('Operation Editor').getByText('# edited').waitFor();

    expect(await page.getByRole('tab').count()).toBe(5);
    await page.locator('section[aria-label=Headers] .monaco-editor:visible').getByText('"x-api-key"').waitFor();
    await close();
  });

  it('shows changes as they happen', async () => {
    const { page, problems, close } = await openPage(browser, `${server.url}/graphql`, screens[0]);
    await page.getByRole('tab', { name: 'CatalogChanged' }).click();
    await writeKey(page);
    const followed = page.waitForResponse((response) => response.url().includes('catalogChanged'));
    await execute(page);
    await followed;
    await factoriesFor(server).program({ name: 'Chemistry' });

    await waitForResult(page, '"Chemistry"');
    expect(problems).toEqual([]);
    await close();
  });

  it('uses the key that was pasted on the front page', async () => {
    const { page, problems, close } = await openPage(browser, server.url, screens[0]);
    await keyField(page).fill(adminKey);
    await page.getByRole('link', { name: 'Open GraphiQL' }).click();
    await execute(page);

    await waitForResult(page, '"Physics"');
    expect(problems).toEqual([]);
    await close();
  });
});
