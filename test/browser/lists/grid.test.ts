import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { factoriesFor } from '../../support/factories.ts';
import { adminKey, useServer } from '../../support/server.ts';
import { startBrowser } from '../browser.ts';
import { button, field, openConsole, pasteText } from '../console.ts';
import { cell, editor, openCell, programsOf } from './programs.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const { open: openPrograms, update, read } = programsOf(server, () => browser);
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.closest("td")?.innerText ?? document.activeElement.tagName');

/** In the page: whether the title and the first button of a dialog are seen when it is scrolled to its start and its end. */
const areInSight = `(() => {
  const dialog = document.querySelector('dialog[open]');
  const isOnTop = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 4, top + height / 2));
  };
  return [0, dialog.scrollHeight].flatMap((top) => {
    dialog.scrollTo(0, top);
    return ['h2', '.actions:last-child button'].map((name) => isOnTop(dialog.querySelector(name)));
  });
})()`;

/** How many fields are in memory and not on the page. */
async function detachedFields(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const prototype = await session.send('Runtime.evaluate', { expression: 'HTMLInputElement.prototype' });
  const { objects } = await session.send('Runtime.queryObjects', {
    prototypeObjectId: prototype.result.objectId ?? '',
  });
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: 'function () { return this.filter((field) => !field.isConnected).length; }',
  });
  return z.int().parse(result.value);
}

