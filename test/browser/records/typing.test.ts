import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../../support/factories.ts';
import { adminKey, useServer } from '../../support/server.ts';
import { startBrowser } from '../browser.ts';
import { button, field, openConsole, programLinks, started } from '../console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

interface Kind {
  readonly name: 'program' | 'branch';
  /** The labels of the fields that one types into. */
  readonly typed: readonly string[];
  /** What somebody else saves, field by field, and what the form then shows of it. */
  readonly saved: readonly (readonly [input: object, shown: string])[];
}

const level = (value: string) => ({ attributes: [{ key: 'level', value }] });
const kinds: readonly Kind[] = [
  {
    name: 'program',
    typed: ['Name', 'Duration', 'Code', 'level', 'Another attribute'],
    saved: [
      [{ name: 'Saved name' }, 'Saved name'],
      [{ duration: '9 Years' }, '9 Years'],
      [{ code: 'SAVED' }, 'SAVED'],
      [level('Saved level'), 'Saved level'],
    ],
  },
  {
    name: 'branch',
    typed: ['Name', 'Code', 'Description', 'Code prefix', 'level', 'Another attribute'],
    saved: [
      [{ name: 'Saved name' }, 'Saved name'],
      [{ code: 'SAVED' }, 'SAVED'],
      [{ description: 'Saved description' }, 'Saved description'],
      [{ years: 7 }, '7'],
      [{ codePrefix: 'SAV' }, 'SAV'],
      [{ codeIsNumeric: false }, 'letter'],
      [level('Saved level'), 'Saved level'],
    ],
  },
];

/** Saves fields of a record as somebody else. */
let colleague: Promise<string> | undefined;
async function saveElsewhere(kind: Kind['name'], id: number, input: object): Promise<void> {
  const type = kind === 'program' ? 'Program' : 'Branch';
  const document = `mutation ($id: Int!, $input: Update${type}Input!) { update${type}(id: $id, input: $input) { id } }`;
  colleague ??= server.makeKey({ role: 'editor', user: 'A colleague' });
  expect((await server.graphql(document, { id, input }, await colleague)).body.errors).toBeUndefined();
}

/** A form with a value in every field. */
async function openForm(kind: Kind['name']) {
  const make = factoriesFor(server);
  const program = await make.program({ name: 'Botany', duration: '4 Years' });
  const { id } = kind === 'program' ? program : await make.branch(program.id, { name: 'Mosses' });
  await saveElsewhere(kind, id, { code: 'OLD', ...level('Bachelor') });
  const opened = await openConsole(browser, server.url, `/${kind === 'program' ? 'programs' : 'branches'}/${id}`);
  await button(opened.page, `Edit ${kind}`).click();
  return { ...opened, id };
}

const form = (page: Page) => page.locator('form.form');
const textField = (page: Page, label: string) => form(page).getByLabel(new RegExp(`^${label}( optional)?$`));

/** The texts of a form, and the values of its fields. */
const textsIn = (page: Page) =>
  page.evaluate<string[]>(
    `Array.from(document.querySelectorAll('form.form :is(input, textarea, select, .name-text)'), (part) => part.value ?? part.textContent)`,
  );
const hasFocus = async (page: Page, input: Locator) => (await input.and(page.locator(':focus')).count()) === 1;

/** Holds the answer to an operation, which the service has carried out, until it is told to let it go. */
async function holdAnswer(page: Page, operation: string): Promise<() => void> {
  let letGo = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes(operation)) return route.fallback();
    const response = await route.fetch();
    await told;
    return route.fulfill({ response });
  });
  return letGo;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });

/** Letters that are shortcuts outside of fields. */
const letters = 'gnjxkp?/';

