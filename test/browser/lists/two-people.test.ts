import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { startBrowser } from '../browser.ts';
import { button, field, openConsole, pasteText } from '../console.ts';
import { editor, openCell, programsOf } from './programs.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const { open, read, update } = programsOf(server, () => browser);

/** How long before one's own the other one’s save is done: the page has heard of it, or not yet, and nobody has read it. */
const distances = [0, 60, 150, 300, 600];
const pause = (page: Page, ms: number) => page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${ms}))`);

/** Times within which nobody reads what has just appeared, by a clock that the test moves. */
const tooShort = [0, 600, 1_400];
const stopClock = (page: Page) =>
  page.evaluate('const at = performance.now(); window.passed = 0; performance.now = () => at + window.passed;');
const pass = (page: Page, ms: number) => page.evaluate(`window.passed += ${ms}`);

const theirs = { name: 'Theirs', code: 'THEIRS', duration: '8 Years', level: 'Their level' };
const asInput = (values: Readonly<Record<string, string>>) => {
  const { level, ...others } = values;
  return { ...others, ...(level !== undefined && { attributes: [{ key: 'level', value: level }] }) };
};
/** What a program has in the fields of this test. */
async function valuesOf(id: number): Promise<Record<string, unknown>> {
  const [program] = await read([id]);
  const [level] = program?.attributes ?? [];
  return { name: program?.name, code: program?.code, duration: program?.duration, level: Object(level).value };
}
const columns = ['name', 'code', 'duration', 'level'] as const;
const cellOf = (page: Page, id: number, column: number) =>
  page.locator(`.rows tr:has(a[href$="/programs/${id}"]) td:not(.pick)`).nth(column);

describe('a value that somebody else has saved just before one’s own', () => {
  it.each(columns.map((column, at) => ({ column, at })))('stays in the cell of the $column', async ({ column, at }) => {
    const { page, ids, close } = await open(`Cells${column}`, distances.length);
    for (const [index, ms] of distances.entries()) {
      const id = ids[index] ?? 0;
      const mine = `Mine ${ms}`;
      await openCell(page, cellOf(page, id, at));
      await editor(page).fill(mine);
      const other = `${theirs[column]} ${ms}`;
      await update(id, asInput({ [column]: other }));
      await pause(page, ms);
      await page.keyboard.press('Enter');
      // Still open, with a note; or left, with a line that says what was not saved.
      await page
        .locator('.cell-editor')
        .getByText(other)
        .or(page.getByText(`“${mine}” was not saved.`))
        .first()
        .waitFor();
      if ((await editor(page).count()) > 0) {
        expect(await editor(page).inputValue()).toBe(mine);
        await page.keyboard.press('Escape');
      }
      expect((await valuesOf(id))[column]).toBe(other);
    }
    await close();
  });

  it.each(distances)('%i ms, stays in each field of a form, which shows both', async (ms) => {
    const { page, ids, close } = await open(`Forms${ms}`, 1);
    const [id = 0] = ids;
    await update(id, asInput({ level: 'B' }));
    await page.goto(`${server.url}/console/programs/${id}`);
    await button(page, 'Edit program').click();
    const labels = ['Name', 'Code', 'Duration', 'level'];
    for (const label of labels) await field(page, new RegExp(`^${label}`)).fill(`Mine ${label}`);
    await update(id, asInput(theirs));
    await pause(page, ms);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('form.form .compare').count()).toBe(labels.length);
    for (const label of labels)
      expect(
        await field(page, new RegExp(`^${label}`))
          .first()
          .inputValue(),
      ).toBe(`Mine ${label}`);
    expect(await valuesOf(id)).toEqual(theirs);
    await close();
  });

  it.each(tooShort)('and that the list has shown for %i ms is no value that one has seen', async (ms) => {
    const { page, ids, close } = await open(`Shown${ms}`, columns.length);
    await stopClock(page);
    for (const [at, column] of columns.entries()) {
      const id = ids[at] ?? 0;
      const own = cellOf(page, id, at);
      await update(id, asInput({ [column]: 'Before' }));
      await own.getByText('Before').waitFor();
      await pass(page, 2_000);
      await update(id, asInput({ [column]: theirs[column] }));
      await own.getByText(theirs[column]).waitFor();
      await pass(page, ms);
      await own.locator('a').or(own).first().focus();
      const [key, typed] = column === 'duration' ? ['Delete', ''] : ['M', 'M'];
      await page.keyboard.press(key);
      await page.keyboard.press('Enter');
      await page.locator('.cell-editor').getByText(`to “${theirs[column]}”`).waitFor();
      expect([await editor(page).inputValue(), (await valuesOf(id))[column]]).toEqual([typed, theirs[column]]);
      await editor(page).fill('Mine');
      const saved = async () => {
        await page.keyboard.press('Enter');
        return (await valuesOf(id))[column];
      };
      await expect.poll(saved).toBe('Mine');
    }
    await close();
  });

  it('is replaced without a question once it could be read, and so is what one’s own undo brings back', async () => {
    const { page, ids, close } = await open('Readable', 1);
    const [id = 0] = ids;
    const code = cellOf(page, id, 1);
    const enter = async (value: string): Promise<void> => {
      await openCell(page, code);
      await editor(page).fill(value);
      await page.keyboard.press('Enter');
      await expect.poll(() => valuesOf(id)).toMatchObject({ code: value });
    };
    await stopClock(page);
    await update(id, { code: 'THEIRS' });
    await code.getByText('THEIRS').waitFor();
    await pass(page, 1_500);
    await enter('MINE');
    await enter('MINE TOO');
    await page.keyboard.press('Control+z');
    await code.getByText('MINE', { exact: true }).waitFor();
    await enter('MINE AGAIN');
    expect(await page.getByText('Somebody else').count()).toBe(0);
    await close();
  });

  const ownChanges = {
    paste: async (page: Page, id: number, word: string) => {
      await cellOf(page, id, 0).getByRole('link').focus();
      await pasteText(page, `${word} 01, of oneself`);
      await button(page, 'Change 1 program').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
    undo: async (page: Page, id: number, word: string) => {
      await ownChanges.paste(page, id, word);
      await page.keyboard.press('Control+z');
      await page.getByText('Undone').first().waitFor();
    },
  };
  it.each(Object.entries(ownChanges))(
    'is asked for just after one’s own %s, of its record and of others',
    async (name, change) => {
      const { page, ids, close } = await open(`After${name}`, 2);
      const [id = 0] = ids;
      await stopClock(page);
      await pass(page, 2_000);
      await change(page, id, `After${name}`);
      for (const one of ids) {
        const code = cellOf(page, one, 1);
        await update(one, { code: 'THEIRS' });
        await code.getByText('THEIRS').waitFor();
        await openCell(page, code);
        await editor(page).fill('MINE');
        await page.keyboard.press('Enter');
        await page.locator('.cell-editor').getByText('to “THEIRS”').waitFor();
        expect((await valuesOf(one))['code']).toBe('THEIRS');
        await page.keyboard.press('Escape');
      }
      await close();
    },
  );

  it.each(tooShort)('stays under one’s fingers, when it has been there for %i ms, and is a choice', async (ms) => {
    const { page, ids, close } = await open(`Taken${ms}`, 1);
    const [id = 0] = ids;
    await stopClock(page);
    const listed = cellOf(page, id, 1);
    await update(id, { code: 'LISTED' });
    await listed.getByText('LISTED').waitFor();
    await pass(page, ms);
    await openCell(page, listed);
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    expect(await editor(page).inputValue()).toBe('LISTED!');
    await page.locator('.cell-editor').getByText('to “LISTED”').waitFor();
    await page.keyboard.press('Escape');

    await page.goto(`${server.url}/console/programs/${id}`);
    await button(page, 'Edit program').click();
    await stopClock(page);
    await update(id, { code: 'THEIRS' });
    const code = field(page, /^Code/).first();
    await expect.poll(() => code.inputValue()).toBe('THEIRS');
    await pass(page, ms);
    await code.press('End');
    expect(await code.inputValue()).toBe('THEIRS');
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    const both = page.locator('form.form .compare');
    await both.getByText('THEIRS', { exact: true }).waitFor();
    expect([await code.inputValue(), await both.getByText('THEIRS!').count()]).toEqual(['THEIRS!', 1]);
    expect((await valuesOf(id))['code']).toBe('THEIRS');
    await close();
  });

  it('is not what one has saved oneself, in a form beside the list or in a cell beside the form', async () => {
    const { page, ids, close } = await open('Beside', 1);
    const [id = 0] = ids;
    await stopClock(page);
    await page.getByRole('link', { name: 'Beside 01' }).focus();
    await page.keyboard.press('j');
    const cells = cellOf(page, id, 1);
    const inForm = page.locator('form.form').getByLabel(/^Duration/);
    await pass(page, 2_000);
    await button(page, 'Edit program').click();
    await inForm.fill('2 Years');
    await button(page, 'Save').click();
    await cells.getByText('2 Years').waitFor();
    await button(page, 'Edit program').click();
    await openCell(page, cells);
    await editor(page).fill('3 Years');
    expect(await page.getByText('Somebody else').count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => inForm.inputValue()).toBe('3 Years');
    expect(await page.getByText('Somebody else').count()).toBe(0);
    await inForm.fill('5 Years');
    expect(await page.getByText('Somebody else').count()).toBe(0);
    await button(page, 'Save').click();
    await expect.poll(() => valuesOf(id)).toMatchObject({ duration: '5 Years' });
    await button(page, 'Edit program').click();
    await inForm.fill('8 Years');
    await openCell(page, cells);
    await editor(page).fill('9 Years');
    await page.keyboard.press('Enter');
    await expect.poll(() => valuesOf(id)).toMatchObject({ duration: '9 Years' });
    await cells.getByText('9 Years').waitFor();
    expect([await page.locator('.compare').count(), await inForm.inputValue()]).toEqual([0, '8 Years']);
    await button(page, 'Save').click();
    await expect.poll(() => valuesOf(id)).toMatchObject({ duration: '8 Years' });
    await close();
  });

  it('is said to be one’s own that one has saved in another tab, also once that is closed, and its answer lost', async () => {
    const { page, context, ids, close } = await open('Tabs', 3);
    const [id = 0, other = 0, untouched = 0] = ids;
    const tab = await context.newPage();
    await tab.goto(page.url());
    await openCell(tab, cellOf(tab, other, 2));
    await editor(tab).fill('5 Years');
    await openCell(page, cellOf(page, other, 2));
    await editor(page).fill('6 Years');
    await page.keyboard.press('Enter');
    await tab.getByText('You have changed this to “6 Years” elsewhere.').waitFor();
    await tab.keyboard.press('Escape');

    await tab.goto(`${server.url}/console/programs/${untouched}`);
    await button(tab, 'Edit program').click();
    const duration = field(tab, /^Duration/).first();
    await duration.focus();
    await openCell(page, cellOf(page, untouched, 2));
    await editor(page).fill('7 Years');
    await page.keyboard.press('Enter');
    await expect.poll(() => duration.inputValue()).toBe('7 Years');

    await tab.goto(`${server.url}/console/programs/${id}`);
    await button(tab, 'Edit program').click();
    await field(tab, /^Code/).fill('THERE');
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation UpdateProgram')) return route.fallback();
      await route.fetch();
      return route.abort();
    });
    await openCell(page, cellOf(page, id, 1));
    await editor(page).fill('HERE');
    await page.keyboard.press('Enter');
    await tab.getByText('You have changed this elsewhere.').waitFor();
    await page.close();
    await tab.reload();
    await tab.getByText('You have changed this elsewhere.').waitFor();
    expect(await tab.getByText('Somebody else').count()).toBe(0);
    await close();
  });

  const changes = {
    paste: async (page: Page, id: number) => {
      await cellOf(page, id, 0).getByRole('link').focus();
      await pasteText(page, `Mine\tMINE-${id}\t9 Years\tMy level`);
    },
    bulk: async (page: Page) => {
      await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
      await button(page, 'Change a field').click();
      await page.getByRole('dialog').getByLabel('New duration').fill('9 Years');
      await button(page, 'Check').click();
    },
    'find and replace': async (page: Page) => {
      await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
      await button(page, 'Find and replace').click();
      await page.keyboard.type('Two');
      await page.getByLabel('Replace with').fill('Three');
      await button(page, 'Check').click();
    },
  };
  const cases = Object.entries(changes).flatMap(([name, begin]) => distances.map((ms) => ({ name, begin, ms })));
  it.each(cases)('$ms ms, is shown before a $name changes it', async ({ name, begin, ms }) => {
    const { page, ids, close } = await open(`Two${name.replaceAll(' ', '')}${ms}`, 1);
    const [id = 0] = ids;
    await begin(page, id);
    const change = button(page, 'Change 1 program');
    await change.waitFor();
    const saved = { ...theirs, name: `Two ${theirs.name}` };
    await update(id, asInput(saved));
    await pause(page, ms);
    await change.click();
    await page.getByText('These records were changed meanwhile').waitFor();
    // Nobody can have read that yet.
    await change.dispatchEvent('click');
    expect(await valuesOf(id)).toEqual(saved);
    await expect.poll(() => change.getAttribute('aria-disabled')).toBe('false');
    await change.click();
    await expect.poll(() => valuesOf(id)).not.toEqual(saved);
    await close();
  });

  it.each(Object.entries(changes))(
    'just before the check of a %s, stays until it could be read',
    async (name, begin) => {
      const { page, ids, close } = await open(`Two before ${name}`, 1);
      const [id = 0] = ids;
      const saved = { ...theirs, name: `Two before ${name}` };
      await update(id, asInput(saved));
      await begin(page, id);
      const change = button(page, 'Change 1 program');
      await change.waitFor();
      await change.dispatchEvent('click');
      expect(await change.getAttribute('aria-disabled')).toBe('true');
      await change.click();
      await expect.poll(() => valuesOf(id)).not.toEqual(saved);
      await close();
    },
  );

  it('and could be read before a paste, is replaced at once', async () => {
    const { page, ids, close } = await open('Two read', 1);
    const [id = 0] = ids;
    await changes.paste(page, id);
    const change = button(page, 'Change 1 program');
    await change.waitFor();
    expect(await change.getAttribute('aria-disabled')).toBe('false');
    await close();
  });

  it('takes nothing from a note, nor from the name of a view', async () => {
    const { page, ids, close } = await open('Views', 1);
    const [id = 0] = ids;
    await button(page, 'Views').click();
    const name = page.getByRole('dialog').getByLabel('Name of this view');
    for (const ms of distances) {
      await name.fill(`View ${ms}`);
      await update(id, { code: `V${ms}` });
      await pause(page, ms);
      await name.press('Enter');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: `View ${ms}`, exact: true })
        .waitFor();
    }
    await page.goto(`${server.url}/console/programs/${id}`);
    await button(page, 'Add a note').click();
    for (const ms of distances) {
      await field(page, 'Note').fill(`Note ${ms}`);
      await server.graphql(`mutation { addNote(input: { programId: ${id}, text: "Theirs ${ms}" }) { id } }`);
      await pause(page, ms);
      await button(page, 'Save').click();
      // The list may have the note before the form knows that it is saved.
      await expect.poll(() => field(page, 'Note').inputValue()).toBe('');
      await page.getByRole('region', { name: 'Open notes' }).getByText(`Note ${ms}`).waitFor();
      await page.getByRole('region', { name: 'Open notes' }).getByText(`Theirs ${ms}`).waitFor();
    }
    await close();
  });
});

it('of a branch stays, too: each cell, with all distances', async () => {
  const { id: programId } = await server.make.program({ name: 'Two of branches' });
  const { page, close } = await openConsole(
    browser,
    server.url,
    '/branches?q=Two%20people&columns=name,code,years,description',
  );
  const saved = { name: 'Two people, theirs', code: 'TH', years: 7, description: 'Theirs' };
  for (const [at, column] of (['name', 'code', 'years', 'description'] as const).entries()) {
    for (const ms of distances) {
      const { id } = await server.make.branch(programId, { name: `Two people ${column} ${ms}`, years: 3 });
      const own = page.locator(`.rows tr:has(a[href$="/branches/${id}"]) td:not(.pick)`).nth(at);
      await page.locator(`.rows a[href$="/branches/${id}"]`).waitFor();
      await openCell(page, own);
      const mine = column === 'years' ? '5' : 'Mine';
      await editor(page).fill(mine);
      const document =
        'mutation ($id: Int!, $input: UpdateBranchInput!) { updateBranch(id: $id, input: $input) { id } }';
      const input = { [column]: saved[column] };
      expect((await server.graphql(document, { id, input })).body.errors).toBeUndefined();
      await pause(page, ms);
      await page.keyboard.press('Enter');
      await page
        .locator('.cell-editor')
        .getByText(String(saved[column]))
        .or(page.getByText(`“${mine}” was not saved.`))
        .first()
        .waitFor();
      if ((await editor(page).count()) > 0) await page.keyboard.press('Escape');
      else await button(page, 'Give it up').click();
      const { body } = await server.graphql(`{ branch(id: ${id}) { name code description years { year } } }`);
      const { years, ...texts } = body.data.branch;
      expect({ ...texts, years: years.length }[column]).toBe(saved[column]);
    }
  }
  await close();
});
