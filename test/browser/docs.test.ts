import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';
import { expectUsable, keyField, openPage, screens, startBrowser } from './browser.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), startBrowser()]);
});
afterAll(() => Promise.all([server.close(), browser.close()]));

describe.each(screens)('the reference on $name', (screen) => {
  it('sends requests with a pasted key and shows the live responses', async () => {
    const { page, problems, close } = await openPage(browser, `${server.url}/docs`, screen);
    await keyField(page).fill(adminKey);
    await page.getByText('accepted', { exact: true }).waitFor();

    const create = page.locator('#createProgram');
    await create.getByText('Try it').click();
    await create.getByRole('textbox', { name: 'Body' }).fill('{"name": "Bachelor of Arts", "duration": "3 Years"}');
    await create.getByRole('button', { name: 'Send' }).click();
    await create.locator('.live').getByText('201').first().waitFor();
    await create.locator('.live').getByText('"Bachelor of Arts"').waitFor();

    const list = page.locator('#listPrograms');
    await list.getByText('Try it').click();
    await list.getByLabel('size').fill('7');
    await list.getByRole('button', { name: 'Send' }).click();
    expect(await list.locator('.live pre').last().textContent()).toContain('"pageSize": 7');
    await expectUsable(page);

    expect(problems).toEqual([]);
    await close();
  });
});

describe('the reference', () => {
  it('shows all examples in the chosen language, also on the next visit', async () => {
    const { page, close } = await openPage(browser, `${server.url}/docs`, screens[0]);
    await page.locator('#ping').getByRole('button', { name: 'Python' }).click();
    await page.locator('#createBranch code[data-language=python]').waitFor();
    await page.reload();

    await page.locator('#createBranch code[data-language=python]').waitFor();
    await close();
  });

  it('shows the example response of each status', async () => {
    const { page, close } = await openPage(browser, `${server.url}/docs`, screens[0]);
    const operation = page.locator('#retrieveBranch');
    await operation.getByLabel('Response', { exact: true }).selectOption('404 unknown');

    await operation.getByText('"Branch 42 does not exist."').waitFor();
    await close();
  });

  it('highlights the current section in the table of contents', async () => {
    const { page, close } = await openPage(browser, `${server.url}/docs#createBranch`, screens[0]);

    await page.locator('.contents [aria-current]', { hasText: 'Create a branch' }).waitFor();
    await close();
  });

  it('collapses the table of contents on a phone, and after following a link', async () => {
    const { page, close } = await openPage(browser, `${server.url}/docs`, screens[2]);
    const link = page.locator('.contents').getByRole('link', { name: 'Ping' });
    await link.waitFor({ state: 'hidden' });
    await page.getByText('Contents', { exact: true }).click();
    await link.click();

    await link.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).hash).toBe('#ping');
    await close();
  });

  it('reports a missing key', async () => {
    const { page, close } = await openPage(browser, `${server.url}/docs`, screens[0]);
    const ping = page.locator('#ping');
    await ping.getByText('Try it').click();
    await ping.getByRole('button', { name: 'Send' }).click();

    await ping.getByText('Paste your API key at the top first').waitFor();
    await ping.locator('.live').getByText('"API key is missing."').waitFor();
    await close();
  });
});