describe.each(kinds)('while somebody else saves any field of the same $name', ({ name: kind, typed, saved }) => {
  it.each(typed)('no letter is lost that one types into “%s”, at once and after a pause', async (label) => {
    const { page, id, close, problems } = await openForm(kind);
    const input = textField(page, label);
    await input.focus();
    await page.keyboard.press('End');
    let text = await input.inputValue();
    for (const [change, shown] of saved) {
      await page.keyboard.type(letters);
      const saving = saveElsewhere(kind, id, change);
      await page.keyboard.type(letters);
      await saving;
      await expect.poll(() => textsIn(page)).toContain(shown);
      await page.keyboard.type(letters);
      text += letters.repeat(3);
      expect([await input.inputValue(), await hasFocus(page, input)]).toEqual([text, true]);
    }
    expect(await page.getByRole('dialog').count()).toBe(0);
    // Nor from the draft, where a name of an attribute is once it is added.
    if (label === 'Another attribute') await page.keyboard.press('Enter');
    else await page.reload();
    await expect.poll(() => textsIn(page)).toEqual(expect.arrayContaining(saved.map(([, shown]) => shown)));
    if (label !== 'Another attribute') expect(await input.inputValue()).toBe(text);
    expect(problems).toEqual([]);
    await close();
  });

  it('the field that has the focus waits, and a field that both have changed shows both below it', async () => {
    const { page, id, close } = await openForm(kind);
    const name = textField(page, 'Name');
    await name.press('End');
    const old = await name.inputValue();
    await saveElsewhere(kind, id, { name: 'Theirs', code: 'THEIRS' });
    await form(page).getByText('You see it when you leave the field.').waitFor();
    expect([await name.inputValue(), await textField(page, 'Code').inputValue()]).toEqual([old, 'THEIRS']);

    await page.keyboard.type('!');
    const both = form(page).getByRole('group', { name: 'Name' });
    await both.getByRole('radio', { name: `Yours ${old}!` }).waitFor();
    // No side is chosen: nothing is saved.
    await page.keyboard.press('Enter');
    expect(await both.locator('input:checked').count()).toBe(0);
    await form(page).getByText('Which value is to be saved?').waitFor();
    await both.getByRole('radio', { name: /Theirs$/ }).check();
    expect(await name.inputValue()).toBe('Theirs');
    await both.getByRole('radio', { name: /Yours/ }).check();
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: `${old}!`, level: 1 }).waitFor();
    await page.getByRole('main').getByText('THEIRS', { exact: true }).first().waitFor();
    await close();
  });

  it('a save of other fields that was not seen yet stops nobody: both are saved', async () => {
    const { page, id, close } = await openForm(kind);
    await textField(page, 'Name').fill('Mine');
    let isFirst = true;
    await page.route('**/graphql', async (route) => {
      if (isFirst && route.request().postData()?.includes('mutation Update')) {
        isFirst = false;
        await saveElsewhere(kind, id, { code: 'THEIRS' });
      }
      await route.fallback();
    });
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();
    await page.getByRole('main').getByText('THEIRS', { exact: true }).first().waitFor();
    await close();
  });
});

