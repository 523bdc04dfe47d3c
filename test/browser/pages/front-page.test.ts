import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../../support/factories.ts';
import { adminKey, useServer } from '../../support/server.ts';
import { expectUsable, keyField, pageForTest, screens, startBrowser } from '../browser.ts';
import { signInWithKey } from '../console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  const make = factoriesFor(server);
  await make.branch((await make.program()).id);
});
afterAll(() => browser.close());

describe.each(screens)('the front page on $name', (screen) => {
  it('shows the health state, and with a key the counts and live responses', async () => {
    const { page, problems } = await pageForTest(browser, server.url, screen);
    await page.getByText('ready', { exact: true }).waitFor();
    await expectUsable(page);

    await keyField(page).fill(adminKey);
    await page.getByText('accepted', { exact: true }).waitFor();
    await page.locator('[data-count=programs]', { hasText: '1' }).waitFor();
    await page.locator('[data-count=branches]', { hasText: '1' }).waitFor();
    for (const button of await page.getByRole('button', { name: 'Run it' }).all()) await button.click();
    for (const section of ['REST', 'GraphQL']) {
      const response = page.locator('section', { has: page.getByRole('heading', { name: section }) }).locator('.live');
      await response.getByText('Physics').first().waitFor();
    }
    await expectUsable(page);

    expect(problems).toEqual([]);
  });
});

describe('the front page', () => {
  it('stores the key for the tab, and shares it with the reference', async () => {
    const { page } = await pageForTest(browser, server.url);
    await keyField(page).fill(adminKey);
    await page.getByText('accepted', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Docs', exact: true }).click();
    await page.waitForURL('**/docs');
    await page.getByText('accepted', { exact: true }).waitFor();

    expect(await keyField(page).inputValue()).toBe(adminKey);
    expect(await page.evaluate<number>('localStorage.length')).toBe(0);
    expect(await page.evaluate<string>('document.cookie')).toBe('');
  });

  it('shows the counts and runs GraphQL, but not REST, by the session of the console', async () => {
    const { page, problems } = await pageForTest(browser, server.url);
    await signInWithKey(page, adminKey);
    await page.reload();
    await page.locator('[data-count=programs]', { hasText: '1' }).waitFor();
    await page.getByRole('button', { name: 'Run it over GraphQL' }).click();
    await page.locator('.live').getByText('Physics').first().waitFor();
    await page.getByRole('button', { name: 'Run it over REST' }).click();
    await page.getByText('paste a key first').waitFor();

    expect(problems).toEqual([]);
  });
});
