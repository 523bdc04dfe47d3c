import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../../support/factories.ts';
import { useServer } from '../../support/server.ts';
import { startBrowser } from '../browser.ts';
import { button, choice, field, openConsole, programLinks } from '../console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Creates programs with these names. */
async function makePrograms(names: readonly string[], duration = '4 Years'): Promise<void> {
  for (let from = 0; from < names.length; from += 100) {
    const items = names.slice(from, from + 100).map((name) => ({ name, duration }));
    await server.graphql('mutation ($items: [CreateProgramInput!]!) { createPrograms(items: $items) { id } }', {
      items,
    });
  }
}

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${String(index + 1).padStart(3, '0')}`);

const countOf = async (filter: object): Promise<number> => {
  const query = 'query ($filter: ProgramFilter) { programsConnection(filter: $filter) { totalCount } }';
  const { body } = await server.graphql(query, { filter });
  return body.data.programsConnection.totalCount;
};

const tick = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const selected = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Selection' }).getByText(text).waitFor();

/** Those of an address, in no order. */
const parametersOf = (address: string) => Object.fromEntries(new URL(address).searchParams);

/** The rows that are wholly in the window. */
const visibleRows = (page: Page) =>
  page.evaluate<number>(`Array.from(document.querySelectorAll('tbody.rows tr')).filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }).length`);

describe('a list', () => {
  it('shows many records: 18 programs and 20 branches, one line of 36 pixels each, under a head that stays', async () => {
    const make = factoriesFor(server);
    await makePrograms(numbered('Dense list', 60));
    const { id } = await make.program({ name: 'Dense program' });
    for (const name of numbered('Dense branch', 30)) await make.branch(id, { name, description: 'Long. '.repeat(60) });
    const screen = { width: 1440, height: 900, colorScheme: 'light' } as const;
    const { page, close } = await openConsole(browser, server.url, '/programs?q=dense+list', { screen });
    await programLinks(page).first().waitFor();
    expect(await visibleRows(page)).toBeGreaterThanOrEqual(18);

    await page.mouse.move(700, 500);
    await page.mouse.wheel(0, 900);
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(900);
    for (const part of ['columnheader', 'searchbox'] as const) {
      const { y = -1 } = (await page.getByRole(part).first().boundingBox()) ?? {};
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThan(120);
    }
    await page.goto(`${server.url}/console/branches?q=dense`);
    await page.getByRole('link', { name: 'Dense branch 001' }).waitFor();
    expect(await visibleRows(page)).toBeGreaterThanOrEqual(20);
    const heights = await page.locator('tbody.rows tr').evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(new Set(heights)).toEqual(new Set([35]));
    await close();
  });

  it('has the number of branches in a column, and sorts by a column one way, the other way, and as usual', async () => {
    const make = factoriesFor(server);
    const { id } = await make.program({ name: 'Sorted list A' });
    await make.program({ name: 'Sorted list B' });
    for (const name of ['One', 'Two']) await make.branch(id, { name });
    const { page, close } = await openConsole(browser, server.url, '/programs?q=sorted+list');
    await page.getByRole('row', { name: /Sorted list A.* 2 / }).waitFor();
    await make.branch(id, { name: 'Three' });
    await page.getByRole('row', { name: /Sorted list A.* 3 / }).waitFor();

    const name = page.getByRole('columnheader', { name: 'Name' });
    const orders = ['ascending', 'descending', 'none'];
    for (const order of orders) {
      await button(page, /^Name/).click();
      await expect.poll(() => name.getAttribute('aria-sort')).toBe(order);
    }
    expect(page.url()).not.toContain('sort=');
    await close();
  });

  it('is narrowed by chips: a filter is added, changed and removed, all in the address', async () => {
    await makePrograms(['Chips A', 'Chips B'], '8 Years');
    await makePrograms(['Chips C'], '9 Years');
    const { page, close } = await openConsole(browser, server.url, '/programs?q=chips');
    await page.getByText('3 programs', { exact: true }).waitFor();
    await button(page, '+ Filter').click();
    await choice(page, 'Duration').click();
    await choice(page, '8 Years (2)').click();
    await page.getByText('2 programs', { exact: true }).waitFor();
    expect(page.url()).toContain('duration=');

    await button(page, 'Duration is 8 Years').click();
    await page.getByRole('combobox', { name: 'Duration' }).selectOption('is not');
    await page.getByText('1 program', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('2 programs', { exact: true }).waitFor();
    await button(page, 'Remove the filter Duration').click();
    await page.getByText('3 programs', { exact: true }).waitFor();
    await close();
  });

  it('says when it shows similar records, and marks what matched', async () => {
    const make = factoriesFor(server);
    const { id } = await make.program({ name: 'Hospitality' });
    await make.branch(id, { name: 'Hotel management' });
    const { page, close } = await openConsole(browser, server.url, '/branches?q=hotel+man');
    await page.getByRole('link', { name: 'Hotel management' }).waitFor();
    expect(await page.locator('mark').allTextContents()).toEqual(['Hotel', 'man']);
    await page.getByLabel('Search', { exact: true }).fill('hotel mangement');
    await page.getByText(/These are similar/).waitFor();
    await page.getByRole('link', { name: 'Hotel management' }).waitFor();

    await page.goto(`${server.url}/console/programs?q=hotel&inBranches=true`);
    await page.getByRole('row', { name: /Hospitality Branch: Hotel management/ }).waitFor();
    await close();
  });

  it('has a record back that left its search and matches again, by an undo or by somebody else', async () => {
    const make = factoriesFor(server);
    await make.program({ name: 'Left one', code: 'HM-01' });
    await make.program({ name: 'Left two', code: 'HM-02' });
    const other = await make.program({ name: 'Left zero' });
    const { page, close } = await openConsole(browser, server.url, '/programs?q=HM-&sort=NAME_ASC');
    const shows = async (names: readonly string[]) => {
      await page.getByText(names.length === 1 ? '1 program' : `${names.length} programs`, { exact: true }).waitFor();
      await expect.poll(() => programLinks(page).allTextContents()).toEqual(names);
    };
    await shows(['Left one', 'Left two']);
    await page.getByText('HM-02', { exact: true }).dblclick();
    await page.keyboard.type('HX-02');
    await page.keyboard.press('Enter');
    await shows(['Left one']);
    await page.keyboard.press('Control+z');
    await shows(['Left one', 'Left two']);
    await server.graphql(`mutation { updateProgram(id: ${other.id}, input: { code: "HM-03" }) { id } }`);
    await shows(['Left one', 'Left two', 'Left zero']);
    await close();
  });

  it('keeps a view under its name, with filter, order and columns, which its address opens elsewhere', async () => {
    await makePrograms(['Views B', 'Views A'], '6 Years');
    const { page, close } = await openConsole(browser, server.url, '/programs?q=views&duration=6+Years&sort=NAME_DESC');
    await page.getByText('2 programs', { exact: true }).waitFor();
    await button(page, 'Columns').click();
    await page.getByText('Created', { exact: true }).click();
    await button(page, 'Move Created to the left').click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Created' }).waitFor();
    await button(page, 'Views').click();
    await field(page, 'Name of this view').fill('Six years');
    await page.getByText('For all', { exact: true }).click();
    await button(page, 'Save').click();
    await page.getByText('was saved').waitFor();
    await page.keyboard.press('Escape');
    const address = page.url();
    await button(page, 'Clear all').click();
    await page.waitForURL((url) => !url.search.includes('duration='));
    await page.reload();
    await button(page, 'Views').click();
    await button(page, 'Six years for all').click();
    await page.getByText('2 programs', { exact: true }).waitFor();
    expect(parametersOf(page.url())).toEqual(parametersOf(address));
    await button(page, 'Views').click();
    await field(page, 'Name of this view').fill('Six years');
    await button(page, 'Save').click();
    await page.getByText('was saved').waitFor();
    const { body } = await server.graphql('{ savedViews(list: PROGRAMS) { name isShared } }');
    expect(body.data.savedViews).toContainEqual({ name: 'Six years', isShared: true });
    await close();

    const other = await openConsole(browser, server.url, address.slice(`${server.url}/console`.length));
    await other.page.getByText('2 programs', { exact: true }).waitFor();
    expect(await programLinks(other.page).allTextContents()).toEqual(['Views B', 'Views A']);
    const heads = await other.page.getByRole('columnheader').allTextContents();
    expect(heads).toEqual(['', 'Name ↓', 'Code', 'Duration', 'Branches', 'Created', 'Changed']);
    await other.close();
  });

  it('keeps the columns of this device in a view and in its link, which leave those of others as they are', async () => {
    await makePrograms(['Carried']);
    const path = '/programs?q=carried';
    const { page, context, close } = await openConsole(browser, server.url, path);
    const heads = (on: Page) => on.getByRole('columnheader').allTextContents();
    await programLinks(page).first().waitFor();
    await button(page, 'Columns').click();
    await page.getByText('Created', { exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Created' }).waitFor();
    const chosen = await heads(page);
    await page.goto(`${server.url}/console${path}`);
    await programLinks(page).first().waitFor();
    expect(await heads(page)).toEqual(chosen);
    await button(page, 'Views').click();
    await field(page, 'Name of this view').fill('Carried');
    await button(page, 'Save').click();
    await page.getByText('was saved').waitFor();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(page, 'Copy the link to this view').click();
    await button(page, 'Copied').waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');

    const other = await openConsole(browser, server.url, path);
    await programLinks(other.page).first().waitFor();
    const usual = await heads(other.page);
    expect(usual).not.toEqual(chosen);
    await button(other.page, 'Views').click();
    await button(other.page, 'Carried').click();
    await expect.poll(() => heads(other.page)).toEqual(chosen);
    await other.page.goto(`${server.url}/console${path}`);
    await expect.poll(() => heads(other.page)).toEqual(usual);
    await other.page.goto(link);
    await expect.poll(() => heads(other.page)).toEqual(chosen);
    await other.close();
    await close();
  });

  it('has a column as wide as the user drags it, in its address too', async () => {
    await makePrograms(['Wide columns']);
    const { page, close } = await openConsole(browser, server.url, '/programs?q=wide+columns');
    const code = page.getByRole('columnheader', { name: 'Code' });
    const { x, y, width } = (await code.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await page.mouse.move(x + width - 3, y + 5);
    await page.mouse.down();
    await page.mouse.move(x + 200, y + 5);
    await page.mouse.move(x + 247, y + 5);
    await page.mouse.up();
    await page.waitForURL((url) => url.searchParams.get('columns')?.includes('code:250') === true);
    expect((await code.boundingBox())?.width).toBe(250);
    await page.reload();
    await expect.poll(async () => (await code.boundingBox())?.width).toBe(250);

    const edge = page.getByRole('separator', { name: 'Width of Code' });
    await edge.focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
    await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe('266');
    await page.waitForURL((url) => url.searchParams.get('columns')?.includes('code:266') === true);
    await close();
  });

  it('shows a record beside itself on a wide screen, which J and K go through, until Escape; a narrow one leads to the page', async () => {
    await makePrograms(numbered('Beside', 3));
    const { page, problems, close } = await openConsole(browser, server.url, '/programs?q=beside');
    await page.getByText('3 programs', { exact: true }).waitFor();
    const panel = page.getByRole('region', { name: 'The program beside the list' });
    const shows = (name: string) => panel.getByRole('heading', { name, exact: true, level: 2 }).waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Beside 001');
    expect(await panel.count()).toBe(0);
    for (const [key, name] of [
      ['j', 'Beside 001'],
      ['j', 'Beside 002'],
      ['ArrowDown', 'Beside 003'],
      ['k', 'Beside 002'],
    ] as const) {
      await page.keyboard.press(key);
      await shows(name);
      expect(await focused()).toBe(name);
    }

    await page.reload();
    await shows('Beside 002');
    await page
      .getByRole('row', { name: /Beside 003/ })
      .getByText('4 Years')
      .click();
    await shows('Beside 003');
    await panel.getByRole('button', { name: 'Edit program' }).focus();
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('Beside 003');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Beside 003');
    await page.keyboard.press('j');
    await shows('Beside 003');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Beside 003', level: 1 }).waitFor();
    await page.goBack();
    await shows('Beside 003');

    await page.setViewportSize({ width: 1279, height: 800 });
    await page.getByRole('heading', { name: 'Beside 003', level: 1 }).waitFor();
    await page.goto(`${server.url}/console/programs?q=beside`);
    await page.getByText('3 programs', { exact: true }).waitFor();
    for (const key of ['ArrowDown', 'j', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: 'Beside 001', level: 1 }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it('says on paper how many of its rows are missing there', async () => {
    await makePrograms(numbered('On paper', 101));
    const { page, close } = await openConsole(browser, server.url, '/programs?q=paper');
    await page.getByText('101 programs', { exact: true }).waitFor();
    // By the menu of the browser, which loads nothing.
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    await page.emulateMedia({ media: 'print' });
    await page.getByText('Only the first 100 of 101 are printed. There are more.').waitFor();
    expect(await page.getByText(/^“paper” · 101 programs · printed \d/).isVisible()).toBe(true);
    await close();
  });

  it('prints as a document: without navigation, under its filter, with all its rows', async () => {
    await makePrograms(numbered('Printed', 120), '5 Years');
    const { page, close } = await openConsole(browser, server.url, '/programs?q=printed&duration=5+Years');
    await page.getByText('120 programs', { exact: true }).waitFor();
    await page.evaluate('window.print = () => dispatchEvent(new Event("beforeprint"))');
    await button(page, 'Print').click();
    await expect.poll(() => programLinks(page).count()).toBe(120);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    expect(await button(page, '+ Filter').isVisible()).toBe(false);
    expect(await page.getByRole('searchbox').isVisible()).toBe(false);
    expect(await page.getByText('“printed”, Duration is 5 Years').isVisible()).toBe(true);
    const display = await page.locator('thead').evaluate((head) => getComputedStyle(head).display);
    expect(display).toBe('table-header-group');
    const pdf = (await page.pdf()).toString('latin1');
    expect(new Set(pdf.match(/\/console\/programs\/\d+/g)).size).toBe(120);
    await close();
  });
});

describe('many records', () => {
  it('get the duration that one of them should have had, and it is undone, but for what somebody has changed since', async () => {
    await makePrograms(numbered('Mistyped', 139), '4 Yeras');
    await makePrograms(['Mistyped correctly'], '4 Years');
    const { page, problems, close } = await openConsole(browser, server.url, '/programs?q=mistyped');
    await page.getByText('140 programs', { exact: true }).waitFor();
    await programLinks(page).first().waitFor();
    await page.keyboard.press('Control+a');
    await selected(page, '100 programs selected');
    await button(page, 'Select all 140 that match').click();
    await selected(page, '140 programs selected');
    await button(page, 'Change a field').click();
    await field(page, 'New duration').fill('4 Years');
    await button(page, 'Check').click();
    await page.getByText('139 programs will change, 1 is the same.').waitFor();
    expect(await countOf({ duration: '4 Yeras' })).toBe(139);
    await button(page, 'Change 139 programs').click();
    await page.getByText('139 programs were changed.').waitFor();
    expect(await countOf({ duration: '4 Yeras' })).toBe(0);

    const find = 'query { programsConnection(filter: { search: "mistyped 007" }) { nodes { id } } }';
    const { body } = await server.graphql(find);
    const { id } = body.data.programsConnection.nodes[0];
    await server.graphql('mutation ($id: Int!) { updateProgram(id: $id, input: { duration: "7 Years" }) { id } }', {
      id,
    });
    await button(page, 'Undo').click();
    await button(page, 'Undo it').click();
    await page.getByText('138 records are as before. 1 stays as it is:').waitFor();
    await page.getByRole('alertdialog').getByRole('link', { name: 'Mistyped 007' }).click();
    await page.getByRole('heading', { name: 'Mistyped 007', level: 1 }).waitFor();
    expect(await countOf({ duration: '4 Yeras' })).toBe(138);
    expect(problems).toEqual([]);
    await close();
  });

  it('are selected in a range, taken out again, and not after Escape', async () => {
    await makePrograms(numbered('Range', 20));
    const { page, close } = await openConsole(browser, server.url, '/programs?q=range');
    await page.getByText('20 programs', { exact: true }).waitFor();
    await tick(page, 'Range 003').click();
    await tick(page, 'Range 009').click({ modifiers: ['Shift'] });
    await selected(page, '7 programs selected');
    await tick(page, 'Range 005').click();
    await selected(page, '6 programs selected');
    expect(await page.evaluate<string>('String(getSelection())')).toBe('');
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' });
    await close();
  });

  it('are deleted, and restored in the trash, by keyboard alone', async () => {
    await makePrograms(numbered('Unwanted', 3));
    const { page, close } = await openConsole(browser, server.url, '/programs?q=unwanted');
    await page.getByText('3 programs', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Unwanted 001');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await selected(page, '3 programs selected');
    for (const key of ['F6', 'Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await page.getByText('3 programs will be deleted.').waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Delete 3 programs');
    await page.keyboard.press('Enter');
    await page.getByText('3 programs were deleted.').waitFor();
    await page.getByRole('heading', { name: 'No program matches' }).waitFor();
    expect(await countOf({ search: 'unwanted' })).toBe(0);

    await page.goto(`${server.url}/console/trash`);
    await page.getByRole('row', { name: /Unwanted 001/ }).waitFor();
    await page.getByRole('checkbox', { name: 'Select Unwanted 001' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('checkbox', { name: 'Select Unwanted 002' }).focus();
    await page.keyboard.press('Space');
    await selected(page, '2 programs selected');
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Restore' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 programs will come back.').waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Restore 2 programs');
    await page.keyboard.press('Enter');
    await page.getByText('2 programs were restored.').waitFor();
    expect(await countOf({ search: 'unwanted' })).toBe(2);
    await close();
  });

  it('move to another program, but for those that somebody has deleted, which are named', async () => {
    const make = factoriesFor(server);
    const from = await make.program({ name: 'Moving from' });
    const to = await make.program({ name: 'Moving to' });
    for (const name of numbered('Moving on', 8)) await make.program({ name });
    const ids: number[] = [];
    for (const name of numbered('Mover', 3)) ids.push((await make.branch(from.id, { name })).id);
    const { page, close } = await openConsole(browser, server.url, '/branches?q=mover');
    await page.getByText('3 branches', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
    await selected(page, '3 branches selected');
    await server.graphql('mutation ($id: Int!) { deleteBranch(id: $id) { id } }', { id: ids[0] });
    await button(page, 'Move').click();
    await page.getByRole('dialog').getByRole('searchbox').fill('moving');
    await page.getByText('More records match: type more of the name or code.').waitFor();
    await page.getByRole('dialog').getByRole('searchbox').fill('moving to');
    await page.getByText('More records match').waitFor({ state: 'detached' });
    await page.getByRole('option', { name: /Moving to/ }).click();
    await page.getByText('2 branches will move, 1 cannot.').waitFor();
    await page.getByRole('dialog').getByRole('link', { name: 'Mover 001' }).waitFor();
    // None is in its new program yet.
    const [, change] = await page.getByRole('region', { name: 'Old and new values' }).getByRole('row').allInnerTexts();
    expect(change?.replace(/\s+/g, ' ')).toMatch(/^Mover 002 program/);
    await button(page, 'Move 2 branches').click();
    await page.getByText('2 branches were moved.').waitFor();
    const query = 'query ($id: Int!) { program(id: $id) { branches { name } } }';
    const { body } = await server.graphql(query, { id: to.id });
    expect(body.data.program.branches).toEqual([{ name: 'Mover 002' }, { name: 'Mover 003' }]);
    await close();
  });
});