describe('while one’s own save is on its way', () => {
  it.each(kinds)('what one types into a $name stays, as a change of what is saved', async ({ name: kind }) => {
    const { page, id, close } = await openForm(kind);
    const letGo = await holdAnswer(page, 'mutation Update');
    const name = textField(page, 'Name');
    await name.fill('Mine');
    await page.keyboard.press('Enter');
    await page.keyboard.type('gn');
    await heading(page, 'Mine').waitFor();
    await page.keyboard.type('jk');
    const notes = form(page).locator('.compare, .taken-over');
    expect(await notes.count()).toBe(0);
    letGo();
    await page.getByText('Mine was saved.').waitFor();
    await page.keyboard.type('x?');
    expect([await name.inputValue(), await hasFocus(page, name), await notes.count()]).toEqual(['Minegnjkx?', true, 0]);

    await saveElsewhere(kind, id, { name: 'Theirs', code: 'THEIRS' });
    await form(page)
      .getByRole('radio', { name: /Theirs$/ })
      .waitFor();
    expect(await form(page).locator('.compare').count()).toBe(1);
    await page.reload();
    expect(await name.inputValue()).toBe('Minegnjkx?');
    await form(page).getByRole('radio', { name: /Yours/ }).check();
    await button(page, 'Save').click();
    await heading(page, 'Minegnjkx?').waitFor();
    await form(page).waitFor({ state: 'detached' });
    await close();
  });

  it('a space at the end, which the service leaves out, is no change by somebody else', async () => {
    const { page, close } = await openForm('program');
    const letGo = await holdAnswer(page, 'mutation Update');
    const name = textField(page, 'Name');
    await name.fill('Fine Arts ');
    await page.keyboard.press('Enter');
    await heading(page, 'Fine Arts').waitFor();
    await page.keyboard.type('and');
    letGo();
    await page.getByText('Fine Arts was saved.').waitFor();
    expect(await form(page).locator('.compare, .taken-over').count()).toBe(0);
    await button(page, 'Save').click();
    await heading(page, 'Fine Arts and').waitFor();
    await close();
  });

  it('the record is edited anew after Cancel, whatever comes of the save', async () => {
    const { page, close } = await openForm('program');
    const letGo = await holdAnswer(page, 'mutation Update');
    await textField(page, 'Name').fill('Mine');
    await page.keyboard.press('Enter');
    await button(page, 'Cancel').click();
    await heading(page, 'Mine').waitFor();
    await button(page, 'Edit program').click();
    await textField(page, 'Duration').focus();
    letGo();
    await page.getByText('Mine was saved.').waitFor();
    await page.keyboard.type('n');
    expect(await textField(page, 'Duration').inputValue()).toMatch(/n$/);
    await close();
  });

  it('what somebody else saved in a field, on which one types once it could be read, is not asked about', async () => {
    const { page, id, close } = await openForm('program');
    const letGo = await holdAnswer(page, 'mutation Update');
    await textField(page, 'Name').fill('Mine');
    await page.keyboard.press('Enter');
    await heading(page, 'Mine').waitFor();
    await saveElsewhere('program', id, { code: 'THEIRS' });
    const code = textField(page, 'Code');
    await expect.poll(() => code.inputValue()).toBe('THEIRS');
    await pastReading(page);
    await code.fill('THEIRS, mine');
    letGo();
    await page.getByText('Mine was saved.').waitFor();
    expect([await code.inputValue(), await form(page).locator('.compare').count()]).toEqual(['THEIRS, mine', 0]);
    await close();
  });

  it('one may type again what was there before', async () => {
    const { page, close } = await openForm('program');
    const letGo = await holdAnswer(page, 'mutation Update');
    await textField(page, 'Duration').fill('5 Years');
    await page.keyboard.press('Enter');
    await textField(page, 'Duration').fill('4 Years');
    await textField(page, 'Name').focus();
    letGo();
    await page.getByText('Botany was saved.').waitFor();
    expect(await textField(page, 'Duration').inputValue()).toBe('4 Years');
    await button(page, 'Save').click();
    await form(page).waitFor({ state: 'detached' });
    await page.getByRole('definition').getByText('4 Years').first().waitFor();
    await close();
  });

  it('a field elsewhere keeps the focus when the form closes', async () => {
    const { page, close } = await openForm('program');
    const letGo = await holdAnswer(page, 'mutation Update');
    await textField(page, 'Name').fill('Mine');
    await page.keyboard.press('Enter');
    await page.getByText('Add a note').click();
    const note = field(page, 'Note');
    await note.focus();
    await page.keyboard.type('one');
    letGo();
    await button(page, 'Edit program').waitFor();
    await page.keyboard.type('n?');
    expect([await note.inputValue(), await hasFocus(page, note)]).toEqual(['onen?', true]);
    await close();
  });

  it('the focus stays where one types when it is rejected', async () => {
    const { page, close } = await openForm('program');
    const letGo = await holdAnswer(page, 'mutation Update');
    await textField(page, 'Name').fill('');
    await page.keyboard.press('Enter');
    const code = textField(page, 'Code');
    await code.fill('');
    letGo();
    await form(page).locator('[aria-invalid=true]').waitFor();
    await page.keyboard.type('C1');
    expect([await code.inputValue(), await hasFocus(page, code)]).toEqual(['C1', true]);
    await close();
  });

  it.each([
    ['a new user', '/access', 'Add user', 'Name', 'mutation CreateUser', 'hypatia was added.'],
    ['a user', '/access', 'Actions for zeno; Edit user zeno', 'Name', 'mutation UpdateUser', 'hypatia was saved.'],
    ['a view', '/programs', 'Views', 'Name of this view', 'mutation SaveView', 'The view hypatia was saved.'],
  ])('what one types for %s stays', async (what, path, open, label, operation, saved) => {
    await server.database.query("DELETE FROM users WHERE name = 'hypatia'");
    if (what === 'a user')
      await server.graphql('mutation { createUser(input: { name: "zeno", role: VIEWER }) { id } }');
    const { page, close } = await openConsole(browser, server.url, path);
    const letGo = await holdAnswer(page, operation);
    for (const one of open.split('; ')) await button(page, one).click();
    const input = page.getByRole('dialog').getByLabel(label);
    await input.fill('hypatia');
    await page.keyboard.press('Enter');
    await page.keyboard.type('gn');
    letGo();
    await page.getByText(saved).waitFor();
    await page.keyboard.type('?');
    expect([await input.inputValue(), await hasFocus(page, input)]).toEqual(['hypatiagn?', true]);
    await close();
  });

  it('a cell takes what one types next, the text from before too', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Cells', code: 'OLD' });
    const { page, close } = await openConsole(browser, server.url, '/programs?q=Cells');
    const letGo = await holdAnswer(page, 'mutation Update');
    const cell = page.getByRole('gridcell', { name: 'OLD' });
    await cell.dblclick();
    await page.keyboard.type('NEW');
    await page.keyboard.press('Enter');
    await page.getByRole('gridcell', { name: 'NEW' }).dblclick();
    await page.keyboard.type('OLD');
    await page.keyboard.press('Enter');
    letGo();
    await page.getByRole('gridcell', { name: 'OLD' }).waitFor();
    const version = () => server.database.query('SELECT code, version FROM programs WHERE id = $1', [id]);
    await expect.poll(version).toEqual([{ code: 'OLD', version: 3 }]);
    await close();
  });
});

