import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { adminKey, useServer } from '../support/server.ts';
import { startBrowser } from './browser.ts';
import { button, openConsole } from './console.ts';

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
async function saveElsewhere(kind: Kind['name'], id: number, input: object): Promise<void> {
  const type = kind === 'program' ? 'Program' : 'Branch';
  const document = `mutation ($id: Int!, $input: Update${type}Input!) { update${type}(id: $id, input: $input) { id } }`;
  expect((await server.graphql(document, { id, input })).body.errors).toBeUndefined();
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
    expect(await both.getByRole('radio', { name: `Yours ${old}!` }).isChecked()).toBe(true);
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
