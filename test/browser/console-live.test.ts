import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeKey } from '../support/credentials/keys.ts';
import { createTestDatabase } from '../support/database.ts';
import { factoriesFor } from '../support/factories.ts';
import { startProcess } from '../support/process.ts';
import { adminKey, useServer } from '../support/server.ts';
import { startBrowser } from './browser.ts';
import { button, field, openConsole, programLinks } from './console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const rename = (id: number, name: string) =>
  server.graphql('mutation ($id: Int!, $name: String) { updateProgram(id: $id, input: { name: $name }) { id } }', {
    id,
    name,
  });

describe('two windows', () => {
  it('show each other the changes: in the list, on the page, in the overview', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Botany' });
    const list = await openConsole(browser, server.url, '/programs');
    const editor = await openConsole(browser, server.url, `/programs/${id}`);
    await list.page.getByRole('link', { name: 'Botany' }).waitFor();
    await button(editor.page, 'Edit program').click();
    await field(editor.page, 'Name').fill('Botany of the Alps');
    await button(editor.page, 'Save').click();

    await list.page.getByRole('link', { name: 'Botany of the Alps' }).waitFor();
    await factoriesFor(server).program({ name: 'Astronomy' });
    await list.page.getByRole('link', { name: 'Astronomy' }).waitFor();
    await button(editor.page, 'Delete program').click();
    await list.page.getByRole('link', { name: 'Botany of the Alps' }).waitFor({ state: 'detached' });
    await Promise.all([list.close(), editor.close()]);
  });

  it('of which one deletes what the other edits: what was typed stays, and can be saved after restoring', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Geology' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await button(page, 'Edit program').click();
    await field(page, 'Name').fill('Geology of Mars');
    await server.graphql('mutation ($id: Int!) { deleteProgram(id: $id) { id } }', { id });

    await page
      .getByRole('alert')
      .getByRole('heading', { name: `Program ${id} was deleted` })
      .waitFor();
    expect(await field(page, 'Name').inputValue()).toBe('Geology of Mars');
    await button(page, 'Save').click();
    await page.getByText(`Program ${id} does not exist: somebody may have deleted it.`).waitFor();
    await button(page, 'Restore it').click();
    await page.getByRole('heading', { name: `Program ${id} was deleted` }).waitFor({ state: 'detached' });
    await page.getByText(`Program ${id} does not exist: somebody may have deleted it.`).waitFor({ state: 'detached' });
    expect(await field(page, 'Name').inputValue()).toBe('Geology of Mars');
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Geology of Mars', level: 1 }).waitFor();
    await close();
  });
});

