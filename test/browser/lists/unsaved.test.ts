import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../../support/factories.ts';
import { useServer } from '../../support/server.ts';
import { startBrowser } from '../browser.ts';
import { button, field, openConsole } from '../console.ts';
import { cell, editor, programsOf } from './programs.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const { open, update, read } = programsOf(server, () => browser);

/** Types a value into a cell, which is open. */
async function type(page: Page, row: number, column: number, value: string): Promise<void> {
  await cell(page, row, column).dblclick();
  await editor(page).fill(value);
}
const enter = async (page: Page, row: number, column: number, value: string): Promise<void> => {
  await type(page, row, column, value);
  await page.keyboard.press('Enter');
};
const codes = async (ids: readonly number[]) => (await read(ids)).map(({ code }) => code);
/** Calls a function before each save that the page sends, or in place of it. */
const beforeSaves = (page: Page, act: () => Promise<unknown>) =>
  page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('mutation UpdateProgram')) await act();
    await route.fallback();
  });

describe('values that are entered in cells while the service is away', () => {
  it('are said in one line, outlast their list and a reload that asks, and are sent once it is back', async () => {
    const { page, context, ids, close } = await open('Astrology', 8);
    let isAway = true;
    await page.route('**/graphql', (route) =>
      isAway && route.request().postData()?.includes('mutation') ? route.abort() : route.fallback(),
    );
    await context.setOffline(true);
    for (const at of ids.keys()) await enter(page, at, 1, `NEW-${at}`);
    const line = page.getByText('8 values are not saved yet.');
    await line.waitFor();
    expect(await page.locator('td.waits').count()).toBe(8);
    await page.getByRole('link', { name: 'Overview' }).click();
    await line.waitFor();
    // The connection is back, and what was typed is not saved.
    await context.setOffline(false);
    await page.getByText('The connection to the service is lost').waitFor({ state: 'detached' });
    const asked = page.waitForEvent('dialog');
    const reloading = page.reload();
    expect((await asked).type()).toBe('beforeunload');
    await (await asked).accept();
    await reloading;
    await line.waitFor();
    expect(await page.getByText('what you see is up to date').count()).toBe(0);
    expect(await button(page, 'Save them').count()).toBe(1);
    isAway = false;
    await expect.poll(() => codes(ids)).toEqual(ids.map((_, at) => `NEW-${at}`));
    await line.waitFor({ state: 'detached' });
    await close();
  });

  it('are said to be unsaved until the service has answered, and the page not to be up to date before', async () => {
    const { page, context, ids, close } = await open('Astrolabe', 1);
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.setOffline(true);
    await enter(page, 0, 1, 'LATE');
    const line = page.getByText('1 value is not saved yet.');
    await line.waitFor();
    const isSent = page.waitForRequest((request) => request.postData()?.includes('mutation UpdateProgram') === true);
    await beforeSaves(page, () => isReleased);
    await context.setOffline(false);
    await isSent;
    await page.getByText('The connection to the service is lost').waitFor({ state: 'detached' });
    await button(page, 'Save it').click();
    expect([await line.count(), await page.getByText('what you see is up to date').count()]).toEqual([1, 0]);
    release();
    await page.getByText('what you see is up to date').waitFor();
    expect([await codes(ids), await line.count()]).toEqual([['LATE'], 0]);
    await close();
  });

  it('are all listed where they were rejected, on a third of the screen at most', async () => {
    const { page, ids, close } = await open('Cryptology', 9);
    for (const at of ids.keys()) await enter(page, at, 2, '');
    await page.getByText('9 values are not saved yet.').waitFor();
    const messages = page.getByRole('region', { name: 'Messages' });
    await expect.poll(() => messages.getByRole('listitem').count()).toBe(9);
    await button(page, 'Give it up').last().click();
    await page.getByText('8 values are not saved yet.').waitFor();
    const { y = 0, height = 0 } = (await messages.boundingBox()) ?? {};
    expect([height <= 800 / 3, Math.round(y + height)]).toEqual([true, 800]);
    await close();
  });

  it('look unsaved while the service is long in answering', async () => {
    const { page, ids, close } = await open('Glyptics', 1);
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await beforeSaves(page, () => isReleased);
    await enter(page, 0, 1, 'SLOW');
    const look = () => cell(page, 0, 1).evaluate((shown) => getComputedStyle(shown).fontStyle);
    await expect.poll(look).toBe('italic');
    release();
    await expect.poll(() => codes(ids)).toEqual(['SLOW']);
    await expect.poll(look).toBe('normal');
    await close();
  });

  it('are saved when the response to the save was lost, and are not called those of somebody else', async () => {
    const { page, ids, close } = await open('Virology', 1);
    let isFirst = true;
    await page.route('**/graphql', async (route) => {
      if (!isFirst || !route.request().postData()?.includes('mutation UpdateProgram')) return route.fallback();
      isFirst = false;
      await route.fetch();
      return route.abort();
    });
    await enter(page, 0, 2, '5 Years');
    await page.getByText('1 value is not saved yet.').waitFor();
    await enter(page, 0, 2, '6 Years');
    await expect.poll(async () => (await read(ids))[0]?.duration).toBe('6 Years');
    await page.getByText('1 value is not saved yet.').waitFor({ state: 'detached' });
    await close();
  });

  it('do not replace what somebody else decided after a save whose response was lost, nor a later entry on top of it', async () => {
    const { page, ids, close } = await open('Haruspicy', 2);
    let isAway = true;
    await page.route('**/graphql', async (route) => {
      if (!isAway || !route.request().postData()?.includes('mutation UpdateProgram')) return route.fallback();
      await route.fetch();
      return route.abort();
    });
    await enter(page, 0, 2, '5 Years');
    await enter(page, 1, 2, '5 Years');
    await page.getByText('2 values are not saved yet.').waitFor();
    await enter(page, 1, 2, '6 Years');
    for (const id of ids) await update(id, { duration: '4 Years' });
    isAway = false;
    await page.reload();
    await page.getByText('02, Duration: “6 Years” was not saved').waitFor();
    await page.getByText('1 value is not saved yet.').waitFor();
    expect((await read(ids)).map(({ duration }) => duration)).toEqual(['4 Years', '4 Years']);
    await close();
  });

  it('do not replace what somebody else saved in another field of the record that waits, too', async () => {
    const { page, context, ids, close } = await open('Ornithomancy', 1);
    await context.setOffline(true);
    await enter(page, 0, 1, 'MINE');
    await enter(page, 0, 2, '5 Years');
    await page.getByText('2 values are not saved yet.').waitFor();
    await update(ids[0] ?? 0, { duration: '6 Years' });
    await context.setOffline(false);
    await page.getByText('Duration: “5 Years” was not saved').waitFor();
    expect(await read(ids)).toMatchObject([{ code: 'MINE', duration: '6 Years' }]);
    await close();
  });

  it('wait for the next session of their user, and for nobody else', async () => {
    const { page, ids, close } = await open('Numerology', 1);
    await type(page, 0, 1, 'MINE');
    await page.request.delete(`${server.url}/session`, { headers: { 'sec-fetch-site': 'same-origin' } });
    await page.keyboard.press('Enter');
    await page.getByText('1 value is not saved yet.').waitFor();
    const signIn = async (key: string): Promise<void> => {
      await page.getByLabel('API key or token').fill(key);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const other = await server.graphql('mutation { createUser(input: { name: "other", role: EDITOR }) { id } }');
    const { body } = await server.graphql('mutation ($id: Int!) { createApiKey(input: { userId: $id }) { key } }', {
      id: other.body.data.createUser.id,
    });
    await signIn(body.data.createApiKey.key);
    await page.getByRole('region', { name: 'Signed in' }).getByText('other').first().waitFor();
    expect(await codes(ids)).toEqual(['Numerology-1']);
    await button(page, 'Save it').click();
    await expect.poll(() => codes(ids)).toEqual(['MINE']);
    await close();
  });

  it('are kept of a cell that was open when the page was loaded again, until the user wants them saved', async () => {
    const { page, ids, close } = await open('Phrenology', 1);
    await type(page, 0, 1, 'HALF');
    await page.reload();
    await cell(page, 0, 1).getByText('HALF').waitFor();
    expect(await codes(ids)).toEqual(['Phrenology-1']);
    await button(page, 'Save it').click();
    await expect.poll(() => codes(ids)).toEqual(['HALF']);
    await close();
  });

  it('are typed on where their record is deleted meanwhile, and wait for Enter though it is restored', async () => {
    const { page, ids, close } = await open('Hydrology', 1);
    const [id = 0] = ids;
    const make = factoriesFor(server);
    const branch = await make.branch(id, { name: 'Hydrology of karst' });
    const code = async () => (await server.graphql(`{ branch(id: ${branch.id}) { code } }`)).body.data.branch?.code;
    await page.goto(`${server.url}/console/programs/${id}`);
    await cell(page, 0, 1).dblclick();
    await editor(page).fill('HA');
    await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    const deleted = page.getByText(`Program ${id} was deleted`);
    await deleted.waitFor();
    await page.keyboard.type('LF');
    await server.graphql(`mutation { restoreProgram(id: ${id}) { id } }`);
    await deleted.waitFor({ state: 'detached' });
    expect([await editor(page).inputValue(), await code()]).toEqual(['HALF', null]);
    await page.keyboard.type('LIFE');
    await page.keyboard.press('Enter');
    await expect.poll(code).toBe('HALFLIFE');

    await cell(page, 0, 1).dblclick();
    await editor(page).fill('LATE');
    await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    await deleted.waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('“LATE” was not saved. “Hydrology of karst” was deleted meanwhile.').waitFor();
    await close();
  });

  it('are kept of a cell whose screen fails, until the user wants them saved', async () => {
    const { page, ids, close } = await open('Theology', 1);
    await type(page, 0, 1, 'HALF');
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('programsConnection')) return route.fallback();
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(/"attributes":\[[^\]]*\]/g, '"attributes":null');
      return route.fulfill({ response, body });
    });
    await update(ids[0] ?? 0, { duration: '9 Years' });
    await page.getByText('This could not be shown').waitFor();
    await page.getByText('1 value is not saved yet.').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await codes(ids)).toEqual(['Theology-1']);
    await button(page, 'Save it').click();
    await expect.poll(() => codes(ids)).toEqual(['HALF']);
    await close();
  });
});

