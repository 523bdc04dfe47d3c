import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeFor, expectToFollow, recipes } from '../../docs/recipes.ts';
import { adminKey, useServer } from '../../support/server.ts';
import { expectUsable, keyField, openPage, pageForTest, screens, startBrowser } from '../browser.ts';
import { signInWithKey } from '../console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** The two that differ most. */
const twoScreens = screens.filter((_screen, index) => index % 3 === 0);

describe.each(twoScreens)('the reference on $name', (screen) => {
  it('sends requests with a pasted key and shows the live responses', async () => {
    const { page, problems } = await pageForTest(browser, `${server.url}/docs`, screen);
    await keyField(page).fill(adminKey);
    await page.getByText('accepted', { exact: true }).waitFor();

    const create = page.locator('#createProgram');
    await create.getByText('Try it').click();
    await create.getByRole('textbox', { name: 'Body' }).fill('{"name": "Bachelor of Arts", "duration": "3 Years"}');
    await create.getByRole('button', { name: 'Send' }).click();
    await create.locator('.live').getByText('201').first().waitFor();
    await create.locator('.live').getByText('"Bachelor of Arts"').waitFor();

    const list = page.locator('#listPrograms');
    await list.getByText('Try it').click();
    await list.getByLabel('size').fill('7');
    await list.getByRole('button', { name: 'Send' }).click();
    expect(await list.locator('.live pre').last().textContent()).toContain('"pageSize": 7');
    await expectUsable(page);

    expect(problems).toEqual([]);
  });
});

describe('the reference', () => {
  it('shows all examples in the chosen language, also on the next visit', async () => {
    const { page } = await pageForTest(browser, `${server.url}/docs`);
    await page.locator('#ping').getByRole('button', { name: 'Python' }).click();
    await page.locator('#createBranch code[data-language=python]').waitFor();
    await page.reload();

    await page.locator('#createBranch code[data-language=python]').waitFor();
  });

  it('shows the example response of each status', async () => {
    const { page } = await pageForTest(browser, `${server.url}/docs`);
    const operation = page.locator('#retrieveBranch');
    await operation.getByLabel('Response of').selectOption('404 unknown');

    await operation.getByText('"Branch 42 does not exist."').waitFor();
  });

  it('reports a missing key', async () => {
    const { page } = await pageForTest(browser, `${server.url}/docs`);
    const ping = page.locator('#ping');
    await ping.getByText('Try it').click();
    await ping.getByRole('button', { name: 'Send' }).click();

    await ping.getByText('Paste your API key at the top first').waitFor();
    await ping.locator('.live').getByText('"API key is missing."').waitFor();
  });

  it('needs none of who is signed in to the console: the session makes one for an hour', async () => {
    const { page } = await pageForTest(browser, `${server.url}/docs`);
    await signInWithKey(page, adminKey);
    await page.reload();
    const ping = page.locator('#ping');
    await ping.getByText('Try it').click();
    await ping.getByRole('button', { name: 'Send' }).click();

    await ping.locator('.live').getByText('"ok"').waitFor();
    await page.getByText('accepted', { exact: true }).waitFor();
    const keys = await server.database.query(
      `SELECT expires_at < now() + interval '61 minutes' AS ends FROM api_keys WHERE name = 'Docs'`,
      [],
    );
    expect(keys).toEqual([{ ends: true }]);
  });
});

const guides = [
  '/docs/start',
  '/docs/rest',
  '/docs/graphql',
  '/docs/authentication',
  '/docs/recipes',
  '/docs/errors',
  '/docs/contract',
  '/docs/schema',
  '/docs/data-model',
];

// They share the frame and the colours of the reference, which is looked at on every screen.
describe.each(twoScreens)('the guides on $name', (screen) => {
  it('are accessible, fit the screen and load nothing from elsewhere', async () => {
    for (const guide of guides) {
      const { page, problems, close } = await openPage(browser, server.url + guide, screen);
      await page.locator('.contents [aria-current=page]').waitFor({ state: 'attached' });

      await expectUsable(page);
      expect(problems).toEqual([]);
      await close();
    }
  });
});

