import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { startBrowser } from './browser.ts';
import { button, choose, field, openConsole, started } from './console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

it('the catalog is frozen, and what has changed since is compared: old and new values, and who changed them', async () => {
  const physics = await server.make.program({ name: 'Physics', duration: '3 Years' });
  const arts = await server.make.program({ name: 'Arts', duration: '3 Years' });
  const optics = await server.make.branch(physics.id, { name: 'Optics', years: 2 });
  const { page, problems, close } = await openConsole(browser, server.url, '');
  await started(page);
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await page.getByRole('heading', { name: 'There is no edition yet' }).waitFor();
  await button(page, 'Freeze an edition').click();
  await field(page, /^Name/).fill('2026/27');
  await field(page, /^Note/).fill('As printed');
  await page.getByRole('form').getByRole('button', { name: 'Freeze an edition' }).click();
  await page.getByText('Edition 2026/27 was frozen.').waitFor();
  await server.graphql(`mutation {
    updateProgram(id: ${physics.id}, input: { name: "Applied Physics" }) { id }
    updateBranch(id: ${optics.id}, input: { programId: ${arts.id} }) { id }
    createProgram(input: { name: "Law", duration: "5 Years" }) { id }
  }`);

  await page.getByRole('link', { name: 'Compare with now' }).click();
  const table = page.getByRole('table', { name: 'Compare' });
  await expect.poll(() => table.getByRole('row').count()).toBe(4);
  const rowOf = (name: string) => table.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  expect(await rowOf('Applied Physics').textContent()).toMatch(/namePhysics → Applied Physics.*admin/);
  await expect.poll(() => rowOf('Optics').textContent()).toMatch(/programApplied Physics → Arts/);
  await button(page, /^1\s+moved$/).click();
  await expect.poll(() => table.getByRole('row').count()).toBe(2);
  expect(page.url()).toContain('only=moved');
  await page.reload();
  await rowOf('Optics').waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  await page.getByText(/^2026\/27 · Now · moved · printed \d/).waitFor();
  await page.evaluate('dispatchEvent(new Event("afterprint"))');
  await page.emulateMedia({ media: 'screen' });
  await rowOf('Optics').getByRole('link', { name: 'admin' }).click();
  const ofChange = page.getByRole('table', { name: 'Records' }).getByRole('row').last();
  await expect.poll(() => ofChange.textContent()).toMatch(/^Optics.*programApplied Physics → Arts/);
  await page.goBack();
  await button(page, /^1\s+moved$/).click();
  await page.getByRole('searchbox').fill('law');
  await rowOf('Law').getByText('new').click();
  expect(await rowOf('Law').textContent()).toMatch(/duration5 Years/);

  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Excel').click()]);
  expect(download.suggestedFilename()).toMatch(/\.xlsx$/);
  await choose(page, 'From', 'Now');
  await page.getByRole('heading', { name: 'Nothing differs' }).waitFor();
  await choose(page, 'From', 'A day …');
  await page.getByText(/The audit log begins only on/).waitFor();
  expect(problems).toEqual([]);
  await close();
});

it('the file of an edition has the bytes that its checksum proves, and a name that exists is said beside the field', async () => {
  const { page, context, close } = await openConsole(browser, server.url, '/editions');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(page, 'Copy').click();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toMatch(/^[0-9a-f]{64}$/);
  await page.getByRole('row', { name: /2026/ }).hover();
  await button(page, 'Actions for 2026/27').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Download the frozen file (JSON Lines), to verify the checksum of 2026/27').click(),
  ]);
  expect(download.suggestedFilename()).toBe('edition-2026_27.jsonl');

  await button(page, 'Freeze an edition').click();
  await field(page, /^Name/).fill('2026/27');
  await page.getByRole('form').getByRole('button', { name: 'Freeze an edition' }).click();
  await page.getByText('Edition 2026/27 exists already.').waitFor();
  await close();
});

