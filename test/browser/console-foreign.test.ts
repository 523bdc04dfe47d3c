import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { startBrowser } from './browser.ts';
import { openConsole, started } from './console.ts';

const server = useServer();
let browser: Browser;
const made = { program: 0, branch: 0 };
beforeAll(async () => {
  browser = await startBrowser();
  made.program = (await server.make.program({ name: 'Astronomy', duration: '4 Years' })).id;
  made.branch = (await server.make.branch(made.program, { name: 'Comets' })).id;
  const gone = await server.make.program({ name: 'Alchemy' });
  await server.graphql(`mutation { deleteProgram(id: ${gone.id}) { id } }`);
  await server.graphql(`mutation { addNote(input: { programId: ${made.program}, text: "Look up" }) { id } }`);
  await server.graphql('mutation { createEdition(name: "Spring") { id } }');
});
afterAll(() => browser.close());

/** Does as the translation of a browser: puts two elements in the place of each text that may be translated, at once and after each change. */
const translator = `(() => {
  const translate = (text) => {
    if (!text.isConnected || text.data.trim() === '') return;
    if (text.parentElement.closest('font, script, style, title, textarea, [translate=no]') !== null) return;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = text.data;
    outer.append(inner);
    text.replaceWith(outer);
    window.translated = (window.translated ?? 0) + 1;
  };
  const translateAll = (node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    if (node instanceof Text) texts.push(node);
    texts.forEach(translate);
  };
  addEventListener('DOMContentLoaded', () => {
    translateAll(document.body);
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === 'characterData') translateAll(target);
        else addedNodes.forEach(translateAll);
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
})()`;

/** No storage: each access throws, as where a browser blocks it. */
const blocked = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Blocked', 'SecurityError'); } });`;

const screens = [
  '',
  '/programs',
  '/programs?beside=PROGRAM',
  '/programs/PROGRAM',
  '/programs/new',
  '/programs/999',
  '/branches',
  '/branches/BRANCH',
  '/trash',
  '/transfer',
  '/editions',
  '/editions/compare',
  '/changes',
  '/notes',
  '/access',
  '/attributes',
  '/audit',
  '/nothing',
];

it.each([
  ['is translated by the browser', translator, true],
  ['may store nothing', blocked, false],
] as const)(
  'each screen goes on in a page that %s: changes come in, one leads to the next',
  async (_, script, isTranslated) => {
    const { page, close, problems } = await openConsole(browser, server.url, '/trash');
    await page.addInitScript(script);
    for (const [at, screen] of screens.entries()) {
      const path = screen.replace('PROGRAM', String(made.program)).replace('BRANCH', String(made.branch));
      await page.goto(`${server.url}/console${path}`);
      await started(page);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      const before = await page.getByRole('heading', { level: 1 }).first().textContent();
      // What others change is shown.
      await server.graphql(
        `mutation { updateProgram(id: ${made.program}, input: { code: "C${at}" }) { id } createProgram(input: { name: "Event ${at}", duration: "1 Year" }) { id } }`,
      );
      if (screen === '/programs/PROGRAM') await page.getByText(`C${at}`, { exact: true }).first().waitFor();
      const navigation = page.getByRole('navigation', { name: 'Console' });
      await navigation.getByRole('link', { name: 'Changes', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor();
      await page.goBack();
      await page
        .getByRole('heading', { level: 1, name: before ?? '' })
        .first()
        .waitFor();
      if (isTranslated) expect(await page.evaluate<number>('window.translated')).toBeGreaterThan(10);
      expect([screen, await page.getByText('This could not be shown').count()]).toEqual([screen, 0]);
    }
    expect(problems.filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([]);
    await close();
  },
  300_000,
);