describe('a cell', () => {
  it('is reached and edited by keyboard alone: Enter saves and goes down, Tab goes on, Escape leaves it as it was', async () => {
    const { page, ids, close, problems } = await openPrograms('Astronomy', 3);
    await page.getByRole('link', { name: 'Astronomy 01' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('4 Years');
    await page.keyboard.press('Enter');
    await page.keyboard.type('5 Years');
    await page.keyboard.press('Enter');
    await page.keyboard.press('F2');
    await page.keyboard.type('6 Years');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Master');
    await page.keyboard.press('Tab');
    // After the last cell comes the first of the next row.
    expect(await editor(page).inputValue()).toBe('Astronomy 03');
    await page.keyboard.type('Lost');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Astronomy 03');
    await page.keyboard.press('F2');
    await page.keyboard.press('Tab');
    // Whoever goes on by an arrow does not edit what Tab has opened.
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('4 Years');
    await expect
      .poll(() => read(ids))
      .toEqual([
        { name: 'Astronomy 01', code: 'Astronomy-1', duration: '5 Years', attributes: [] },
        {
          name: 'Astronomy 02',
          code: 'Astronomy-2',
          duration: '6 Years',
          attributes: [{ key: 'level', value: 'Master' }],
        },
        { name: 'Astronomy 03', code: 'Astronomy-3', duration: '4 Years', attributes: [] },
      ]);
    await cell(page, 1, 3).getByText('Master').waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it('that was begun by a letter is saved and left by an arrow, with suggestions too; after F2, arrows move in its text', async () => {
    const { page, ids, close } = await openPrograms('Bryology', 2);
    await update(ids[1] ?? 0, { attributes: [{ key: 'level', value: 'Bachelor' }] });
    await cell(page, 0, 2).click();
    await page.keyboard.type('5 Years');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Bach');
    await page.locator('datalist option').first().waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('Bachelor');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('Years');
    await page.keyboard.press('F2');
    for (let letter = 0; letter < 5; letter += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('6 ');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await read(ids)).map(({ duration, attributes }) => ({ duration, attributes })))
      .toEqual([
        { duration: '5 Years', attributes: [{ key: 'level', value: 'Bach' }] },
        { duration: '6 Years', attributes: [{ key: 'level', value: 'Bachelor' }] },
      ]);
    await close();
  });

  it('gets what is typed after a press on it that becomes no click, though it had the focus before', async () => {
    const { page, ids, close } = await openPrograms('Pedology', 2);
    await cell(page, 0, 1).click();
    await page.keyboard.type('FIRST');
    await page.keyboard.press('Enter');
    const { x, y, height } = (await cell(page, 1, 1).boundingBox()) ?? { x: 0, y: 0, height: 0 };
    await page.mouse.move(x + 20, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 50, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.type('SECOND');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await read(ids)).map(({ code }) => code)).toEqual(['FIRST', 'SECOND']);
    await close();
  });

  it('gets what is typed after a press on it, though the cell that was edited goes with its row, which is deleted', async () => {
    const { page, ids, close } = await openPrograms('Petrology', 4);
    await cell(page, 1, 1).dblclick();
    await server.graphql(`mutation { deleteProgram(id: ${ids[1]}) { id } }`);
    await page.getByText('3 programs').waitFor();
    const { x, y, height } = (await cell(page, 3, 1).boundingBox()) ?? { x: 0, y: 0, height: 0 };
    await page.mouse.move(x + 20, y + height / 2);
    await page.mouse.down();
    await page.keyboard.type('LATER');
    await page.keyboard.press('Enter');
    await page.mouse.up();
    await expect.poll(async () => (await read(ids.slice(3)))[0]?.code).toBe('LATER');
    await close();
  });

  it('keeps the focus and what is typed when the end of the list, to which End leads, comes later', async () => {
    const { page, ids, close } = await openPrograms('Speleology', 120);
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await cell(page, 0, 1).click();
    const isAsked = page.waitForRequest((request) => request.postData()?.includes('"last"') === true);
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('"last"') === true) await isReleased;
      await route.fallback();
    });
    await page.keyboard.press('End');
    await isAsked;
    await cell(page, 2, 1).click();
    await page.keyboard.type('LA');
    release();
    await page.mouse.wheel(0, 100_000);
    await page.getByRole('link', { name: 'Speleology 99' }).waitFor();
    await page.keyboard.type('TER');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await read(ids.slice(2, 3)))[0]?.code).toBe('LATER');
    await close();
  });

  it('of a name gets what is typed after Enter in the name above it', async () => {
    const { page, ids, close } = await openPrograms('Heraldry', 2);
    await openCell(page, cell(page, 0, 0));
    await page.keyboard.type('Heraldry 0 of England');
    await page.keyboard.press('Enter');
    await page.keyboard.type('xn Heraldry 1 of France');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await read(ids)).map(({ name }) => name))
      .toEqual(['Heraldry 0 of England', 'xn Heraldry 1 of France']);
    await close();
  });

  it('is a double click away, and what is rejected stays to be corrected', async () => {
    const { page, ids, close } = await openPrograms('Ballistics', 2);
    await cell(page, 0, 2).dblclick();
    await editor(page).fill('');
    await page.keyboard.press('Enter');
    await page.getByText(/Ballistics 01, Duration: .*must not be empty/).waitFor();
    await button(page, 'Edit it').click();
    expect(await editor(page).inputValue()).toBe('');
    await page.keyboard.type('2 Years');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await read(ids))[0]?.duration).toBe('2 Years');
    await close();
  });

  it('that somebody else changes meanwhile shows both values; changes of other fields stop nobody', async () => {
    const { page, ids, close } = await openPrograms('Cytology', 1);
    const [id = 0] = ids;
    await page.getByRole('link', { name: 'Cytology 01' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    await page.keyboard.type('MINE');
    await update(id, { duration: '9 Years' });
    await cell(page, 0, 2).getByText('9 Years').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await read(ids))[0]).toMatchObject({ code: 'MINE', duration: '9 Years' });

    await page.keyboard.press('F2');
    await page.keyboard.type('MINE TOO');
    await update(id, { code: 'THEIRS' });
    await page.getByText('Somebody else has changed this to “THEIRS”.').waitFor();
    expect(await editor(page).inputValue()).toBe('MINE TOO');
    await page.keyboard.press('Escape');
    await cell(page, 0, 1).getByText('THEIRS').waitFor();
    await close();
  });

  it('keeps what is typed when its row leaves the window, the list or the catalog', async () => {
    const { page, ids, close } = await openPrograms('Ornithology', 120);
    await page.getByRole('link', { name: 'Ornithology 01' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    await page.keyboard.type('5 Years');
    await page.mouse.move(600, 600);
    await page.mouse.wheel(0, 3_000);
    await page.getByRole('link', { name: 'Ornithology 80' }).waitFor();
    await update(ids[0] ?? 0, { name: 'Elsewhere', code: null });
    await page.getByText('119 programs').waitFor();
    await page.keyboard.type(' gn?');
    expect(await editor(page).inputValue()).toBe('5 Years gn?');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await read(ids))[0]?.duration).toBe('5 Years gn?');
    await editor(page).waitFor({ state: 'detached' });

    await update(ids[1] ?? 0, { duration: 'Rare' });
    await page.goto(`${server.url}/console/programs?duration={"is":["Rare"]}&columns=name,duration`);
    await cell(page, 0, 1).dblclick();
    await editor(page).fill('6 Ye');
    await server.graphql(`mutation { deleteProgram(id: ${ids[1]}) { id } }`);
    await page.getByText('0 programs').waitFor();
    await page.keyboard.type('ars');
    await page.keyboard.press('Enter');
    await page.getByText(/Ornithology 02, Duration: “6 Years” was not saved/).waitFor();
    await close();
  });

  it.each(['TEXT', 'CHOICE'])('keeps its field, a %s, while others define its attribute anew', async (kind) => {
    const key = `k${kind.toLowerCase()}`;
    const define = (now: string) => {
      const choices = now === 'CHOICE' ? ', choices: [{ value: "UG" }, { value: "PG" }]' : '';
      return server.graphql(
        `mutation { saveAttributeDefinition(input: { key: "${key}", label: "${key}", kind: ${now}${choices} }) { id } }`,
      );
    };
    await define(kind);
    const { page, ids, close } = await openPrograms(`Rhetoric${kind}`, 2, `name,code,attributes.${key}`);
    await define(kind === 'TEXT' ? 'CHOICE' : 'TEXT');
    // A save of oneself reads the definitions again, which come while one types.
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isOfDefinitions = (data: string | null) => data?.includes('query AttributeDefinitions') === true;
    await page.route('**/graphql', async (route) => {
      if (isOfDefinitions(route.request().postData())) await isReleased;
      await route.fallback();
    });
    const isRead = page.waitForResponse((response) => isOfDefinitions(response.request().postData()));
    await cell(page, 0, 1).click();
    await page.keyboard.type('FIRST');
    await page.keyboard.press('Tab');
    const opened = page.locator(kind === 'TEXT' ? '.cell-editor input' : '.cell-editor select');
    await opened.waitFor();
    if (kind === 'TEXT') await page.keyboard.type('Bach');
    release();
    await (await isRead).finished();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect(await opened.count()).toBe(1);
    await page.keyboard.type(kind === 'TEXT' ? 'elor' : 'PG');
    await page.keyboard.press('Enter');
    if (kind === 'TEXT') await page.getByText('“Bachelor” was not saved.').waitFor();
    else {
      await expect
        .poll(async () => (await read(ids))[0])
        .toMatchObject({ code: 'FIRST', attributes: [{ key, value: 'PG' }] });
    }
    await close();
  });

  it('is saved when somebody else has just saved the same', async () => {
    const { page, ids, close } = await openPrograms('Parasitology', 1);
    await page.route('**/graphql', async (route) => {
      const isSave = route.request().postData()?.includes('mutation UpdateProgram') === true;
      if (isSave) await update(ids[0] ?? 0, { duration: '5 Years' });
      await route.fallback();
    });
    await cell(page, 0, 2).dblclick();
    await editor(page).fill('5 Years');
    const answer = page.waitForResponse(async (response) => (await response.text()).includes('CONFLICT'));
    await page.keyboard.press('Enter');
    await answer;
    await editor(page).waitFor({ state: 'detached' });
    expect(await page.getByText('Somebody else has changed this').count()).toBe(0);
    await close();
  });

  it('is saved when one goes back in the browser', async () => {
    const { page, ids, close } = await openPrograms('Zoology', 1);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.goBack();
    await cell(page, 0, 2).dblclick();
    await editor(page).fill('7 Years');
    await page.goForward();
    await expect.poll(async () => (await read(ids))[0]?.duration).toBe('7 Years');
    await close();
  });
});