describe('two values for one cell', () => {
  it.each([0, 60, 150, 300, 600])('are one choice: an Enter %i ms after somebody else’s is none', async (afterMs) => {
    const { page, ids, close } = await open(`Alchemy${afterMs}`, 1);
    await type(page, 0, 2, 'MINE');
    const pressed = page.evaluate(
      `new Promise((resolve) => {
        const note = document.querySelector('.cell-editor [role=status]');
        const press = () => {
          const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
          resolve(document.activeElement.dispatchEvent(event));
        };
        new MutationObserver(() => setTimeout(press, ${afterMs})).observe(note, { childList: true, characterData: true, subtree: true });
      })`,
    );
    await update(ids[0] ?? 0, { duration: 'THEIRS' });
    await pressed;
    expect([await editor(page).inputValue(), (await read(ids))[0]?.duration]).toEqual(['MINE', 'THEIRS']);
    // To leave the cell is no choice either.
    await page.keyboard.press('Shift+Tab');
    await page.getByText(/“MINE” was not saved\. .* changed (this )?to “THEIRS”\./).waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Edit it').click();
    await expect
      .poll(async () => {
        if ((await editor(page).count()) > 0) await page.keyboard.press('Enter');
        return (await read(ids))[0]?.duration;
      })
      .toBe('MINE');
    await close();
  });

  it('are one choice, too, when the other is saved before the page has heard of it', async () => {
    const { page, ids, close } = await open('Transmutation', 1);
    await beforeSaves(page, () => update(ids[0] ?? 0, { duration: 'THEIRS' }));
    await enter(page, 0, 2, 'MINE');
    await page.getByText('“MINE” was not saved. Somebody else has changed this to “THEIRS”.').waitFor();
    expect(await button(page, 'Save it').count()).toBe(0);
    await button(page, 'Give it up').click();
    await page.getByText('was not saved').waitFor({ state: 'detached' });
    await cell(page, 0, 2).getByText('THEIRS').waitFor();
    expect((await read(ids))[0]?.duration).toBe('THEIRS');
    await close();
  });

  it('are both in the form of the record, where its list is no longer on the screen', async () => {
    const { page, ids, close } = await open('Dowsing', 1);
    await type(page, 0, 2, 'MINE');
    await update(ids[0] ?? 0, { duration: 'THEIRS' });
    await page.getByText('Enter saves yours').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await button(page, 'Edit it').click();
    const both = page.getByRole('group', { name: 'Duration' });
    await both.getByText('THEIRS', { exact: true }).waitFor();
    expect([await field(page, /^Duration/).inputValue(), await both.locator('input:checked').count()]).toEqual([
      'MINE',
      0,
    ]);
    await close();
  });

  it('is shown of a record that somebody has deleted, until it is restored or the user gives it up', async () => {
    const { page, context, ids, close } = await open('Geomancy', 1);
    const [id = 0] = ids;
    await context.setOffline(true);
    await enter(page, 0, 2, 'MINE');
    await page.getByText('1 value is not saved yet.').waitFor();
    await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    await page.getByRole('link', { name: 'Overview' }).click();
    await context.setOffline(false);
    await page.getByText('“MINE” was not saved').waitFor();
    expect([await button(page, 'Copy it').count(), await button(page, 'Save it').count()]).toEqual([1, 0]);
    await button(page, 'Edit it').click();
    const typed = page.getByRole('region', { name: 'You typed this, and it is not saved:' });
    await typed.getByText('MINE').waitFor();
    await page.reload();
    await typed.getByText('MINE').waitFor();
    await button(page, 'Restore it').click();
    await expect.poll(() => field(page, /^Duration/).inputValue()).toBe('MINE');
    await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    await page.getByText(`Program ${id} was deleted`).waitFor();
    await page.reload();
    await button(page, 'Give it up').click();
    await typed.waitFor({ state: 'detached' });
    await close();
  });
});

