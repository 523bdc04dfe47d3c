import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { expectUsable, startBrowser } from './browser.ts';
import { button, openConsole } from './console.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), startBrowser()]);
  const make = factoriesFor(server);
  for (const name of ['Physics', 'Chemistry', 'Biology']) await make.branch((await make.program({ name })).id);
  const gone = await make.program({ name: 'Alchemy' });
  await server.graphql('mutation ($id: Int!) { deleteProgram(id: $id) { id } }', { id: gone.id });
});
afterAll(() => Promise.all([server.close(), browser.close()]));

interface Shown {
  readonly name: string;
  readonly path: string;
  /** What is there when the screen is complete. */
  readonly ready: (page: Page) => Promise<void>;
}

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();

const shown: readonly Shown[] = [
  { name: 'the overview', path: '', ready: heading('Changes per day') },
  { name: 'the programs', path: '/programs', ready: (page) => page.getByRole('link', { name: 'Physics' }).waitFor() },
  { name: 'a list without a match', path: '/programs?q=zzz', ready: heading('No program matches') },
  { name: 'a program', path: '/programs/1', ready: heading('History') },
  {
    name: 'the form of a program',
    path: '/programs/1',
    ready: async (page) => {
      await button(page, 'Edit program').click();
      await heading('Edit program')(page);
    },
  },
  {
    name: 'the form of a branch',
    path: '/programs/1',
    ready: async (page) => {
      await button(page, 'Add branch').click();
      await heading('New branch')(page);
    },
  },
  { name: 'the form of a new program', path: '/programs/new', ready: heading('New program') },
  { name: 'a program that is gone', path: '/programs/999', ready: heading(/does not exist/) },
  { name: 'the branches', path: '/branches', ready: heading('Optics') },
  { name: 'the trash', path: '/trash', ready: (page) => button(page, 'Restore Alchemy').waitFor() },
  { name: 'import and export', path: '/transfer', ready: heading('Export') },
  { name: 'users and keys', path: '/access', ready: (page) => button(page, 'Disable admin').waitFor() },
  {
    name: 'the form of a key',
    path: '/access',
    ready: async (page) => {
      await button(page, 'Issue key').click();
      await heading('Issue a key')(page);
    },
  },
  { name: 'the audit log', path: '/audit', ready: (page) => page.getByRole('list', { name: 'Entries' }).waitFor() },
  {
    name: 'the command palette',
    path: '/programs',
    ready: async (page) => {
      await heading('Programs')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('menuitem', { name: /Overview/ }).waitFor();
    },
  },
  { name: 'an address that does not exist', path: '/nothing', ready: heading('There is no such page') },
];

describe.each([1440, 390])('at %d pixels', (width) => {
  it.each(shown)(
    '$name has no accessibility violation and fits, in light and dark colours',
    async ({ path, ready }) => {
      const screen = { width, height: 844, colorScheme: 'light' } as const;
      const { page, problems, close } = await openConsole(browser, server.url, path, { screen });
      await ready(page);

      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectUsable(page);
      }
      expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
      await close();
    },
  );
});