describe('while a session ends', () => {
  it('the letters that are typed go on into the field, and the dialog comes when one leaves it', async () => {
    const { page, close } = await openForm('program');
    const name = textField(page, 'Name');
    await name.press('End');
    await page.keyboard.type('one');
    await page.request.delete(`${server.url}/session`, { headers: { 'sec-fetch-site': 'same-origin' } });
    await server.graphql('mutation { createProgram(input: { name: "Event", duration: "1 Year" }) { id } }');
    await page.getByRole('alert').getByText('Sign in again.').waitFor();
    await page.keyboard.type('two');
    expect([await name.inputValue(), await hasFocus(page, name)]).toEqual(['Botanyonetwo', true]);

    await button(page, 'Save').click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await dialog.getByLabel('API key or token').fill(adminKey);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Botanyonetwo');
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Botanyonetwo', level: 1 }).waitFor();
    await close();
  });
});

/** Opens a screen whose keys lead to another one, and lets the files of that come only when it is told to. */
async function openBefore(files: RegExp, path: string) {
  const opened = await openConsole(browser, server.url, path);
  const { page } = opened;
  let letCome = (): void => undefined;
  const toldTo = new Promise<void>((resolve) => {
    letCome = resolve;
  });
  let isAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  await page.route(files, async (route) => {
    isAsked();
    await toldTo;
    await route.fallback();
  });
  // A page that has them already would not ask for them.
  await page.reload();
  await started(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { ...opened, type: (text: string) => page.keyboard.type(text), asked, letCome };
}

/** Moves the clock by more than one takes to read a value. */
const pastReading = (page: Page) =>
  page.evaluate('const now = performance.now.bind(performance); performance.now = () => now() + 2_000;');

const programsFiles = /assets\/programs-screen-.*js/;
const newProgramFiles = /assets\/new-program-screen-.*js/;
const focused = (page: Page) => page.evaluate<string>('document.activeElement.value ?? document.activeElement.tagName');

describe('what one types right after the key that leads to a field of another screen', () => {
  it('is all in the search, in its order, before and after its files are there', async () => {
    await factoriesFor(server).program({ name: 'Geology' });
    const { page, type, asked, letCome, close, problems } = await openBefore(programsFiles, '/access');
    await type('/gpx');
    await page.keyboard.press('Backspace');
    await type('n?');
    await asked;
    const typing = type('one by one'.repeat(20));
    letCome();
    await typing;
    const search = page.getByRole('searchbox', { name: 'Search' });
    await expect.poll(() => focused(page)).toBe(`gpn?${'one by one'.repeat(20)}`);
    await search.fill('');
    await page.keyboard.insertText('geology');
    await programLinks(page).getByText('Geology').waitFor();
    expect([await page.getByRole('dialog').count(), problems]).toEqual([0, []]);
    await close();
  });

  it('is in the search at machine speed too when nothing is slow', async () => {
    const { page, type, letCome, close } = await openBefore(programsFiles, '/access');
    letCome();
    await type(`/gn${letters}`);
    await expect.poll(() => focused(page)).toBe(`gn${letters}`);
    await close();
  });

  it('keeps its accents and what is being composed', async () => {
    const { page, asked, letCome, close } = await openBefore(programsFiles, '/access');
    await page.keyboard.press('/');
    await asked;
    const session = await page.context().newCDPSession(page);
    await page.keyboard.insertText('é@');
    await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    const text = await focused(page);
    letCome();
    await page.getByRole('heading', { name: 'Programs' }).waitFor();
    await expect.poll(() => focused(page)).toBe(text);
    expect(text.length).toBe(4);
    await close();
  });

  it.each(['its key', 'the command palette'])('is the name of a new program, by %s', async (way) => {
    const { page, type, asked, letCome, close } = await openBefore(newProgramFiles, '/access');
    if (way === 'its key') await page.keyboard.press('n');
    else {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Command palette' }).getByRole('searchbox').fill('new program');
      await page.keyboard.press('Enter');
    }
    await type('Gnomon');
    // It leads to a field that is not there yet.
    await page.keyboard.press('Tab');
    await asked;
    const typing = type('icsng');
    letCome();
    await typing;
    await expect.poll(() => focused(page)).toBe('Gnomonicsng');
    expect(await textField(page, 'Name').inputValue()).toBe('Gnomonicsng');
    await close();
  });

  it.each(['Escape', 'a click elsewhere', 'a screen that cannot be loaded'])(
    'is dropped by %s, after which letters are shortcuts again',
    async (end) => {
      const { page, context, type, asked, letCome, close, problems } = await openBefore(programsFiles, '/access');
      await type('/gpn');
      await asked;
      if (end === 'Escape') await page.keyboard.press('Escape');
      else if (end === 'a click elsewhere') await page.getByRole('heading', { name: 'Access' }).click();
      else {
        await context.setOffline(true);
        letCome();
        await page.getByText('This could not be shown').waitFor();
      }
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      expect(problems.filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([]);
      letCome();
      await close();
    },
  );
});