describe('a change of many that others overtake', () => {
  it('replaces in the name that somebody else has given meanwhile, and takes nothing back', async () => {
    const { page, ids, close } = await open('Palmistry', 1);
    await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
    await button(page, 'Find and replace').click();
    await page.keyboard.type('Palmistry');
    await page.getByLabel('Replace with').fill('Chiromancy');
    await button(page, 'Check').click();
    await page.getByRole('dialog').getByRole('row').filter({ hasText: 'Palmistry 01 → Chiromancy 01' }).waitFor();
    await update(ids[0] ?? 0, { name: 'Advanced Palmistry 01' });
    await button(page, 'Change 1 program').click();
    await page.getByText('These records were changed meanwhile').waitFor();
    await page
      .getByRole('dialog')
      .getByRole('row')
      .filter({ hasText: 'Advanced Palmistry 01 → Advanced Chiromancy 01' })
      .waitFor();
    await button(page, 'Change 1 program').click();
    await expect.poll(async () => (await read(ids))[0]?.name).toBe('Advanced Chiromancy 01');
    await close();
  });

  it('is known to be made, when its answer was lost, also where others have changed it since', async () => {
    const { page, ids, close } = await open('Runes', 2);
    await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
    await button(page, 'Find and replace').click();
    await page.keyboard.type('Runes');
    await page.getByLabel('Replace with').fill('Runestones');
    await button(page, 'Check').click();
    let isLost = false;
    await page.route(/import.*dryRun=false/, async (route) => {
      if (isLost) return route.fallback();
      isLost = true;
      await route.fetch();
      await update(ids[0] ?? 0, { name: 'Elder Runestones 01' });
      return route.abort();
    });
    await button(page, 'Change 2 programs').click();
    await page.getByText('2 programs were changed.').waitFor();
    expect((await read(ids)).map(({ name }) => name)).toEqual(['Elder Runestones 01', 'Runestones 02']);
    await close();
  });

  it('moves to another program when the chosen one was deleted', async () => {
    const { make } = server;
    const [from, deleted, to] = [
      await make.program({ name: 'Scrying' }),
      await make.program({ name: 'Gone Scrying' }),
      await make.program({ name: 'Other Scrying' }),
    ];
    const { id } = await make.branch(from.id, { name: 'Crystals' });
    const { page, close } = await openConsole(browser, server.url, `/branches/${id}`);
    await button(page, 'Move branch').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill('Gone Scrying');
    await dialog.getByRole('option', { name: /Gone Scrying/ }).click();
    await button(page, 'Move 1 branch').waitFor();
    await server.graphql(`mutation { deleteProgram(id: ${deleted.id}) { id } }`);
    await button(page, 'Move 1 branch').click();
    await dialog.getByText(/does not exist: somebody may have deleted it/).waitFor();
    await dialog.getByRole('searchbox').fill('Other Scrying');
    await dialog.getByRole('option', { name: /Other Scrying/ }).click();
    await button(page, 'Move 1 branch').click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await server.graphql(`{ branch(id: ${id}) { program { id } } }`);
    expect(body.data.branch.program.id).toBe(to.id);
    await close();
  });
});
