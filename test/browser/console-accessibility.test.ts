import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definitionsOf } from '../definitions/definitions.ts';
import { factoriesFor } from '../support/factories.ts';
import { useServer } from '../support/server.ts';
import { expectFits, expectUsableInBothColours, openPage, startBrowser } from './browser.ts';
import { button, choice, openConsole, openUserMenu, pasteText, started } from './console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  const make = factoriesFor(server);
  for (const name of ['Physics', 'Chemistry', 'Biology']) await make.branch((await make.program({ name })).id);
  const gone = await make.program({ name: 'Alchemy' });
  await server.graphql('mutation ($id: Int!) { deleteProgram(id: $id) { id } }', { id: gone.id });
  await server.graphql(`mutation {
    createEdition(name: "2026/27", note: "As printed") { id }
    addNote(input: { programId: 1, text: "Please check" }) { id }
    saveView(input: { list: PROGRAMS, name: "Short ones", search: "?duration=2+Years", isShared: true }) { id }
    updatePrograms(ids: [1, 2], input: { attributes: [{ key: "level", value: "Bachelor" }] }) { changed }
  }`);
  // The overview has a plot of the days from the third with changes on.
  await server.database.query(
    `INSERT INTO audit_entries (at, actor, action, subject, subject_id, after)
    SELECT now() - n * interval '1 day', 'ben', 'create', 'Program', 1, '{"name": "Physics", "duration": "4 Years"}' FROM generate_series(1, 3) n`,
  );
});
afterAll(() => browser.close());

interface Shown {
  readonly name: string;
  readonly path: string;
  /** What a person does to see it. */
  readonly act?: (page: Page) => Promise<void>;
  /** Waits for what is there when the screen is complete. */
  readonly complete: (page: Page) => Promise<void>;
}

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();

/** Presses buttons one after another. */
const press =
  (...names: (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names) await button(page, name).first().click();
  };