const searchField = (page: Page) => page.getByRole('searchbox', { name: 'Search the docs' });
const results = (page: Page) => page.getByRole('list', { name: 'Search results' });

describe('the search', () => {
  it.each([
    ['sso', 'Signing in to the console (single sign-on, SSO) Authentication'],
    ['single sign-on', 'Signing in to the console (single sign-on, SSO) Authentication'],
    ['webhook', 'Webhooks Recipes'],
    ['excel', 'Excel REST'],
    ['bulk', 'Many records at once (bulk) GraphQL'],
    ['undo', 'Undo GraphQL'],
    ['rate_limited', 'RATE_LIMITED Errors'],
    ['matchedBranches', 'Program.matchedBranches GraphQL schema'],
    ['ProgramFilter', 'ProgramFilter GraphQL schema'],
  ])('finds %s first under %s', async (words, title) => {
    const { page } = await pageForTest(browser, `${server.url}/docs/start`);
    await searchField(page).fill(words);
    const first = results(page).getByRole('link').first();
    await first.waitFor();

    expect((await first.textContent())?.slice(0, title.length)).toBe(title);
  });

  it('finds headings and texts of reference and guides, without the network once they are read', async () => {
    const { page, context, problems } = await pageForTest(browser, `${server.url}/docs`);
    await searchField(page).fill('persisted');
    await results(page)
      .getByRole('link', { name: /^Persisted operations GraphQL/ })
      .waitFor();

    await context.setOffline(true);
    await searchField(page).fill('Retrieve Branch');
    expect(await results(page).getByRole('link').first().textContent()).toMatch(/^Retrieve a branch REST operations/);
    await searchField(page).fill('RATELIMIT-policy');
    await results(page)
      .getByRole('link', { name: /^Rate limit REST/ })
      .waitFor();
    expect(await results(page).locator('mark').first().textContent()).toBe('RateLimit-Policy');
    await searchField(page).fill('<b>nothing</b> (like [this');
    await page.getByText('0 results').waitFor();

    expect(problems).toEqual([]);
  });

  it('is reached by /, opens the first result on Enter, and is cleared by Escape', async () => {
    const { page } = await pageForTest(browser, `${server.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('json web tokens');
    await results(page).getByRole('link').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/authentication#json-web-tokens');

    await searchField(page).fill('roles');
    await results(page).getByRole('link').first().waitFor();
    await page.keyboard.press('Escape');
    expect([await searchField(page).inputValue(), await results(page).getByRole('link').count()]).toEqual(['', 0]);
  });

  it('says when the pages cannot be read, and reads them when it is used again', async () => {
    const { page, context } = await pageForTest(browser, `${server.url}/docs`);
    await context.setOffline(true);
    await searchField(page).fill('keys');
    await page.getByText('The docs could not be loaded.').waitFor();
    await context.setOffline(false);
    await searchField(page).fill('key');

    await results(page)
      .getByRole('link', { name: /^API keys Authentication/ })
      .waitFor();
  });
});

describe('the headings of the docs', () => {
  it('show their anchors on hover and on keyboard focus', async () => {
    const { page } = await pageForTest(browser, `${server.url}/docs/rest`);
    const anchor = page.locator('#errors .anchor');
    const opacity = () =>
      page.evaluate<string>("getComputedStyle(document.querySelector('#errors .anchor'), '::after').opacity");

    expect(await opacity()).toBe('0');
    await anchor.hover();
    expect(await opacity()).toBe('1');
    await page.mouse.move(0, 0);
    expect(await opacity()).toBe('0');
    await page.keyboard.press('Tab');
    await anchor.focus();
    expect(await opacity()).toBe('1');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#errors');
  });
});

describe('a guide', () => {
  it("has the reader's own address everywhere, in its sentences too", async () => {
    const { page } = await pageForTest(browser, `${server.url}/docs/start`);
    await page.locator('code', { hasText: server.url }).first().waitFor();
    const text = ((await page.getByRole('main').textContent()) ?? '').replace(/\s+/g, ' ');
    expect([text.includes('127.0.0.1:4000'), text.includes(`address of the service, here ${server.url}`)]).toEqual([
      false,
      true,
    ]);
  });

  it('has an outline, which marks the current section up to the last', async () => {
    const { page } = await pageForTest(browser, `${server.url}/docs/graphql#mutations`);
    const current = page.getByRole('navigation', { name: 'On this page' }).locator('[aria-current=location]');
    await current.getByText('Mutations', { exact: true }).waitFor();
    await page.keyboard.press('End');
    await current.getByText('Persisted operations', { exact: true }).waitFor();

    // Chromium may leave out a key while it still scrolls by the one before.
    await page.evaluate(() => scrollTo({ top: 0 }));
    await current.waitFor({ state: 'detached' });
  });

  it('has a folded outline on a telephone', async () => {
    const { page } = await pageForTest(browser, `${server.url}/docs/graphql`, screens[2]);
    const outline = page.getByRole('navigation', { name: 'On this page' });
    await outline.waitFor({ state: 'hidden' });
    await page.getByText('On this page', { exact: true }).click();
    await outline.getByRole('link', { name: 'Subscriptions' }).click();

    await outline.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).hash).toBe('#subscriptions');
  });

  it("has the reader's key in its examples once it is accepted, and not before", async () => {
    const { page } = await pageForTest(browser, `${server.url}/docs/recipes`);
    const example = (name: string) => page.getByLabel(name, { exact: true }).textContent();
    expect(await example('curl example')).toContain('"x-api-key: $KEY"');
    await keyField(page).fill(adminKey);
    await page.getByText('accepted', { exact: true }).waitFor();

    expect(await example('curl example')).toContain(`"x-api-key: ${adminKey}"`);
    expect(await example('Python example')).toContain(`"x-api-key": "${adminKey}"`);
    expect(await example('REST with fetch: pages, retries, caching example')).toContain(`'x-api-key', '${adminKey}'`);
    await keyField(page).fill('not a key');
    await page.getByText('not accepted', { exact: true }).waitFor();
    expect(await example('curl example')).toContain('"x-api-key: $KEY"');
  });

  it('copies the commands of a session without prompts and output, and examples with the current URL', async () => {
    const { page, context } = await pageForTest(browser, `${server.url}/docs/authentication`);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).press('Enter');
      await page.getByRole('button', { name: name.replace('Copy', 'Copied') }).waitFor();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };

    expect((await copied('Copy API keys example')).split('\n').slice(0, 2)).toEqual([
      'npm run -s cli -- keys create --user ada --role editor --name laptop --expires 90d',
      'npm run -s cli -- keys create --user dashboard --role viewer --read-only',
    ]);
    await page.goto(`${server.url}/docs/recipes`);
    expect(await copied('Copy graphql-ws example 2')).toContain(`url: '${server.url.replace('http', 'ws')}/graphql'`);
  });
});

it('a browser that follows changes by the recipe for it catches up after a lost connection', async () => {
  const recipe = recipes.find(({ title }) => title.startsWith('A browser'));
  await expectToFollow(server, [
    {
      title: 'A browser',
      start: async (url, key) => {
        const { page, problems } = await pageForTest(browser, `${url}docs`);
        let output = '';
        page.on('console', (message) => {
          if (message.type() === 'log') output += `${message.text()}\n`;
        });
        await page.evaluate(`sessionStorage.setItem('key', ${JSON.stringify(key)})`);
        await page.evaluate(`void (async () => { ${codeFor({ url }, recipe?.code ?? '')} })()`);
        return { stdout: () => output, stderr: () => problems.join('\n') };
      },
    },
  ]);
});
