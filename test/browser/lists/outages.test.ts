import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminKey, useServer } from '../../support/server.ts';
import { startBrowser } from '../browser.ts';
import { button, field, pasteText } from '../console.ts';
import { cell, editor, programsOf } from './programs.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const { open, read, update } = programsOf(server, () => browser);
const typed = '7 Years';
const duration = async (id: number) => (await read([id]))[0]?.duration;

/** Where one types, up to what sends it; which buttons send it again; and whether that has come to pass. */
interface Surface {
  readonly name: string;
  readonly type: (page: Page, id: number) => Promise<unknown>;
  readonly send: (page: Page) => Promise<unknown>;
  readonly again: readonly string[];
  readonly isStored: (id: number) => Promise<boolean>;
  /** Whether it is there again after a reload; of others, the browser asks before they are gone. */
  readonly outlasts: boolean;
  /** Of a paste, the cells are not shown while it says what is wrong. */
  readonly isShown?: boolean;
}

const openRecord = (page: Page, id: number) => page.goto(`${server.url}/console/programs/${id}`);
const isChanged = async (id: number) => (await duration(id)) === typed;
const change = 'Change 1 program';
const pressEnter = (page: Page) => page.keyboard.press('Enter');

const surfaces: readonly Surface[] = [
  {
    name: 'form',
    type: async (page, id) => {
      await openRecord(page, id);
      await button(page, 'Edit program').click();
      await field(page, 'Duration').fill(typed);
    },
    send: pressEnter,
    again: ['Save'],
    isStored: isChanged,
    outlasts: true,
  },
  {
    name: 'cell',
    type: async (page) => {
      await cell(page, 0, 2).dblclick();
      await editor(page).fill(typed);
    },
    send: pressEnter,
    again: ['Save it'],
    isStored: isChanged,
    outlasts: true,
  },
  {
    name: 'paste',
    type: async (page) => {
      await cell(page, 0, 2).click();
      await pasteText(page, typed);
      await button(page, change).waitFor();
    },
    send: pressEnter,
    isShown: false,
    again: [change, 'Try again'],
    isStored: isChanged,
    outlasts: false,
  },
  {
    name: 'bulk',
    type: async (page) => {
      await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
      await button(page, 'Change a field').click();
      await page.getByRole('dialog').getByLabel('New duration').fill(typed);
      await button(page, 'Check').click();
      await expect.poll(() => button(page, change).getAttribute('aria-disabled')).toBe('false');
    },
    send: pressEnter,
    again: [change, 'Check'],
    isStored: isChanged,
    outlasts: false,
  },
  {
    name: 'note',
    type: async (page, id) => {
      await openRecord(page, id);
      await button(page, 'Add a note').click();
      await field(page, 'Note').fill(typed);
    },
    send: (page) => button(page, 'Save').click(),
    again: ['Save'],
    isStored: async (id) => {
      const { body } = await server.graphql(`{ notes(filter: { programId: ${id} }, first: 9) { nodes { text } } }`);
      return body.data.notes.nodes.length === 1;
    },
    outlasts: true,
  },
  {
    name: 'import',
    type: async (page, id) => {
      await page.goto(`${server.url}/console/transfer`);
      const [program] = await read([id]);
      const text = `program_id,program_name,program_duration\n${id},${program?.name},${typed}\n`;
      const file = { name: `${typed}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) };
      await page.locator('input[type=file]').setInputFiles(file);
      // The list of last imports may say the same of another.
      await page.getByText('0 new, 1 changed').first().waitFor();
    },
    // The page may know before that its session has ended.
    send: (page) =>
      button(page, `Import ${typed}.csv`)
        .click({ timeout: 3_000 })
        .catch(() => undefined),
    again: [`Import ${typed}.csv`, 'Check again'],
    isStored: isChanged,
    outlasts: false,
  },
];

interface Outage {
  readonly name: string;
  readonly begin: (page: Page, context: BrowserContext) => Promise<unknown>;
  readonly end: (page: Page, context: BrowserContext) => Promise<unknown>;
}

const endSession = (page: Page) =>
  page.request.delete(`${server.url}/session`, { headers: { 'sec-fetch-site': 'same-origin' } });

/** Signs in again where the page asks for it. */
async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  // It waits while a field has the focus.
  const offer = page.locator('.session-ended').getByRole('button', { name: 'Sign in' });
  await dialog.or(offer).first().waitFor();
  if ((await offer.count()) > 0) await offer.click();
  await dialog.getByLabel('API key or token').fill(adminKey);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}

const outages: readonly Outage[] = [
  {
    name: 'the network is off',
    begin: (_page, context) => context.setOffline(true),
    end: (_page, context) => context.setOffline(false),
  },
  {
    name: 'the session has ended',
    begin: endSession,
    end: signInAgain,
  },
  {
    name: 'the service restarts',
    begin: async (page) => {
      const json = {
        message: 'Restarting.',
        errors: [{ message: 'Restarting.', extensions: { code: 'UNAVAILABLE' } }],
      };
      const headers = { 'x-error-code': 'UNAVAILABLE' };
      await page.route(/\/(graphql|import)/, (route) => route.fulfill({ status: 503, headers, json }));
    },
    end: (page) => page.unrouteAll(),
  },
];

/** All that one reads in the page, and in its fields. */
const shown = (page: Page) =>
  page.evaluate<string>(
    `[document.body.innerText, ...Array.from(document.querySelectorAll('input, textarea'), ({ value }) => value)].join(' ')`,
  );
const isSaid = /was saved|Imported \d|what you see is up to date|1 program was changed/;

const cases = surfaces.flatMap((surface) => outages.map((outage) => ({ surface, outage })));

it.each(cases)(
  'what was typed in a $surface.name is there, and is stored once, though $outage.name',
  async ({ surface, outage }) => {
    const { page, context, ids, close } = await open(`Outage${surface.name}${outages.indexOf(outage)}`, 1);
    const [id = 0] = ids;
    await surface.type(page, id);
    await outage.begin(page, context);
    await surface.send(page);
    await page
      .getByRole('alert')
      .or(page.getByText('1 value is not saved yet.'))
      .or(page.getByRole('dialog', { name: 'Sign in again' }))
      .first()
      .waitFor();
    if (surface.isShown !== false) expect(await shown(page)).toContain(typed);
    expect(await surface.isStored(id)).toBe(false);
    expect(await shown(page)).not.toMatch(isSaid);
    await outage.end(page, context);
    await expect
      .poll(
        async () => {
          if (await surface.isStored(id)) return true;
          for (const name of surface.again) {
            const again = button(page, name);
            if ((await again.count()) > 0)
              await again
                .first()
                .click({ timeout: 2_000 })
                .catch(() => undefined);
          }
          return surface.isStored(id);
        },
        { timeout: 30_000 },
      )
      .toBe(true);
    await close();
  },
);

it.each(['paste', 'bulk'])(
  'a %s whose answer was lost is said to be done, and by nobody else, and can be undone',
  async (kind) => {
    const { page, ids, close } = await open(`Lost${kind}`, 1);
    const [id = 0] = ids;
    const surface = surfaces.find(({ name }) => name === kind);
    await surface?.type(page, id);
    let [isLost, isBack] = [false, false];
    await page.route(/\/(graphql|import)/, async (route) => {
      const asked = `${route.request().url()} ${route.request().postData()}`;
      if (isLost) return isBack ? route.fallback() : route.abort();
      if (!/dryRun=false|mutation.*"dryRun":false/.test(asked)) return route.fallback();
      isLost = true;
      await route.fetch();
      return route.abort();
    });
    await surface?.send(page);
    await page.getByRole('dialog').getByRole('alert').waitFor();
    isBack = true;
    await page
      .getByRole('dialog')
      .getByRole('button', { name: new RegExp(surface?.again.join('|') ?? '') })
      .first()
      .click();
    await page.getByText('1 program was changed.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect([await duration(id), await page.getByText('Somebody').count()]).toEqual([typed, 0]);
    await button(page, 'Undo').click();
    await expect.poll(() => duration(id)).toBe('4 Years');
    await close();
  },
);

it('a paste that the browser sends again by itself, as the answer was lost, is said to be done, and by nobody else', async () => {
  const { page, ids, close } = await open('Twicepaste', 1);
  const [id = 0] = ids;
  const surface = surfaces.find(({ name }) => name === 'paste');
  await surface?.type(page, id);
  await page.route(/import.*dryRun=false/, async (route) => {
    await route.fetch();
    await route.fulfill({ response: await route.fetch() });
  });
  await surface?.send(page);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('1 program was changed.').waitFor();
  expect([await duration(id), await page.getByText(/changed meanwhile|Somebody/).count()]).toEqual([typed, 0]);
  await button(page, 'Undo').click();
  await expect.poll(() => duration(id)).toBe('4 Years');
  await close();
});

it('a paste that is made late, after its connection was lost and it was checked again, can be undone', async () => {
  const { page, ids, close } = await open('Latepaste', 1);
  const [id = 0] = ids;
  const surface = surfaces.find(({ name }) => name === 'paste');
  await surface?.type(page, id);
  let arrive: (() => Promise<unknown>) | undefined;
  await page.route(/import.*dryRun=false/, (route) => {
    if (arrive !== undefined) return route.fallback();
    const request = route.request();
    const headers = { ...request.headers(), 'sec-fetch-site': 'same-origin' };
    arrive = () => page.request.fetch(request, { headers });
    return route.abort();
  });
  await surface?.send(page);
  await button(page, 'Try again').click();
  await button(page, change).waitFor();
  await arrive?.();
  await button(page, change).click();
  await page.getByText('1 program was changed.').waitFor();
  await button(page, 'Undo').click();
  await expect.poll(() => duration(id)).toBe('4 Years');
  await close();
});

it('the first Ctrl-Z while the connection is cut says that it did nothing, keeps the page, and works once it is back', async () => {
  const { page, close } = await open('Cutundo', 1);
  const files = /undo-last-.*\.js/;
  await page.route(files, (route) => route.abort());
  await page.keyboard.press('Control+y');
  await page.getByText('The last changes cannot be read. Try again.').waitFor();
  await page.getByRole('link', { name: 'Cutundo 01' }).waitFor();
  await page.unroute(files);
  await page.keyboard.press('Control+y');
  await page.getByText('There is no change of yours to bring back.').waitFor();
  await close();
});

describe('a form whose answer was lost', () => {
  const lose = async (name: string) => {
    const opened = await open(name, 1);
    const [id = 0] = opened.ids;
    const { page } = opened;
    await openRecord(page, id);
    await button(page, 'Edit program').click();
    await field(page, 'Duration').fill(typed);
    let isLost = false;
    await page.route('**/graphql', async (route) => {
      if (isLost || !route.request().postData()?.includes('mutation UpdateProgram')) return route.fallback();
      isLost = true;
      await route.fetch();
      return route.abort();
    });
    const failed = page.waitForEvent('requestfailed');
    await button(page, 'Save').click();
    await failed;
    return { ...opened, id };
  };

  it('says so, and is sent again as it was', async () => {
    const { page, id, close } = await lose('Lostform');
    await page.getByRole('form').getByRole('alert').waitFor();
    await button(page, 'Save').click();
    await page.getByText('was saved').waitFor();
    expect(await duration(id)).toBe(typed);
    await close();
  });

  it('is closed after a reload, as the record has what was typed', async () => {
    const { page, close } = await lose('Reloaded');
    page.once('dialog', (dialog) => dialog.accept());
    await page.reload();
    await button(page, 'Edit program').waitFor();
    await page.locator('.facts').getByText(typed).waitFor();
    expect(await page.getByRole('form').count()).toBe(0);
    await close();
  });

  it('replaces nothing that somebody else decided since, and shows that', async () => {
    const { page, id, close } = await lose('Standing');
    await update(id, { duration: '4 Years', code: 'THEIRS' });
    await expect.poll(() => field(page, /^Code/).inputValue()).toBe('THEIRS');
    expect(await field(page, 'Duration').inputValue()).toBe(typed);
    await button(page, 'Save').click();
    await expect.poll(() => field(page, 'Duration').inputValue()).toBe('4 Years');
    expect([await duration(id), await page.getByText('was saved').count()]).toEqual(['4 Years', 0]);
    await close();
  });

  it('saves what the user has chosen since', async () => {
    const { page, id, close } = await lose('Chosen');
    await update(id, { duration: '9 Years' });
    await page.getByRole('radio', { name: /Yours/ }).click();
    await button(page, 'Save').click();
    await page.getByText('was saved').waitFor();
    expect(await duration(id)).toBe(typed);
    await close();
  });
});

it.each(surfaces)('the browser asks before a tab is closed on what was typed in a $name', async (surface) => {
  const { page, ids, close } = await open(`Closed${surface.name}`, 1);
  const [id = 0] = ids;
  await surface.type(page, id);
  const asked = page.waitForEvent('dialog', { timeout: 20_000 });
  const reloading = page.reload();
  expect((await asked).type()).toBe('beforeunload');
  await (await asked).accept();
  await reloading;
  if (surface.outlasts) await expect.poll(() => shown(page)).toContain(typed);
  expect(await surface.isStored(id)).toBe(false);
  await close();
});

it('a paste whose session ends while it is checked says so, and is checked again in the next one', async () => {
  const { page, close } = await open('Ichnology', 1);
  await cell(page, 0, 2).click();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('query Programs')) await endSession(page);
    await route.fallback();
  });
  await pasteText(page, typed);
  const dialog = page.getByRole('dialog', { name: 'Change 1 program' });
  await dialog.getByText('Your session has ended: it expired, or somebody ended it.').waitFor();
  await page.unroute('**/graphql');
  await signInAgain(page);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByRole('button', { name: change }).waitFor();
  await close();
});
