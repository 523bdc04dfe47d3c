import type { Browser, CDPSession, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { startBrowser } from '../browser.ts';
import { button, openConsole, started } from '../console.ts';
import { cell, editor, openCell } from '../lists/programs.ts';

const server = useServer();
let browser: Browser;
const made = { program: 0, branch: 0 };
beforeAll(async () => {
  browser = await startBrowser();
  made.program = (await server.make.program({ name: 'Composition', code: 'C', duration: '4 Years' })).id;
  made.branch = (await server.make.branch(made.program, { name: 'Kana' })).id;
  for (const [type, id] of [
    ['Program', made.program],
    ['Branch', made.branch],
  ])
    await server.graphql(
      `mutation { update${type}(id: ${id}, input: { attributes: [{ key: "level", value: "B" }] }) { id } }`,
    );
});
afterAll(() => browser.close());

/** Sends a key as the browser does while an input method has it. */
const pressWhileComposing = (page: Page, key: string) =>
  page.evaluate(
    `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: ${JSON.stringify(key)}, keyCode: 229, isComposing: true, bubbles: true, cancelable: true }))`,
  );

/** Composes a word in the field that has the focus: its Enter, Escape, Tab and arrows are the input method’s, and the word is there. */
async function compose(page: Page, session: CDPSession, input: Locator): Promise<void> {
  const at = page.url();
  await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  for (const key of ['Enter', 'Escape', 'Tab', 'ArrowDown', 'Process']) await pressWhileComposing(page, key);
  await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
  expect(await input.inputValue()).toContain('にほ');
  await session.send('Input.insertText', { text: '日本' });
  await expect.poll(() => input.inputValue()).toContain('日本');
  expect(await input.inputValue()).not.toContain('に');
  expect([await input.and(page.locator(':focus')).count(), page.url().split('?')[0]]).toEqual([1, at.split('?')[0]]);
}

/** A screen, what to press, and its fields. */
const places: readonly (readonly [path: string, press: readonly string[], fields: readonly string[]])[] = [
  ['/programs/PROGRAM', ['Edit program'], ['Name', 'Duration', 'Code', 'level', 'Another attribute']],
  ['/branches/BRANCH', ['Edit branch'], ['Name', 'Code', 'Description', 'Code prefix', 'level']],
  ['/programs/new', [], ['Name', 'Duration', 'Code']],
  ['/programs/PROGRAM', ['Add a note'], ['Note']],
  ['/programs?q=Compo', [], ['Search']],
  ['/programs?q=Compo', ['Views'], ['Name of this view']],
  ['/programs?q=Compo', ['Columns'], ['Another attribute']],
  ['/programs?q=Compo', ['SELECT', 'Change a field'], ['New duration']],
  ['/programs?q=Compo', ['SELECT', 'Find and replace'], ['Find', 'Replace with']],
  ['/access', ['Add user'], ['Name']],
  ['/access', ['Issue key'], ['Purpose']],
  ['/editions', ['Freeze an edition'], ['Name']],
];

it.each(places)('what an input method composes is its own until it is done: %s %s', async (path, press, fields) => {
  const { page, context, close } = await openConsole(
    browser,
    server.url,
    path.replace('PROGRAM', String(made.program)).replace('BRANCH', String(made.branch)),
  );
  await started(page);
  const session = await context.newCDPSession(page);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(...(/mutation \w+/.exec(request.postData() ?? '') ?? [])));
  for (const name of press) {
    if (name === 'SELECT') await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
    else await button(page, name).click();
  }
  const scope = (await page.getByRole('dialog').count()) > 0 ? page.getByRole('dialog') : page.getByRole('main');
  for (const label of fields) {
    const input = scope
      .getByLabel(new RegExp(`^${label}`))
      .and(page.locator('input:not([type=checkbox]), textarea'))
      .first();
    await input.focus();
    await compose(page, session, input);
  }
  expect(sent).toEqual([]);
  await close();
});

it('so it is in each cell, opened or with the focus alone, and in the command palette', async () => {
  const { page, context, close } = await openConsole(
    browser,
    server.url,
    '/programs?q=Compo&columns=name,code,duration,attributes.level',
  );
  await page.getByRole('link', { name: 'Composition' }).waitFor();
  const session = await context.newCDPSession(page);
  for (const column of [0, 1, 2, 3]) {
    for (const isOpened of column === 0 ? [true] : [false, true]) {
      if (isOpened) await openCell(page, cell(page, 0, column));
      else await cell(page, 0, column).click({ position: { x: 4, y: 4 } });
      await compose(page, session, editor(page));
      await page.keyboard.press('Escape');
    }
  }
  const { body } = await server.graphql(`{ program(id: ${made.program}) { name code duration version } }`);
  expect(body.data.program).toEqual({ name: 'Composition', code: 'C', duration: '4 Years', version: 2 });
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog').getByRole('searchbox');
  await search.waitFor();
  await compose(page, session, search);
  await close();
});