/** As the browser does when another tab is chosen; here all pages are visible. */
const show = (page: Page, visibility: 'visible' | 'hidden') =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${visibility}' });
    document.dispatchEvent(new Event('visibilitychange'))`);

it('seven visible tabs share one connection: each loads and has every change, also when the first is hidden or closed', async () => {
  const { id } = await factoriesFor(server).program({ name: 'Tab 0' });
  const first = await openConsole(browser, server.url, `/programs/${id}`);
  const pages = [first.page];
  const streams: Page[] = [];
  const named = async (name: string, shown = pages): Promise<void> => {
    await rename(id, name);
    await Promise.all(shown.map((page) => page.getByRole('heading', { name, level: 1 }).waitFor()));
  };
  await named('Tab 1');
  while (pages.length < 7) {
    const page = await first.context.newPage();
    page.on('request', (request) => request.headers()['accept'] === 'text/event-stream' && streams.push(page));
    await page.goto(`${server.url}/console/programs/${id}`);
    await page.getByRole('heading', { name: 'Tab 1', level: 1 }).waitFor();
    pages.push(page);
  }
  await named('Tab 2');
  expect(streams).toEqual([]);

  await show(first.page, 'hidden');
  await named('Tab 3', pages.slice(1));
  await show(first.page, 'visible');
  await named('Tab 4');
  await streams[0]?.close();
  await named(
    'Tab 5',
    pages.filter((page) => !page.isClosed()),
  );
  expect(new Set(streams).size).toBe(2);
  await first.close();
});

it('a tab of another version of the console has a connection of its own', async () => {
  const { id } = await factoriesFor(server).program({ name: 'Version 1' });
  const { page, context, close } = await openConsole(browser, server.url, `/programs/${id}`);
  await rename(id, 'Version 2');
  await page.getByRole('heading', { name: 'Version 2', level: 1 }).waitFor();
  const other = await context.newPage();
  await other.route(/\/console\//, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/[\w-]+-[\w-]{8}\.js/g, '$&?other');
    await route.fulfill({ response, body });
  });
  const connected = other.waitForRequest((request) => request.headers()['accept'] === 'text/event-stream');
  await other.goto(`${server.url}/console/programs/${id}`);
  await connected;
  await rename(id, 'Version 3');
  for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Version 3', level: 1 }).waitFor();
  await close();
});

describe('a branch that one edits', () => {
  const openForm = async (typed: string) => {
    const make = factoriesFor(server);
    const program = await make.program({ name: 'Drawing' });
    const branch = await make.branch(program.id, { name: 'Inks' });
    const opened = await openConsole(browser, server.url, `/branches/${branch.id}`);
    await button(opened.page, 'Edit branch').click();
    await field(opened.page, 'Name').fill(typed);
    return { ...opened, branch, program };
  };
  const nameOf = async (id: number) =>
    (await server.graphql('query ($id: Int!) { branch(id: $id) { name } }', { id })).body.data.branch.name;

  it('and somebody moves: the form stays, says where it is, and saves it there', async () => {
    const { page, close, branch } = await openForm('Inks of squids');
    const { id: programId } = await factoriesFor(server).program({ name: 'Painting' });
    await server.graphql(
      'mutation ($id: Int!, $input: UpdateBranchInput!) { updateBranch(id: $id, input: $input) { id } }',
      { id: branch.id, input: { programId } },
    );

    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Painting' }).waitFor();
    expect(await field(page, 'Name').inputValue()).toBe('Inks of squids');
    await button(page, 'Save').click();
    await page.getByText('Inks of squids was saved.').waitFor();
    expect(await nameOf(branch.id)).toBe('Inks of squids');
    await close();
  });

  it('and somebody deletes: the form stays, and saves it once it is restored', async () => {
    const { page, close, branch } = await openForm('Inks of cuttlefish');
    await server.graphql('mutation ($id: Int!) { deleteBranch(id: $id) { id } }', { id: branch.id });

    await page
      .getByRole('alert')
      .getByRole('heading', { name: `Branch ${branch.id} was deleted` })
      .waitFor();
    expect(await field(page, 'Name').inputValue()).toBe('Inks of cuttlefish');
    await button(page, 'Restore it').click();
    await page.getByRole('heading', { name: `Branch ${branch.id} was deleted` }).waitFor({ state: 'detached' });
    await button(page, 'Save').click();
    await page.getByText('Inks of cuttlefish was saved.').waitFor();
    expect(await nameOf(branch.id)).toBe('Inks of cuttlefish');
    await close();
  });

  it('and whose program somebody deletes: the form stays, and saves it once the program is restored', async () => {
    const { page, close, branch, program } = await openForm('Inks of octopuses');
    await server.graphql('mutation ($id: Int!) { deleteProgram(id: $id) { id } }', { id: program.id });
    await page.getByRole('heading', { name: `Branch ${branch.id} was deleted` }).waitFor();
    await server.graphql('mutation ($id: Int!) { restoreProgram(id: $id) { id } }', { id: program.id });
    await page.getByRole('heading', { name: `Branch ${branch.id} was deleted` }).waitFor({ state: 'detached' });
    expect(await field(page, 'Name').inputValue()).toBe('Inks of octopuses');
    await button(page, 'Save').click();
    await page.getByText('Inks of octopuses was saved.').waitFor();
    expect(await nameOf(branch.id)).toBe('Inks of octopuses');
    await close();
  });
});

describe('a tab in which one page after another is opened', () => {
  it('keeps no connection open for those behind the back button: browsers have six', async () => {
    const withCache = await startBrowser({ ignoreDefaultArgs: ['--disable-back-forward-cache'] });
    onTestFinished(() => withCache.close());
    const { id } = await factoriesFor(server).program({ name: 'Cartography' });
    const { page } = await openConsole(withCache, server.url);
    for (let visit = 0; visit < 8; visit += 1) {
      await page.goto(`${server.url}/console/programs/${id}?visit=${visit}`);
      await page.getByRole('heading', { name: 'Cartography', level: 1 }).waitFor();
    }
    await rename(id, 'Cartography of coasts');
    await page.getByRole('heading', { name: 'Cartography of coasts', level: 1 }).waitFor();
  });
});

describe('a long list', () => {
  it('stays as it is for somebody who has scrolled down, and shows what comes to somebody who is back', async () => {
    await server.database.query(
      `INSERT INTO programs (name, duration) SELECT 'Long ' || i, '1 Year' FROM generate_series(1000, 1400) i`,
    );
    const { page, close } = await openConsole(browser, server.url, '/programs?q=Long');
    await programLinks(page).first().waitFor();
    await page.mouse.move(640, 500);
    const scrolled = () => page.evaluate<number>('scrollY');
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 2_000);
          return scrolled();
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThan(6_000);
    await factoriesFor(server).program({ name: 'Long 0999' });
    await page.getByText('Records were created, changed, deleted or loaded since you opened this list.').waitFor();
    expect(await scrolled()).toBeGreaterThan(6_000);

    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('link', { name: 'Long 1000' }).waitFor();
    await factoriesFor(server).program({ name: 'Long 0998' });
    await page.getByRole('link', { name: 'Long 0998' }).waitFor();
    expect(await page.getByText('since you opened this list').count()).toBe(0);
    await close();
  });
});

describe('a form that is half filled', () => {
  it('survives its key: another one is pasted, and the work goes on', async () => {
    const key = await makeKey(server.database, { role: 'editor', user: 'a hurried editor' });
    const { page, close } = await openConsole(browser, server.url, '/programs/new', { key });
    await field(page, 'Name').fill('Half a Program');
    const { body } = await server.graphql('{ apiKeys(filter: { user: "a hurried editor" }) { id } }');
    await server.graphql('mutation ($id: Int!) { revokeApiKey(id: $id) { id } }', { id: body.data.apiKeys[0].id });

    // The dialog waits while a field has the focus.
    await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();
    await field(page, 'API key or token').fill(adminKey);
    await button(page, 'Sign in').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await field(page, 'Duration').fill('1 Year');
    expect(await field(page, 'Name').inputValue()).toBe('Half a Program');
    await button(page, 'Create program').click();
    await page.getByRole('heading', { name: 'Half a Program', level: 1 }).waitFor();
    await close();
  });
});

describe('an outage', () => {
  it('while a form is sent is said, with what to do: the form is not sent again by itself', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs/new');
    await field(page, 'Name').fill('Speleology');
    await field(page, 'Duration').fill('2 Years');
    await page.route('**/graphql', (route) => route.abort());
    await button(page, 'Create program').click();
    await page.getByText('this may be done or not.').waitFor();
    expect(await page.getByText('tries again by itself').count()).toBe(0);

    await page.unroute('**/graphql');
    await button(page, 'Create program').click();
    await page.getByRole('heading', { name: 'Speleology', level: 1 }).waitFor();
    await close();
  });

  it('of single requests is said, and ends by itself', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs');
    await page.getByRole('heading', { name: 'Programs' }).waitFor();
    let attempts = 0;
    await page.route('**/graphql', async (route) => {
      if (!(route.request().postData() ?? '').includes('query Branches')) return route.fallback();
      attempts += 1;
      await route.abort();
    });
    await page.getByRole('link', { name: 'Branches' }).click();
    const notice = page.getByText('The service cannot be reached');
    await notice.waitFor();
    await page.evaluate(`void (globalThis.notice = document.querySelector('main [role=alert]'))`);
    const before = attempts;
    await expect.poll(() => attempts).toBeGreaterThan(before);
    expect(await page.evaluate<boolean>('globalThis.notice.isConnected')).toBe(true);

    await page.unroute('**/graphql');
    await notice.waitFor({ state: 'detached' });
    await close();
  });

  it('during a search leaves the records of the last one in the list, below what is wrong', async () => {
    await factoriesFor(server).program({ name: 'Cartography' });
    const { page, close } = await openConsole(browser, server.url, '/programs?q=cartography');
    await page.getByRole('link', { name: 'Cartography', exact: true }).waitFor();
    await page.route('**/graphql', (route) => route.abort());
    await page.getByLabel('Search', { exact: true }).fill('geodesy');
    await page.getByText('The service cannot be reached').waitFor();
    expect(await page.getByRole('link', { name: 'Cartography', exact: true }).isVisible()).toBe(true);
    await page.unroute('**/graphql');
    await page.getByText('No program matches').waitFor();
    await close();
  });

  it('is shown, and caught up with when the service is back, though it was killed', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.close());
    const first = startProcess({ DATABASE_URL: database.url });
    const url = await first.url;
    const post = async (text: string): Promise<void> => {
      const headers = { 'content-type': 'application/json', 'x-api-key': adminKey };
      await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: text }) });
    };
    const { page, close } = await openConsole(browser, url, '/programs');
    await page.getByRole('heading', { name: /two ways to begin/ }).waitFor();
    const heading = page.getByRole('heading', { name: /two ways to begin/ });
    const before = await heading.boundingBox();
    first.child.kill('SIGKILL');
    await first.ended;
    await page.getByText('The connection to the service is lost').waitFor();
    expect(await heading.boundingBox()).toEqual(before);

    const second = startProcess({ DATABASE_URL: database.url, PORT: new URL(url).port });
    await second.url;
    await post('mutation { createProgram(input: { name: "Meanwhile", duration: "1 Year" }) { id } }');
    await page.getByRole('link', { name: 'Meanwhile' }).waitFor({ timeout: 20_000 });
    await page.getByText('The connection is back').waitFor();
    await page.getByText('The connection to the service is lost').waitFor({ state: 'detached' });
    await close();
  });

  it('that answers without any data breaks no screen', async () => {
    const { program } = factoriesFor(server);
    await program({ name: 'Oceanography' });
    const { page, close } = await openConsole(browser, server.url);
    const heading = page.getByRole('heading', { name: 'Branches by number of years' });
    await heading.waitFor();
    const errors = [{ message: 'The service is busy.', extensions: { code: 'UNAVAILABLE' } }];
    await page.route('**/graphql', (route) => route.fulfill({ status: 503, json: { errors, data: null } }));
    await program({ name: 'Limnology' });
    await page.getByText('The service is busy or restarting.').first().waitFor();
    await page.unroute('**/graphql');

    await page.getByText('The service is busy or restarting.').first().waitFor({ state: 'detached' });
    await heading.waitFor();
    await close();
  });
});