describe('what one types into a cell', () => {
  it('takes no memory once it is saved, though it was longer than its field', async () => {
    const { page, ids, close } = await openPrograms('Topology', 1);
    for (const letter of 'abcdef') {
      await cell(page, 0, 1).dblclick();
      await editor(page).pressSequentially(letter.repeat(50));
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await read(ids))[0]?.code).toBe(letter.repeat(50));
    }
    // The table, and what passes the focus on, may still know the last.
    expect(await detachedFields(page)).toBeLessThan(4);
    await close();
  });

  it('stays there while others add more rows above than fit on the screen, and is saved', async () => {
    const { page, ids, close } = await openPrograms('Cartography', 2);
    await cell(page, 1, 1).dblclick();
    await page.keyboard.type('TYPED');
    const rows = Array.from({ length: 60 }, (_, at) => `Cartography 00 ${at},1 Year`);
    const response = await fetch(`${server.url}/import/catalog`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey, 'content-type': 'text/csv' },
      body: ['program_name,program_duration', ...rows].join('\n'),
    });
    expect(response.status).toBe(200);
    await page.getByText('62 programs').waitFor();
    await page.keyboard.type(' ON');
    expect([await editor(page).inputValue(), await cell(page, 1, 0).textContent()]).toEqual([
      'TYPED ON',
      'Cartography 02',
    ]);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await read(ids))[1]?.code).toBe('TYPED ON');
    await page.getByRole('link', { name: 'Cartography 00 7' }).waitFor();
    await close();
  });
});

