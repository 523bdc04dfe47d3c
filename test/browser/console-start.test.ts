import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';
import { openPage, startBrowser } from './browser.ts';
import { openConsole, programLinks } from './console.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), startBrowser()]);
  await factoriesFor(server).program({ name: 'Physics' });
});
afterAll(() => Promise.all([server.close(), browser.close()]));

const screen = { name: 'a desktop', width: 1280, height: 800, colorScheme: 'light' } as const;

/** What a person sees and a screen reader says, apart from what cannot be used yet. */
async function seen(page: Page, part: string): Promise<string> {
  const place = page.locator(part).filter({ visible: true });
  await place.waitFor();
  return (await place.ariaSnapshot()).replaceAll(/ \[(?:disabled|active)\]/g, '');
}

/** Keeps the scripts of a pattern from loading until it is called. */
async function holdBack(page: Page, pattern: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, (route) => released.then(() => route.continue()));
  return release;
}

describe('the start of the console', () => {
  it('shows the sign-in before its scripts as it is after them', async () => {
    const { page, close } = await openPage(browser, `${server.url}/livez`, screen);
    const release = await holdBack(page, '**/assets/sign-in-*.js');
    await page.goto(`${server.url}/console`, { waitUntil: 'commit' });
    const before = await seen(page, 'main.sign-in');
    // Nothing but the page: no problem is said while there is none.
    expect(await page.getByRole('alert').count()).toBe(0);
    release();
    await page.locator('#console > main:not([aria-busy])').waitFor();
    expect(before).toBe(await seen(page, 'main.sign-in'));
    expect(before).toContain('Sign in');
    expect((await page.locator('main.sign-in svg use').boundingBox())?.width).toBe(44);
    await close();
  });

  it.each([
    ['of the sign-in', '', '', 'Sign in', 'main.sign-in:not(.outline)'],
    ['of a screen', adminKey, '/programs', 'Programs', 'table.programs'],
  ])('shows the title %s at every moment, from its outline on', async (_what, key, path, title, complete) => {
    const { page, close } = await openPage(browser, `${server.url}/livez`, screen);
    await page.evaluate(`sessionStorage.setItem('academic-structure-api-key', '${key}')`);
    await page.addInitScript(`
      globalThis.titles = new Set();
      addEventListener('DOMContentLoaded', () => {
        const look = () => {
          const shown = [...document.querySelectorAll('h1, h2')].filter((heading) => heading.checkVisibility());
          titles.add(shown.some(({ textContent }) => textContent === '${title}'));
        };
        look();
        new MutationObserver(look).observe(document.getElementById('console'), { childList: true, subtree: true });
      });
    `);
    await page.goto(`${server.url}/console${path}`);
    await page.locator(complete).waitFor();
    expect(await page.evaluate('[...titles]')).toEqual([true]);
    await close();
  });

  it('keeps what is typed into the sign-in before its scripts have come', async () => {
    const { page, close } = await openPage(browser, `${server.url}/livez`, screen);
    const release = await holdBack(page, '**/assets/sign-in-*.js');
    await page.goto(`${server.url}/console`, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.keyboard.type('an early');
    release();
    await page.locator('#console > main:not([aria-busy])').waitFor();
    await page.keyboard.type(' key');
    expect(await page.getByLabel('API key or token').inputValue()).toBe('an early key');
    await close();
  });

  it('says when a part of the page cannot be loaded', async () => {
    const { page, close } = await openPage(browser, `${server.url}/livez`, screen);
    await page.route('**/assets/sign-in-*.js', (route) => route.abort());
    await page.goto(`${server.url}/console`);
    await page.getByRole('alert').getByText('A part of this page could not be loaded.').waitFor();
    await close();
  });

  it('shows the frame of the screens before its scripts as it is until the service says who asks', async () => {
    const { page, close } = await openConsole(browser, server.url, '/nowhere');
    await page.route('**/graphql', () => undefined);
    const release = await holdBack(page, '**/assets/frame-*.js');
    await page.goto(`${server.url}/console`, { waitUntil: 'commit' });
    const before = await seen(page, '.shell');
    expect(await page.getByRole('alert').count()).toBe(0);
    release();
    await page.locator('#console > .shell:not(.outline)').waitFor();
    expect(before).toBe(await seen(page, '.shell'));
    expect(before).toContain('Academic Structure');
    await close();
  });

  it('asks once who the caller is, before the scripts that show it have come', async () => {
    const { page, close } = await openConsole(browser, server.url, '/nowhere');
    const order: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('"operationName":"Viewer"')) order.push('viewer');
      if (request.url().includes('/assets/programs-screen')) order.push('screen');
    });
    await page.goto(`${server.url}/console/programs`);
    await programLinks(page).first().waitFor();
    expect(order.slice(0, 2)).toEqual(['viewer', 'screen']);
    expect(order.filter((what) => what === 'viewer')).toHaveLength(1);
    await close();
  });

  it('reads the list of programs before the scripts of its screen have come, and only once', async () => {
    const { page, close } = await openConsole(browser, server.url, '/nowhere');
    const expected = ['Viewer', 'Programs', 'ProgramCount'];
    const read: string[] = [];
    page.on('request', (request) => {
      const [, operation = ''] = /"operationName":"(\w+)"/.exec(request.postData() ?? '') ?? [];
      if (request.isNavigationRequest()) read.length = 0;
      if (expected.includes(operation)) read.push(operation);
    });
    const release = await holdBack(page, '**/assets/react-*.js');
    await page.goto(`${server.url}/console/programs`, { waitUntil: 'commit' });
    await expect.poll(() => read.toSorted()).toEqual(expected.toSorted());
    release();
    await page.getByText('1 program', { exact: true }).waitFor();
    await programLinks(page).first().waitFor();
    expect(read).toHaveLength(expected.length);
    await close();
  });

  it('shows what is created between its first reads and its scripts', async () => {
    const { page, close } = await openConsole(browser, server.url, '/nowhere');
    const firstPage = page.waitForResponse(
      (response) => response.request().postData()?.includes('"Programs"') === true,
    );
    const release = await holdBack(page, '**/assets/react-*.js');
    await page.goto(`${server.url}/console/programs`, { waitUntil: 'commit' });
    await firstPage;
    const { id } = await factoriesFor(server).program({ name: 'Chemistry' });
    release();
    await page.getByRole('link', { name: 'Chemistry' }).waitFor();
    await page.getByText('2 programs', { exact: true }).waitFor();
    await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    await page.getByText('1 program', { exact: true }).waitFor();
    await close();
  });

  it.each([
    ['', 'overview-screen'],
    ['/programs', 'programs-screen'],
    ['/programs/new', 'new-program-screen'],
    ['/programs/1', 'program-screen'],
    ['/branches/1', 'branch-screen'],
  ])(
    'loads at %j the files of its screen beside the others, and none before it shows its outline',
    async (path, file) => {
      const { page, close } = await openConsole(browser, server.url, '/nowhere');
      const requested: string[] = [];
      page.on('request', (request) => {
        const [, name] = /assets\/([\w-]+)-[\w-]{8}\.js/.exec(request.url()) ?? [];
        if (request.isNavigationRequest()) requested.length = 0;
        if (name !== undefined) requested.push(name);
      });
      // Without a first frame, the outline is not painted.
      await page.addInitScript(`
      const frames = [];
      globalThis.requestAnimationFrame = (callback) => frames.push(callback);
      globalThis.paint = () => frames.forEach((callback) => setTimeout(callback));
    `);
      const release = await holdBack(page, '**/assets/react-*.js');
      await page.goto(`${server.url}/console${path}`, { waitUntil: 'commit' });
      await page.locator('html.signed-in').waitFor({ state: 'attached' });
      expect(requested).toEqual(['start']);
      await page.evaluate('paint()');
      await expect.poll(() => requested).toEqual(expect.arrayContaining(['react', 'client', 'frame', file]));
      release();
      await page.locator('.shell:not(.outline) main h1').waitFor();
      await close();
    },
  );

  it.each(['', '/programs'])(
    'shows the screen at %j without the languages of the browser, which are slow',
    async (path) => {
      const { page, close } = await openConsole(browser, server.url, '/nowhere');
      await page.addInitScript(`
      globalThis.used = [];
      for (const name of ['DateTimeFormat', 'NumberFormat', 'Collator', 'PluralRules'])
        Intl[name] = new Proxy(Intl[name], {
          construct: (target, given) => (used.push(name), Reflect.construct(target, given)),
          get: (target, property) => (used.push(name), Reflect.get(target, property)),
        });
      const toText = Number.prototype.toLocaleString;
      Number.prototype.toLocaleString = function (...given) { used.push('number'); return toText.apply(this, given); };
    `);
      await page.goto(`${server.url}/console${path}`);
      await page.getByRole('heading', { name: path === '' ? 'Changes per day' : 'Programs' }).waitFor();
      await page.getByText(path === '' ? 'Last changes' : '1 program', { exact: true }).waitFor();
      expect(await page.evaluate('used')).toEqual([]);
      await close();
    },
  );

  it('shows the exact time to who points at a time', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs');
    const time = page.getByRole('table', { name: 'Programs' }).locator('time').first();
    await time.hover();
    await expect.poll(() => time.getAttribute('title')).toMatch(/^\w+,? \d{1,2} \w+ \d{4} at \d\d:\d\d:\d\d /);
    await close();
  });
});
