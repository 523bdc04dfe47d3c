import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminKey, useServer } from '../support/server.ts';
import { openPage, startBrowser } from './browser.ts';
import { signInWithKey, started } from './console.ts';

// A catalog whose messages stand in brackets: what stands outside is no message, and must be data.
const [begin, end] = ['\u27e6', '\u27e7'];

/** A catalog that marks the messages of another: a compiled message is a text, or a list of texts and arguments. */
const marked = (original: string): string => `
  import { messages as texts } from ${JSON.stringify(original)};
  const mark = (message) => Array.isArray(message)
    ? ['${begin}', ...message, '${end}']
    : ['${begin}' + message + '${end}'];
  const section = (texts) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, mark(text)]));
  export const messages = Object.fromEntries(Object.entries(texts).map(([name, texts]) => [name, section(texts)]));`;

const server = useServer();
let browser: Browser;
const made = { program: 0, branch: 0 };
beforeAll(async () => {
  browser = await startBrowser();
  // Data are in Greek, so that no English of the console looks like them.
  made.program = (await server.make.program({ name: 'Φυσική', duration: '4 Έτη', code: 'Φ1' })).id;
  made.branch = (await server.make.branch(made.program, { name: 'Οπτική', codePrefix: 'Ο' })).id;
  const gone = await server.make.program({ name: 'Άλγεβρα', duration: '3 Έτη' });
  await server.graphql(`mutation { deleteProgram(id: ${gone.id}) { id } }`);
  await server.graphql(`mutation { addNote(input: { programId: ${made.program}, text: "Έλεγχος" }) { id } }`);
  await server.graphql('mutation { createEdition(name: "Έκδοση") { id } }');
  const { body } = await server.graphql(
    `mutation { updateProgram(id: ${made.program}, input: { attributes: [{ key: "1", value: "Ψ" }] }) { id } }`,
  );
  expect(body.errors).toBeUndefined();
});
afterAll(() => browser.close());

/** What is shown outside of messages: the texts of the page in their order, and what screen readers read. */
const outside = `(() => {
  const shown = [];
  let depth = 0;
  const collect = (text) => {
    let found = '';
    for (const character of text) {
      if (character === '${begin}') depth += 1;
      else if (character === '${end}') depth -= 1;
      else if (depth === 0) found += character;
    }
    if (/[A-Za-z]/.test(found)) shown.push(found.trim());
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement, data } = texts.currentNode;
    if (parentElement.closest('script, style, noscript, code, kbd, time') === null) collect(data);
  }
  if (depth !== 0) shown.push('unbalanced: ' + depth);
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-valuetext']) {
    for (const element of document.querySelectorAll('[' + name + ']')) {
      depth = 0;
      collect(element.getAttribute(name));
    }
  }
  depth = 0;
  collect(document.title);
  return [...new Set(shown)];
})()`;

/** The product, languages by their own names, users, sessions and keys, files, their columns and the example of one, checksums, dates and times. */
const isData = (text: string): boolean =>
  text
    .replace(
      /Academic Structure|English|Deutsch|Français|Español|admin|bootstrap|test-admin|Chrome on Linux|uas_\w{6}|CSV|JSON|Excel|SHA/g,
      '',
    )
    .replace(/\b(?:program|branch)_\w+\b|\bstart\b|α\.csv|[0-9a-f]{64,}/g, '')
    .replace(/^(?:Bachelor of (?:Technology|Laws)|Computer Science|Civil Engineering|CS|CE|\d Years)$/, '')
    .replace(/\d+ (?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)\b/g, '')
    .search(/[A-Za-z]/) === -1;

async function open(path: string): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const { page, close } = await openPage(browser, `${server.url}/livez`, {
    name: 'a desktop',
    width: 1280,
    height: 1000,
    colorScheme: 'light',
  });
  await page.route(/\/assets\/en-[\w-]+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: marked(`${route.request().url()}?original`) }),
  );
  await signInWithKey(page, adminKey);
  await page.goto(`${server.url}/console${path}`);
  await started(page);
  return { page, close };
}

const expectTranslated = async (page: Page): Promise<void> =>
  expect.poll(async () => (await page.evaluate<string[]>(outside)).filter((text) => !isData(text))).toEqual([]);

it.each([
  ['', 'Φυσική'],
  ['/programs', 'Φυσική'],
  ['/programs?q=Φυσικ', 'Φυσική'],
  ['/programs?q=ΩΩΩ', 'No program matches'],
  ['/programs?beside=PROGRAM', 'Έλεγχος'],
  ['/programs/PROGRAM', 'Έλεγχος'],
  ['/programs/new', 'Duration'],
  ['/programs/999', 'does not exist'],
  ['/branches', 'Οπτική'],
  ['/branches/BRANCH', 'Οπτική'],
  ['/trash', 'Άλγεβρα'],
  ['/transfer', 'Import'],
  ['/editions', 'Έκδοση'],
  ['/editions/compare', 'Ψ'],
  ['/changes', 'admin'],
  ['/notes', 'Έλεγχος'],
  ['/access', 'admin'],
  ['/attributes', 'No attribute is defined'],
  ['/audit', 'Οπτική'],
  ['/nothing', 'There is no such page'],
])('everything of a screen is a message or data: /console%s', async (path, loaded) => {
  const { page, close } = await open(
    path.replace('PROGRAM', String(made.program)).replace('BRANCH', String(made.branch)),
  );
  await page.getByRole('heading').first().waitFor();
  await page.getByText(loaded).first().waitFor();
  await expectTranslated(page);
  await close();
});

it('and so are the menu of the user, the palette, the help, the problems of a form and those of an import', async () => {
  const { page, close } = await open('/programs/new');
  await page.locator('form.form button[type=submit]').first().click();
  await page.getByText('It must not be empty.').first().waitFor();
  await expectTranslated(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await expectTranslated(page);
  await page.keyboard.press('Escape');
  await page.goto(`${server.url}/console/programs`);
  await started(page);
  await page.locator('.user button').first().click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await expectTranslated(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await expectTranslated(page);
  await page.goto(`${server.url}/console/transfer`);
  const file = {
    name: 'α.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('program_name,program_duration,branch_name,branch_years\nΑ,,Β,99\n'),
  };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText(/It must not be empty/).waitFor();
  await expectTranslated(page);
  await close();
});