describe('cells from a spreadsheet', () => {
  it('change nothing that somebody else has saved since they were checked, before it is shown', async () => {
    const { page, ids, close } = await openPrograms('Forestry', 3);
    await page.getByRole('link', { name: 'Forestry 01' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await pasteText(page, '1 Year\n2 Years\n3 Years');
    const change = page.getByRole('dialog').getByRole('button', { name: 'Change 3 programs' });
    await change.waitFor();
    await update(ids[0] ?? 0, { name: 'Forests', duration: '9 Years' });
    await change.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('These records were changed meanwhile').waitFor();
    await dialog.getByRole('row').filter({ hasText: '9 Years → 1 Year' }).waitFor();
    await change.click();
    await dialog.waitFor({ state: 'detached' });
    expect((await read(ids)).map(({ name, duration }) => [name, duration])).toEqual([
      ['Forests', '1 Year'],
      ['Forestry 02', '2 Years'],
      ['Forestry 03', '3 Years'],
    ]);
    await close();
  });

  it('are pasted beside what somebody else saves in other fields after the last check', async () => {
    const { page, ids, close } = await openPrograms('Viticulture', 1);
    await page.route(
      '**/import/catalog?*dryRun=false*',
      async (route) => {
        await update(ids[0] ?? 0, { code: 'THEIRS' });
        await route.fallback();
      },
      { times: 1 },
    );
    await cell(page, 0, 2).focus();
    await pasteText(page, '6 Years');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Change 1 program' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await read(ids)).toMatchObject([{ code: 'THEIRS', duration: '6 Years' }]);
    await close();
  });

  it('are pasted into the column that one sees, also where a record beside the list hides others', async () => {
    const { page, close } = await openPrograms('Mycology', 2, 'name,branches,duration');
    await page.getByRole('link', { name: 'Mycology 01' }).focus();
    await page.keyboard.press('j');
    await page.getByRole('columnheader', { name: 'Branches' }).waitFor({ state: 'detached' });
    await cell(page, 0, 1).focus();
    await pasteText(page, '6 Years');
    await page.getByRole('dialog').getByRole('row').filter({ hasText: '4 Years → 6 Years' }).waitFor();
    await close();
  });

  it('are checked again where they could not be', async () => {
    const { page, close } = await openPrograms('Herpetology', 1);
    await page.route('**/import/catalog*', (route) => route.abort(), { times: 1 });
    await cell(page, 0, 2).focus();
    await pasteText(page, '6 Years');
    await button(page, 'Try again').click();
    await page.getByRole('dialog').getByRole('row').filter({ hasText: '4 Years → 6 Years' }).waitFor();
    await close();
  });

  it('are pasted into the selected rows: checked in words first, as one change, with one undo', async () => {
    const { page, ids, close } = await openPrograms('Dendrology', 20);
    const before = await read(ids);
    await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
    await cell(page, 0, 1).click();
    const block = ids.map((_, at) => [`NEW-${at}`, `${1 + (at % 4)} Years`, at % 2 === 0 ? 'Bachelor' : 'Master']);
    await cell(page, 0, 1).focus();
    await pasteText(page, `${block.map((row) => row.join('\t')).join('\r\n')}\r\n`);
    const dialog = page.getByRole('dialog', { name: 'Change 20 programs' });
    await dialog.getByText('20 programs will change.').waitFor();
    await dialog.getByRole('row').filter({ hasText: 'Dendrology-1 → NEW-0' }).waitFor();
    expect(await read(ids)).toEqual(before);
    await dialog.getByRole('button', { name: 'Change 20 programs' }).click();
    await page.getByText('20 programs were changed.').waitFor();
    expect(await read(ids)).toEqual(
      block.map(([code, duration, level], at) => ({
        name: before[at]?.name,
        code,
        duration,
        attributes: [{ key: 'level', value: level }],
      })),
    );
    await button(page, 'Undo').click();
    await page.getByText(/^Undone: You changed .* of 20 programs by paste/).waitFor();
    expect(await read(ids)).toEqual(before);
    await close();
  });

  it('of a long change scroll below its title and above its buttons, and only the newest change is said to be done', async () => {
    const { page, close } = await openPrograms('Geodesy', 30);
    await page.setViewportSize({ width: 768, height: 500 });
    const paste = async (duration: string): Promise<void> => {
      await cell(page, 0, 2).focus();
      await pasteText(page, Array.from({ length: 30 }, () => duration).join('\n'));
      const dialog = page.getByRole('dialog', { name: 'Change 30 programs' });
      const change = dialog.getByRole('button', { name: 'Change 30 programs' });
      await change.waitFor();
      expect(await page.evaluate(areInSight)).toEqual([true, true, true, true]);
      await change.click();
      await dialog.waitFor({ state: 'detached' });
    };
    await paste('5 Years');
    await paste('6 Years');
    const messages = page.getByRole('region', { name: 'Messages' });
    await expect.poll(() => messages.getByText('30 programs were changed.').count()).toBe(1);
    await button(page, 'Undo').click();
    await page.getByText(/^Undone: You changed .* of 30 programs by paste/).waitFor();
    await cell(page, 0, 2).getByText('5 Years').waitFor();
    await close();
  });

  it('are copied as a block: the selected rows with their columns, or the cell', async () => {
    const { page, context, close } = await openPrograms('Ecology', 2);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async () => {
      await page.keyboard.press('Control+c');
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    await page.getByRole('link', { name: 'Ecology 02' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await copied()).toBe('Ecology-2');
    await page.keyboard.press('Control+a');
    expect(await copied()).toBe('Ecology 01\tEcology-1\t4 Years\t\nEcology 02\tEcology-2\t4 Years\t');
    await close();
  });
});

/** Loses the response to the next such operation, which the service has executed unless it does not reach that. */
async function loseResponse(page: Page, operation: string, reachesService = true): Promise<void> {
  let isLost = false;
  await page.route('**/graphql', async (route) => {
    if (isLost || !(route.request().postData() ?? '').includes(operation)) return route.fallback();
    isLost = true;
    if (reachesService) await route.fetch();
    return route.abort();
  });
}

describe('Ctrl-Z', () => {
  it('says first that the undo before was done, where the response to that was lost, and asks before the next', async () => {
    const { page, ids, close } = await openPrograms('Pomology', 2);
    await page.getByRole('link', { name: 'Pomology 01' }).focus();
    await loseResponse(page, 'mutation UndoChange');
    await page.keyboard.press('Control+z');
    await page.getByText('this may be done or not').waitFor();
    await page.getByRole('link', { name: 'Pomology 02' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await page.getByText('Undone: You created Pomology 02').waitFor();
    expect((await read(ids)).map(({ name }) => name)).toEqual(['Pomology 01']);
    await page.keyboard.press('Control+z');
    await page.getByText('You created Pomology 01').waitFor();
    await button(page, 'Undo it').waitFor();
    expect((await read(ids)).map(({ name }) => name)).toEqual(['Pomology 01']);
    await close();
  });

  it('is done at the second press, without a question, where the first never reached the service', async () => {
    const { page, ids, close } = await openPrograms('Oenology', 2);
    await page.getByRole('link', { name: 'Oenology 01' }).focus();
    await loseResponse(page, 'mutation UndoChange', false);
    await page.keyboard.press('Control+z');
    await page.getByText('this may be done or not').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('Undone: You created Oenology 02').waitFor();
    expect((await read(ids)).map(({ name }) => name)).toEqual(['Oenology 01']);
    await close();
  });

  it('undoes the last own change and says what it was', async () => {
    const { page, ids, close } = await openPrograms('Silviculture', 1);
    await page.getByRole('link', { name: 'Silviculture 01' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    await page.keyboard.type('WRONG');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await read(ids))[0]?.code).toBe('WRONG');
    await page.keyboard.press('Control+z');
    await page.getByText('Undone: You changed Silviculture 01').waitFor();
    expect((await read(ids))[0]?.code).toBe('Silviculture-1');
    await close();
  });
});

describe('the columns of a list', () => {
  it('have an attribute that no record has yet, to be filled', async () => {
    const { page, ids, close } = await openPrograms('Limnology', 2, 'name,duration');
    await button(page, 'Columns').click();
    await field(page, 'Another attribute').fill('campus');
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'campus' }).waitFor();
    await cell(page, 0, 2).focus();
    await pasteText(page, 'North\nSouth');
    await button(page, 'Change 2 programs').click();
    await page.getByText('2 programs were changed.').waitFor();
    expect((await read(ids)).map(({ attributes }) => attributes)).toEqual([
      [{ key: 'campus', value: 'North' }],
      [{ key: 'campus', value: 'South' }],
    ]);
    await close();
  });
});

describe('the keys of a long list', () => {
  it('lead to its ends, and into the record beside it and back', async () => {
    const { page, close } = await openPrograms('Geology', 4);
    await factoriesFor(server).program({ name: 'Zoology of Geology' });
    await page.getByRole('link', { name: 'Zoology of Geology' }).waitFor();
    await page.getByRole('link', { name: 'Geology 01' }).focus();
    await page.keyboard.press('End');
    expect(await focused(page)).toBe('Zoology of Geology');
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Zoology of Geology' }).waitFor();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
    expect(await page.evaluate<string>('document.activeElement.className')).toBe('side-panel');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Zoology of Geology');
    await close();
  });
});

describe('a change of many', () => {
  it('says beforehand what the records have now, by number', async () => {
    const { page, ids, close } = await openPrograms('Hydrology', 4);
    await update(ids[0] ?? 0, { duration: '2 Years' });
    await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
    await button(page, 'Change a field').click();
    await page.keyboard.type('5 Years');
    await page.keyboard.press('Enter');
    await page.getByText('Now: 3 × “4 Years” and 1 × “2 Years”.').waitFor();
    await close();
  });

  it('finds and replaces a part of a text: old values beside new ones first, as one change', async () => {
    const { page, ids, close } = await openPrograms('Ichthyology', 3);
    await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
    await button(page, 'Find and replace').click();
    await page.keyboard.type('0');
    await page.getByLabel('Replace with').fill('Part ');
    await button(page, 'Check').click();
    const dialog = page.getByRole('dialog', { name: 'Change 3 programs' });
    await dialog.getByRole('row').filter({ hasText: 'Ichthyology 01 → Ichthyology Part 1' }).waitFor();
    await button(page, 'Change 3 programs').click();
    await page.getByText('3 programs were changed.').waitFor();
    expect((await read(ids)).map(({ name }) => name)).toEqual([1, 2, 3].map((part) => `Ichthyology Part ${part}`));
    await close();
  });
});

describe('a search among programs', () => {
  it('says which branches answer it', async () => {
    const make = factoriesFor(server);
    await make.branch((await make.program({ name: 'Public Health' })).id, { name: 'Epidemiology' });
    const { page, close } = await openConsole(browser, server.url, '/programs?q=epidemiology');
    await page.getByText('1 branch: Epidemiology in Public Health').waitFor();
    await close();
  });
});

describe('the filters of a list', () => {
  it('find records without a code, by the number of branches and by days that are often meant', async () => {
    const make = factoriesFor(server);
    for (const [name, branches] of [
      ['Jurisprudence 1', 0],
      ['Jurisprudence 2', 1],
      ['Jurisprudence 3', 3],
    ] as const) {
      const { id } = await make.program({ name, ...(branches === 1 && { code: 'JU' }) });
      for (let branch = 0; branch < branches; branch += 1) await make.branch(id);
    }
    const { page, close } = await openConsole(browser, server.url, '/programs?q=jurisprudence');
    const names = () => page.getByRole('grid', { name: 'Programs' }).getByRole('link').allTextContents();
    const filterBy = async (name: string) => {
      await button(page, '+ Filter').click();
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    };
    await filterBy('Number of branches');
    await field(page, 'From').fill('1');
    await button(page, 'Filter').click();
    await expect.poll(names).toEqual(['Jurisprudence 2', 'Jurisprudence 3']);
    await filterBy('Code');
    await page.getByRole('combobox', { name: 'Code' }).selectOption('is empty');
    await expect.poll(names).toEqual(['Jurisprudence 3']);
    await filterBy('Created');
    await page.getByRole('dialog').getByRole('button', { name: 'Today' }).click();
    await expect.poll(names).toEqual(['Jurisprudence 3']);
    await close();
  });
});
