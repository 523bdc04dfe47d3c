import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../../support/factories.ts';
import { useServer } from '../../support/server.ts';
import { expectApart, screens, startBrowser } from '../browser.ts';
import { openConsole, started } from '../console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  const make = factoriesFor(server);
  for (let count = 0; count < 30; count += 1) await make.program({ name: `Physics ${count}` });
  for (let count = 0; count < 30; count += 1) await make.branch(1, { name: `Optics ${count}` });
  const remove = (field: string, ids: readonly number[]) =>
    server.graphql(`mutation ($ids: [Int!]!) { ${field}(ids: $ids, dryRun: false) { changed } }`, { ids });
  await remove('deletePrograms', [2, 3]);
  await remove('deleteBranches', [2, 3]);
});
afterAll(() => browser.close());

/** How an element looks, and where it stands from the lower edge of the window. */
const lookOf = `(() => {
  const bar = document.querySelector('.selection-bar');
  const { backgroundColor, borderColor, boxShadow, display, position, zIndex } = getComputedStyle(bar);
  const { bottom, left, right } = bar.getBoundingClientRect();
  const isSeen = bar.contains(document.elementFromPoint((left + right) / 2, bottom - 8));
  return { backgroundColor, borderColor, boxShadow, display, position, zIndex, below: innerHeight - bottom, isSeen };
})()`;

const places = [
  ['/programs', 'Programs'],
  ['/branches', 'Branches'],
  ['/programs/1', 'Branches'],
  ['/trash', 'Deleted programs'],
  ['/trash', 'Deleted branches'],
  ['/programs?beside=1', 'Programs'],
  ['/programs?beside=1', 'Branches'],
] as const;

describe.each([screens[0], screens[2]])('the bar of a selection, on $name', (screen) => {
  it('looks and stands the same wherever one selects, on pages opened directly too', async () => {
    const looks: [string, unknown][] = [];
    for (const [path, table] of places) {
      // A telephone shows no record beside a list.
      if (screen.width < 1280 && path.includes('beside')) continue;
      const { page, close } = await openConsole(browser, server.url, path, { screen });
      await started(page);
      const row = page.getByLabel(table, { exact: true }).getByRole('checkbox', { name: /^Select / });
      await row.nth(1).click();
      await page.getByRole('region', { name: 'Selection' }).waitFor();
      looks.push([`${path} ${table}`, await page.evaluate(lookOf)]);
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      looks.push([`${path} ${table}, at its end`, await page.evaluate(lookOf)]);
      await close();
    }
    const [[, first] = []] = looks;
    expect(first).toMatchObject({ isSeen: true, below: 12 });
    expect(looks).toEqual(looks.map(([name]) => [name, first]));
  });
});

it('the button that clears all filters is in sight on a telephone, also where its text is long', async () => {
  const screen = { ...screens[2], locale: 'de' };
  const { page, close } = await openConsole(browser, server.url, '/programs?q=Physics&duration=4+Years&code=A', {
    screen,
  });
  const { x, width } = (await page.getByRole('button', { name: 'Alle entfernen' }).boundingBox()) ?? {
    x: 0,
    width: 999,
  };
  expect(x + width).toBeLessThanOrEqual(screen.width);
  await page.getByRole('button', { name: 'Alle entfernen' }).click({ timeout: 5_000 });
  await close();
});

describe('messages', () => {
  it.each([screens[0], screens[2]])(
    'cover neither the bar of a selection nor the end of a page, on $name',
    async (screen) => {
      const { page, close } = await openConsole(browser, server.url, '/programs', { screen });
      await started(page);
      const rows = page.getByRole('checkbox', { name: /^Select Physics/ });
      await rows.first().click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('button', { name: 'Delete 1 program' }).click();
      await page.getByText('1 program was deleted.').waitFor();
      await rows.first().click();
      await page.getByRole('region', { name: 'Selection' }).waitFor();
      await expectApart(page, ['.selection-bar', '.toasts']);

      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      const [last, messages] = await page.evaluate<[number, number]>(
        `[document.querySelector('.rows tr:last-child').getBoundingClientRect().bottom, document.querySelector('.toasts').getBoundingClientRect().top]`,
      );
      expect(last).toBeLessThanOrEqual(messages);
      await close();
    },
  );
});

describe('style sheets', () => {
  it('are one file, so that a screen looks the same whichever were opened before', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs');
    await started(page);
    for (const name of ['Overview', 'Branches', 'Import and export', 'Access', 'Trash']) {
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1 }).first().waitFor();
    }
    expect(await page.evaluate('document.styleSheets.length')).toBe(1);
    await close();
  });
});

it('a telephone shows the columns that were chosen, with their names, and a bar of a selection within its width', async () => {
  const columns = 'name,duration,code,number';
  const { page, close } = await openConsole(browser, server.url, `/programs?columns=${columns}`, {
    screen: screens[2],
  });
  const row = page.locator('.rows .row').first();
  await row.getByRole('checkbox').click();
  const shown = row.locator('td:not(.pick)').filter({ visible: true });
  const names = await shown.evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content));
  expect(names).toEqual(['none', 'none', '"Code"', '"Number"']);
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.waitFor();
  const [width, end] = await page.evaluate<[number, number]>(
    `[document.body.clientWidth, document.querySelector('.selection-bar').getBoundingClientRect().right]`,
  );
  expect(end).toBeLessThan(width);
  await bar.getByRole('button', { name: 'Clear' }).click();
  await bar.waitFor({ state: 'detached' });
  await close();
});