it('a viewer compares, and freezes nothing', async () => {
  const { page, close } = await openConsole(browser, server.url, '', { key: await server.makeKey({ role: 'viewer' }) });
  await page.getByRole('link', { name: 'What has changed since 2026/27' }).click();
  await page.getByRole('table', { name: 'Compare' }).waitFor();
  await page.getByRole('link', { name: 'Editions' }).click();
  await page.getByRole('link', { name: 'Compare with now' }).waitFor();
  expect(await button(page, 'Freeze an edition').count()).toBe(0);
  await close();
});

it('a comparison is made once, whatever is changed while it is read', async () => {
  const { id } = await server.make.program({ name: 'Geology', duration: '3 Years' });
  const { page, close } = await openConsole(browser, server.url, '/editions');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));
  const requestsOf = (name: string) => sent.filter((body) => body.includes(`"operationName":"${name}"`)).length;
  await page.getByRole('link', { name: 'Compare with now' }).click();
  await page.getByRole('table', { name: 'Compare' }).waitFor();
  const listed = requestsOf('Editions');

  await server.graphql(`mutation { updateProgram(id: ${id}, input: { name: "Geology of Mars" }) { id } }`);
  await page.keyboard.press('Control+z');
  await page.getByText(/^Undone: /).waitFor();
  // What else is on the screen was read again.
  await expect.poll(() => requestsOf('Editions')).toBeGreaterThan(listed);
  expect(requestsOf('CompareCatalogs')).toBe(1);
  await button(page, 'Compare again').click();
  await expect.poll(() => requestsOf('CompareCatalogs')).toBe(2);
  await page.getByRole('table', { name: 'Compare' }).waitFor();
  await close();
});

it('a comparison that must wait for another says so, and is not made again when its page is opened again', async () => {
  const { page, close } = await openConsole(browser, server.url, '/editions');
  let sent = 0;
  await page.route('**/graphql', async (route) => {
    if (!(route.request().postData() ?? '').includes('query CompareCatalogs')) return route.fallback();
    sent += 1;
    const error = { message: 'One at a time.', extensions: { code: 'RATE_LIMITED' } };
    return sent === 1 ? route.fulfill({ json: { data: null, errors: [error] } }) : route.fallback();
  });
  const compare = page.getByRole('link', { name: 'Compare with now' });
  await compare.first().click();
  await page.getByText('Another comparison is being made').waitFor();
  const table = page.getByRole('table', { name: 'Compare' });
  await table.waitFor();
  await page.goBack();
  await compare.first().click();
  await table.waitFor();
  expect(sent).toBe(2);
  await close();
});

it('what is typed while an edition is frozen stays in its dialog', async () => {
  const { page, close } = await openConsole(browser, server.url, '/editions');
  await button(page, 'Freeze an edition').click();
  await field(page, /^Name/).fill('Late');
  await field(page, /^Note/).fill('As decided');
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('CreateEdition') === true)
      await field(page, /^Note/).fill('As decided by the senate');
    await route.continue();
  });
  await page.getByRole('form').getByRole('button', { name: 'Freeze an edition' }).click();
  await page.getByText('Edition Late was frozen.').waitFor();
  expect(await field(page, /^Note/).inputValue()).toBe('As decided by the senate');
  await close();
});

it('an edition whose answer was lost is frozen once, also after a reload', async () => {
  const { page, close } = await openConsole(browser, server.url, '/editions');
  await button(page, 'Freeze an edition').click();
  await field(page, /^Name/).fill('Lost');
  let isLost = false;
  await page.route('**/graphql', async (route) => {
    if (isLost || route.request().postData()?.includes('CreateEdition') !== true) return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  const freeze = page.getByRole('form').getByRole('button', { name: 'Freeze an edition' });
  await freeze.click();
  await page.getByText('The service cannot be reached: this may be done or not.').waitFor();
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  expect(await field(page, /^Name/).inputValue()).toBe('Lost');
  await freeze.click();
  await page.getByText('Edition Lost was frozen.').waitFor();
  await close();
});

it('the button Back of the browser asks before a dialog with something typed goes', async () => {
  const { page, close } = await openConsole(browser, server.url, '/programs');
  await page.getByRole('link', { name: 'Editions' }).click();
  await button(page, 'Freeze an edition').click();
  await field(page, /^Name/).fill('Half typed');
  await page.goBack();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await field(page, /^Name/).inputValue()).toBe('Half typed');
  await close();
});
