import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { factoriesFor } from '../../support/factories.ts';
import { adminKey, useServer } from '../../support/server.ts';
import { expectApart, expectNothingCovered, keyField, pageForTest, screens, startBrowser } from '../browser.ts';
import { openConsole } from '../console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  const make = factoriesFor(server);
  await make.branch((await make.program()).id);
});
afterAll(() => browser.close());

const execute = (page: Page) => page.getByRole('button', { name: /^Execute/ }).click();
const waitForResult = (page: Page, text: string) => page.getByLabel('Result Window').getByText(text).first().waitFor();
const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

const stored = (page: Page) => page.evaluate<string>('JSON.stringify(localStorage)');

const tabState = (page: Page) => page.evaluate<string>("localStorage['graphiql:tabState']");

const areas = [
  'header.site',
  '.graphiql-sidebar',
  '.graphiql-query-editor',
  '.graphiql-editor-tool',
  '.graphiql-response',
];

/** GraphiQL parses the name of an operation after a delay. */
async function runUntil(page: Page, shown: string): Promise<void> {
  const run = async () => {
    await execute(page);
    await page.getByLabel('Result Window').getByText(shown).first().waitFor({ timeout: 2_000 });
  };
  await vi.waitFor(run, { timeout: 30_000 });
}

it('needs no key in GraphiQL in a browser that is signed in to the console', async () => {
  const { page, close } = await openConsole(browser, server.url);
  await page.goto(`${server.url}/graphql`);
  await page.getByText('Not needed: you are signed in.').waitFor();
  await runUntil(page, '"Physics"');
  const families = await page.evaluate<string[]>(
    "[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)",
  );
  expect(families.join()).toContain('Figtree');
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await page.getByText('CreateProgramInput').first().waitFor();
  await close();
});

it('follows the colours of the system while it is open', async () => {
  const { page, close } = await openConsole(browser, server.url);
  await page.goto(`${server.url}/graphql`);
  const colour = () =>
    page
      .locator('.graphiql-query-editor .mtk1, .graphiql-query-editor .view-line span span')
      .first()
      .evaluate((text) => getComputedStyle(text).color);
  // Plain text, until the editor knows the language.
  await expect.poll(colour).not.toBe('rgb(0, 0, 0)');
  const light = await colour();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(colour).not.toBe(light);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(colour).toBe(light);
  await close();
});

describe.each(screens)('GraphiQL on $name', (screen) => {
  it('asks for a key, loads the schema once there is one, and runs queries with it', async () => {
    const { page, problems } = await pageForTest(browser, `${server.url}/graphql`, screen);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('Fetching the schema needs a key.', { exact: true }).waitFor();
    expect(await page.getByText('Error fetching schema').count()).toBe(0);
    await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
    await execute(page);
    await waitForResult(page, 'Paste your API key');

    await keyField(page).fill(adminKey);
    await page.getByText('accepted', { exact: true }).waitFor();
    await runUntil(page, '"Physics"');
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('CreateProgramInput').first().waitFor();

    expect(problems).toEqual([]);
  });

  it('has nothing on top of another, with the documentation and the history too', async () => {
    const { page } = await pageForTest(browser, `${server.url}/graphql`, screen);
    await keyField(page).fill(adminKey);
    await page.getByText('accepted', { exact: true }).waitFor();
    await runUntil(page, '"Physics"');
    await expectNothingCovered(page);
    await expectApart(page, areas);

    for (const panel of ['Documentation Explorer', 'History']) {
      await page.getByRole('button', { name: `Show ${panel}` }).click();
      await expectNothingCovered(page);
      // On a telephone, the panel takes the place of the editors.
      const editors = screen.width < 768 ? [] : areas.slice(2);
      await expectApart(page, ['header.site', '.graphiql-sidebar', '.graphiql-plugin', ...editors]);
    }
  });
});

describe('GraphiQL', () => {
  it('takes the key once, masked, for all tabs, and forgets it with the window', async () => {
    const { page, problems } = await pageForTest(browser, `${server.url}/graphql`);
    await keyField(page).fill(adminKey);
    expect(await keyField(page).getAttribute('type')).toBe('password');
    await page.getByText('accepted', { exact: true }).waitFor();
    for (const [tab, shown] of [
      ['PageByCursor', '"endCursor"'],
      ['Nested', '"years"'],
      ['CreateProgram', '"BSC"'],
      ['ListPrograms', '"totalPages"'],
    ] as const) {
      await openTab(page, tab);
      await runUntil(page, shown);
    }

    expect(await page.locator('#graphiql').textContent()).not.toContain(adminKey);
    expect(await stored(page)).not.toContain(adminKey);
    expect(problems).toEqual([]);
  });

  it('keeps a history of requests, without their headers', async () => {
    const { page, problems } = await pageForTest(browser, `${server.url}/graphql`);
    await page.getByRole('button', { name: 'Headers', exact: true }).click();
    await page.locator('section[aria-label=Headers] .monaco-editor:visible').click();
    await page.keyboard.insertText(`{"authorization": "Bearer ${adminKey}"}`);
    await runUntil(page, '"Physics"');
    await vi.waitFor(async () => expect(await stored(page)).toContain('graphiql:queries'));
    expect(await stored(page)).not.toContain(adminKey);
    await page.reload();
    await page.getByRole('button', { name: 'Show History' }).click();

    await page.getByRole('region', { name: 'History' }).getByText('ListPrograms').waitFor();
    expect(problems).toEqual([]);
  });

  it('restores the tabs and the key after a reload', async () => {
    const { page } = await pageForTest(browser, `${server.url}/graphql`);
    await keyField(page).fill(adminKey);
    await page.getByLabel('Operation Editor').getByText('totalPages').click();
    await page.keyboard.type('# edited');
    await vi.waitFor(async () => expect(await tabState(page)).toContain('# edited'), { timeout: 10_000 });
    await page.reload();
    await page.getByLabel('Operation Editor').getByText('# edited').waitFor();

    expect(await page.getByRole('tab').count()).toBe(5);
    await page.getByText('accepted', { exact: true }).waitFor();
  });

  it('shows changes as they happen', async () => {
    const { page, problems } = await pageForTest(browser, `${server.url}/graphql`);
    await keyField(page).fill(adminKey);
    await page.getByText('accepted', { exact: true }).waitFor();
    await openTab(page, 'CatalogChanged');
    // GraphiQL parses the name of an operation after a delay.
    const follow = () =>
      Promise.all([
        page.waitForResponse((response) => response.url().includes('catalogChanged'), { timeout: 4_000 }),
        execute(page),
      ]);
    await vi.waitFor(follow, { timeout: 30_000 });
    await factoriesFor(server).program({ name: 'Chemistry' });

    await waitForResult(page, '"Chemistry"');
    expect(problems).toEqual([]);
  });
});