const shown: readonly Shown[] = [
  { name: 'the overview', path: '', complete: heading('Changes per day') },
  {
    name: 'the programs',
    path: '/programs',
    complete: (page) => page.getByRole('link', { name: 'Physics' }).waitFor(),
  },
  { name: 'a list without a match', path: '/programs?q=zzz', complete: heading('No program matches') },
  { name: 'a program', path: '/programs/1', complete: heading('History') },
  { name: 'a program beside the list', path: '/programs?beside=1', complete: heading('History') },
  {
    name: 'the form of a program',
    path: '/programs/1',
    act: press('Edit program'),
    complete: (page) => page.getByRole('form', { name: 'Edit program' }).waitFor(),
  },
  {
    name: 'the form of a branch',
    path: '/branches/1',
    act: press('Edit branch'),
    complete: (page) => page.getByRole('form', { name: 'Edit branch' }).waitFor(),
  },
  {
    name: 'the form of a new branch',
    path: '/programs/1',
    act: press('Add branch'),
    complete: heading('New branch'),
  },
  { name: 'the form of a new program', path: '/programs/new', complete: heading('New program') },
  { name: 'a program that is gone', path: '/programs/999', complete: heading(/does not exist/) },
  {
    name: 'the branches',
    path: '/branches',
    complete: (page) => page.getByRole('link', { name: 'Optics' }).first().waitFor(),
  },
  {
    name: 'selected programs',
    path: '/programs',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select Physics' }).click();
    },
    complete: (page) => page.getByText('1 program selected').waitFor(),
  },
  {
    name: 'a change of many programs, checked',
    path: '/programs',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select Physics' }).click();
      await button(page, 'Change a field').click();
      await page.getByLabel('New duration').fill('5 Years');
      await button(page, 'Check').click();
    },
    complete: (page) => page.getByText('1 program will change.').waitFor(),
  },
  {
    name: 'a cell that is edited, and rejected',
    path: '/programs',
    act: async (page) => {
      await page.getByRole('link', { name: 'Physics' }).focus();
      await page.keyboard.press('F2');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Enter');
      await button(page, 'Edit it').click();
    },
    complete: (page) => page.getByRole('textbox', { name: 'Name of Physics' }).waitFor(),
  },
  {
    name: 'find and replace, with old values beside new ones',
    path: '/programs',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select Physics' }).click();
      await button(page, 'Find and replace').click();
      await page.getByLabel('Find', { exact: true }).fill('Phys');
      await button(page, 'Check').click();
    },
    complete: (page) => button(page, 'Change 1 program').waitFor(),
  },
  {
    name: 'the copy of a program',
    path: '/programs/1',
    act: press('Copy program'),
    complete: (page) => page.getByRole('form', { name: 'Copy program' }).waitFor(),
  },
  {
    name: 'a form whose field somebody else has changed, too',
    path: '/programs/1',
    act: async (page) => {
      await button(page, 'Edit program').click();
      await page.getByLabel('Code optional').fill(`MINE ${Date.now()}`);
      const change =
        'mutation ($code: String!) { updateProgram(id: 1, input: { code: $code, duration: $code }) { id } }';
      await server.graphql(change, { code: `THEIRS ${Date.now()}` });
    },
    complete: (page) => page.getByRole('group', { name: 'Code' }).waitFor(),
  },
  {
    name: 'the choice of a filter',
    path: '/programs',
    act: press('+ Filter'),
    complete: (page) => choice(page, 'Duration').waitFor(),
  },
  ...(['Number of branches', 'Code', 'Created', 'Attribute'] as const).map((filter) => ({
    name: `the editor of the filter ${filter}`,
    path: '/programs',
    act: async (page: Page) => {
      await press('+ Filter')(page);
      // Not the head of a column of that name, which is there before the popup has opened.
      for (const name of [filter, ...(filter === 'Attribute' ? [/^level/] : [])])
        await choice(page, name).first().click();
    },
    complete: (page: Page) => page.getByRole('dialog').locator('input, select').first().waitFor(),
  })),
  {
    name: 'the saved views',
    path: '/programs',
    act: press('Views'),
    complete: (page) => button(page, /^Short ones/).waitFor(),
  },
  {
    name: 'the columns to choose',
    path: '/programs',
    act: press('Columns'),
    complete: (page) => page.getByRole('dialog').getByLabel('Created').waitFor(),
  },
  {
    name: 'cells from a spreadsheet, with old values beside new ones',
    path: '/programs',
    act: async (page) => {
      await page.getByRole('gridcell', { name: '4 Years' }).first().focus();
      await pasteText(page, '6 Years');
    },
    complete: (page) => button(page, 'Change 1 program').waitFor(),
  },
  {
    name: 'a note for selected programs',
    path: '/programs',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select Physics' }).click();
      await button(page, 'Add a note').click();
    },
    complete: (page) => page.getByRole('dialog').getByLabel('For', { exact: true }).waitFor(),
  },
  {
    name: 'the question before programs are deleted',
    path: '/programs',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select Physics' }).click();
      await button(page, 'Delete').click();
    },
    complete: (page) => button(page, 'Delete 1 program').waitFor(),
  },
  {
    name: 'a new note',
    path: '/programs/1',
    act: async (page) => {
      await page.getByText('Add a note').click();
    },
    complete: (page) => page.getByLabel('For', { exact: true }).waitFor(),
  },
  { name: 'a branch', path: '/branches/1', complete: heading('History') },
  {
    name: 'the dialog that moves a branch',
    path: '/branches/1',
    act: press('Move branch'),
    complete: (page) => page.getByRole('dialog').getByText('Type a part of it.').waitFor(),
  },
  { name: 'a branch that is gone', path: '/branches/999', complete: heading(/does not exist/) },
  {
    name: 'the programs of a filter',
    path: '/programs?branches={"from":"1"}&duration=4+Years&changed={"from":"2020-01-01"}&sort=NAME_DESC',
    // The duration of Physics was changed by somebody else, above.
    complete: (page) => page.getByRole('link', { name: 'Chemistry' }).waitFor(),
  },
  { name: 'the trash', path: '/trash', complete: (page) => button(page, 'Restore Alchemy').waitFor() },
  { name: 'import and export', path: '/transfer', complete: heading('Export') },
  {
    name: 'an import with columns to choose',
    path: '/transfer',
    act: async (page) => {
      const file = { name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from('Title,Branch\nArts,Music') };
      await page.locator('input[type=file]').setInputFiles(file);
    },
    complete: (page) => page.getByRole('combobox', { name: 'Is imported as: Title' }).waitFor(),
  },
  {
    name: 'the report of an import',
    path: '/transfer',
    act: async (page) => {
      const lines = ['program_name,program_duration,branch_name,branch_years', 'Arts,,Music,99'];
      const file = { name: 'dirty.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
      await page.locator('input[type=file]').setInputFiles(file);
    },
    complete: (page) => page.getByRole('region', { name: 'Problems' }).waitFor(),
  },
  {
    name: 'a file in another encoding, with what is new, different and missing in it',
    path: '/transfer',
    act: async (page) => {
      const lines = ['Program,Duration,Branch,No. of years', 'Études,3 Years,Optique,9'];
      const file = { name: 'french.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n'), 'latin1') };
      await page.locator('input[type=file]').setInputFiles(file);
    },
    complete: (page) => page.locator('summary', { hasText: 'First rows as they will be' }).waitFor(),
  },
  {
    name: 'the editions',
    path: '/editions',
    complete: (page) => page.getByRole('table', { name: 'Editions' }).waitFor(),
  },
  {
    name: 'the form of an edition',
    path: '/editions',
    act: press('Freeze an edition'),
    complete: (page) => page.getByRole('form', { name: 'Freeze an edition' }).waitFor(),
  },
  {
    name: 'what has changed since an edition',
    path: '/editions/compare?from=edition:2026/27',
    complete: (page) => page.getByRole('table', { name: 'Compare' }).waitFor(),
  },
  {
    name: 'a comparison with a day before the audit log',
    path: '/editions/compare?from=2001-01-01',
    complete: heading('This could not be shown'),
  },
  {
    name: 'the attributes, of which none is defined',
    path: '/attributes',
    complete: heading('No attribute is defined'),
  },
  {
    name: 'the form of an attribute',
    path: '/attributes',
    act: press('Define an attribute'),
    complete: (page) => page.getByRole('form', { name: 'Attribute' }).waitFor(),
  },
  {
    name: 'the attributes, of which one has other values',
    path: '/attributes',
    act: async () => {
      const choices = [{ value: 'M', label: 'Master' }];
      await definitionsOf(server).define({ key: 'level', kind: 'CHOICE', label: 'Level', choices });
    },
    complete: (page) => page.getByRole('link', { name: /no valid value/ }).waitFor(),
  },
  {
    name: 'the form of an attribute with choices',
    path: '/attributes',
    act: press(/^Actions for /, /^Edit the attribute /),
    complete: (page) => page.getByLabel('Value 1').waitFor(),
  },
  {
    name: 'the form of a program with an attribute of choices',
    path: '/programs/1',
    act: press('Edit program'),
    complete: (page) => page.getByRole('combobox', { name: 'Level' }).waitFor(),
  },
  { name: 'users and keys', path: '/access', complete: (page) => button(page, 'Actions for admin').waitFor() },
  {
    name: 'what can be done with a user',
    path: '/access',
    act: press('Actions for admin'),
    complete: (page) => button(page, 'Edit user admin').waitFor(),
  },
  {
    name: 'the form of a new user',
    path: '/access',
    act: press('Add user'),
    complete: (page) => page.getByRole('dialog').getByLabel('Name').waitFor(),
  },
  {
    name: 'the form of a key',
    path: '/access',
    act: press('Issue key'),
    complete: heading('Issue a key'),
  },
  {
    name: 'the form of a user',
    path: '/access',
    act: press('Actions for admin', 'Edit user admin'),
    complete: heading('Edit a user'),
  },
  {
    name: 'the form of a key that exists',
    path: '/access',
    act: press(/^Actions for (?!admin)/, /^Edit (?!user)/),
    complete: heading(/^A key of/),
  },
  {
    name: 'the question before a key is revoked',
    path: '/access',
    act: press(/^Actions for (?!admin)/, /^Revoke /),
    complete: (page) => page.getByRole('alertdialog', { name: 'Revoke a key' }).waitFor(),
  },
  {
    name: 'the change log',
    path: '/changes',
    complete: (page) => page.getByRole('region', { name: 'Today' }).waitFor(),
  },
  {
    name: 'what a change did',
    path: '/changes',
    act: (page) => page.getByRole('link', { name: '2 programs' }).first().click(),
    complete: (page) => page.getByRole('table', { name: 'Records' }).waitFor(),
  },
  { name: 'notes that are done, of which there are none', path: '/notes?show=done', complete: heading('There are no') },
  {
    name: 'a list that could not be loaded',
    path: '/programs',
    act: async (page) => {
      await started(page);
      const json = { errors: [{ message: 'Failed.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] };
      await page.route('**/graphql', (route) => route.fulfill({ json }));
      await page.getByRole('link', { name: 'Branches' }).click();
    },
    complete: heading('This could not be shown'),
  },
  { name: 'the notes', path: '/notes', complete: (page) => page.getByText('Please check').first().waitFor() },
  { name: 'the audit log', path: '/audit', complete: (page) => page.getByRole('table', { name: 'Entries' }).waitFor() },
  {
    name: 'the audit log of a filter',
    path: '/audit?subject=PROGRAM&action=CREATE',
    complete: (page) => page.getByRole('table', { name: 'Entries' }).waitFor(),
  },
  {
    name: 'the values of an entry of the audit log',
    path: '/audit?subject=PROGRAM&action=CREATE',
    act: async (page) => {
      await page.locator('.values summary').first().click();
    },
    complete: (page) => page.getByText('duration', { exact: true }).first().waitFor(),
  },
  {
    name: 'the question of a session that has ended',
    path: '/programs',
    act: async (page) => {
      await page.getByRole('link', { name: 'Physics' }).waitFor();
      await page.request.delete(`${server.url}/session`, { headers: { 'sec-fetch-site': 'same-origin' } });
    },
    complete: (page) => page.getByRole('dialog', { name: 'Sign in again' }).waitFor(),
  },
  {
    name: 'the help',
    path: '/programs',
    act: async (page) => {
      await page.getByRole('link', { name: 'Physics' }).waitFor();
      await page.keyboard.press('?');
    },
    complete: (page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor(),
  },
  {
    name: 'the menu of the user',
    path: '/access',
    act: async (page) => {
      await started(page);
      await openUserMenu(page);
    },
    complete: (page) => button(page, 'Sign out').waitFor(),
  },
  {
    name: 'the command palette',
    path: '/programs',
    act: async (page) => {
      await started(page);
      await page.keyboard.press('Control+k');
    },
    complete: (page) => page.getByRole('option', { name: /Overview/ }).waitFor(),
  },
  { name: 'an address that does not exist', path: '/nothing', complete: heading('There is no such page') },
];

const desktop = { name: 'a desktop', width: 1280, height: 844, colorScheme: 'light' } as const;
const tablet = { width: 820, height: 1180 };
const telephone = { width: 390, height: 844 };

/** In the page: the width of the first column of each table, of the narrowest. */
const narrowestFirst = `Math.min(...Array.from(
  document.querySelectorAll('.table thead :is(.pick + th, th:first-child:not(.pick))'),
  (head) => head.getBoundingClientRect().width,
))`;

/** Makes the window narrower, and waits until the screen is complete in it. */
async function narrow(page: Page, size: typeof tablet, complete: (page: Page) => Promise<void>): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await complete(page);
}

/** Expects it on a desktop and, when the same page has become as narrow as that, on a tablet and a telephone. */
async function expectUsableAtAllWidths(page: Page, complete: (page: Page) => Promise<void>): Promise<void> {
  await complete(page);
  await expectUsableInBothColours(page);
  await narrow(page, tablet, complete);
  await expectFits(page);
  // The first column says what a row is: those of a fixed width leave it room.
  expect(await page.evaluate<number>(narrowestFirst)).toBeGreaterThan(100);
  await narrow(page, telephone, complete);
  await expectUsableInBothColours(page);
}

it('the sign-in has no accessibility violation and fits, at all widths, in light and dark colours', async () => {
  const { page, close } = await openPage(browser, `${server.url}/console`, desktop);
  await expectUsableAtAllWidths(page, heading('Sign in'));
  await close();
});

it.each(shown)(
  '$name has no accessibility violation and fits, at all widths, in light and dark colours',
  async ({ path, act, complete }) => {
    const { page, problems, close } = await openConsole(browser, server.url, path, { screen: desktop });
    await act?.(page);
    await expectUsableAtAllWidths(page, complete);
    expect(problems.filter((problem) => !/40[14]/.test(problem))).toEqual([]);
    await close();
  },
);

describe('in colours that the reader has forced', () => {
  const outlineOf = (locator: Locator): Promise<string> =>
    locator.evaluate((element) => {
      const { outlineStyle, outlineColor } = getComputedStyle(element);
      return outlineStyle === 'none' ? 'none' : outlineColor;
    });
  const borderOf = (locator: Locator): Promise<string> =>
    locator.evaluate((element) => getComputedStyle(element).borderTopColor);
  const unseen = /none|rgba\(.*, 0\)$/;

  it('a line shows the choice with the focus, the record beside its list and chosen filters', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs?branches={"from":"1"}', {
      screen: desktop,
    });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByRole('button', { name: '+ Filter' }).press('Enter');
    const first = page.getByRole('dialog').getByRole('button').first();
    await expect.poll(() => outlineOf(first)).not.toMatch(unseen);
    await page.keyboard.press('Escape');
    expect(await borderOf(page.locator('.chip'))).not.toMatch(unseen);

    await page.getByRole('grid', { name: 'Programs' }).getByRole('row').nth(1).getByRole('gridcell').last().click();
    const shown = page.locator('.row[aria-current]');
    await shown.waitFor();
    expect(await outlineOf(shown)).not.toMatch(unseen);
    await close();
  });

  it('buttons side by side have a gap', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs', { screen: desktop });
    await page.emulateMedia({ forcedColors: 'active' });
    await started(page);
    const boxes = await page
      .locator('.list-tools .button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect()));
    const gaps = boxes.slice(1).map(({ left }, at) => left - (boxes[at]?.right ?? 0));
    expect(gaps.length).toBe(2);
    expect(Math.min(...gaps)).toBeGreaterThan(2);
    await close();
  });

  it('badges have a line around them, and a list of choices the arrow of the system', async () => {
    const { data } = (await server.graphql('mutation { createUser(input: { name: "barbara", role: GUEST }) { id } }'))
      .body;
    await server.graphql(`mutation { updateUser(id: ${data.createUser.id}, input: { disabled: true }) { id } }`);
    const { page, close } = await openConsole(browser, server.url, '/access', { screen: desktop });
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await borderOf(page.locator('.badge').first())).not.toMatch(unseen);
    const list = page.getByRole('combobox', { name: 'State' });
    expect(await list.evaluate((element) => getComputedStyle(element).appearance)).toBe('auto');
    await close();
  });
});
