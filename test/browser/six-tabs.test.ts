import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { databaseAt, startReplicated } from '../database/outages/replication.ts';
import { settingsFor, startIdentityProvider } from '../support/credentials/identity-provider.ts';
import { freePort } from '../support/process.ts';
import { adminKey, startTestServer } from '../support/server.ts';
import { startBrowser } from './browser.ts';
import { button, field, signInWithKey } from './console.ts';

const screens = ['/programs', '/branches', '/programs/new', '/access', '/trash', ''];

/** As the browser does when another tab is chosen; here all pages are visible. */
const show = (page: Page, visibility: 'visible' | 'hidden') =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${visibility}' });
    document.dispatchEvent(new Event('visibilitychange'))`);

async function createProgram(page: Page, name: string): Promise<void> {
  await field(page, 'Name').fill(name);
  await field(page, 'Duration').fill('4 Years');
  await button(page, 'Create program').click();
  await page.getByRole('heading', { name }).waitFor();
}

it('six tabs stay signed in through a restart and the promotion of a standby, until an administrator ends it by a click', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const { primary, standby, close } = await startReplicated({ synchronous: true });
  onTestFinished(close);
  const provider = await startIdentityProvider(url);
  onTestFinished(() => provider.close());
  const database = databaseAt([primary, standby], '?target_session_attrs=read-write');
  const start = () => startTestServer(settingsFor(url, provider.issuer), database);
  let server = await start();
  onTestFinished(() => server.close());
  const browser = await startBrowser();
  onTestFinished(() => browser.close());

  const context = await browser.newContext();
  const tabs = await Promise.all(screens.map(() => context.newPage()));
  const [list, , form] = tabs;
  if (list === undefined || form === undefined) throw new Error('There are six tabs.');
  await list.goto(`${url}/console`);
  await list.getByRole('link', { name: 'Sign in with your university account' }).click();
  await field(list, 'Login').fill('ada');
  await button(list, 'Go on').click();
  const signedIn = (page: Page) => page.getByRole('region', { name: 'Signed in' }).getByText('Ada').waitFor();
  await signedIn(list);
  for (const [index, page] of tabs.entries()) {
    await page.goto(`${url}/console${screens[index]}`);
    await signedIn(page);
    if (page !== list && page !== form) await show(page, 'hidden');
  }
  await createProgram(form, 'Before');
  await list.getByRole('link', { name: 'Before' }).waitFor();

  await server.close();
  server = await start();
  await form.goto(`${url}/console/programs/new`);
  await createProgram(form, 'After a restart');
  await list.getByRole('link', { name: 'After a restart' }).waitFor();

  await primary.kill();
  await standby.promote();
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 30_000 }).toBe(200);
  await form.goto(`${url}/console/programs/new`);
  await createProgram(form, 'After a promotion');
  await list.getByRole('link', { name: 'After a promotion' }).waitFor();
  for (const page of tabs) {
    await show(page, 'visible');
    await signedIn(page);
    if (page !== list) await show(page, 'hidden');
  }

  const administrator = await (await browser.newContext()).newPage();
  await administrator.goto(`${url}/livez`);
  await signInWithKey(administrator, adminKey);
  await administrator.goto(`${url}/console/access`);
  await button(administrator, 'Actions for Ada').click();
  await button(administrator, 'End sessions of Ada').click();
  await button(administrator, 'End sessions').click();
  for (const page of tabs) {
    await show(page, 'visible');
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  }
});
