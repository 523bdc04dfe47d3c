import type { Browser, Page } from 'playwright-core';
import { adminKey } from '../support/server.ts';
import { openPage, type Screen, type WatchedPage } from './browser.ts';

const desktop: Screen = { name: 'a desktop in light colours', width: 1280, height: 800, colorScheme: 'light' };

interface ConsoleOptions {
  readonly key?: string;
  readonly screen?: Omit<Screen, 'name'>;
}

/** Opens a screen of the console, signed in until it is closed: a key begins 60 sessions an hour that have not ended. */
export async function openConsole(
  browser: Browser,
  url: string,
  path = '',
  { key = adminKey, screen = desktop }: ConsoleOptions = {},
): Promise<WatchedPage> {
  const watched = await openPage(browser, `${url}/livez`, { ...desktop, ...screen });
  await signInWithKey(watched.page, key);
  await watched.page.goto(`${url}/console${path}`);
  const close = async (): Promise<void> => {
    await watched.page.request.delete(`${url}/session`, { headers: sameOrigin });
    await watched.close();
  };
  return { ...watched, close };
}

const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/** Signs in the browser of a page of the service. */
export async function signInWithKey(page: Page, key: string): Promise<void> {
  const headers = { 'x-api-key': key, ...sameOrigin };
  await page.request.post(new URL('/session', page.url()).href, { headers });
}

/** Waits until the page, whose titles are there before its scripts, listens to the keyboard. */
export const started = (page: Page) => page.locator('main:not([aria-busy])').waitFor();

/** Chooses one of several by its text. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).selectOption({ label: option });
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
/** One of the choices of an opened filter. */
export const choice = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });
export const field = (page: Page, label: string | RegExp) =>
  page.getByLabel(label).and(page.locator('input, textarea, select'));

/** Opens the menu of the signed-in user. */
export const openUserMenu = (page: Page) =>
  page.getByRole('region', { name: 'Signed in' }).getByRole('button').first().click();

export async function signOut(page: Page): Promise<void> {
  await openUserMenu(page);
  await button(page, 'Sign out').click();
}

/** Sends an operation, such as `mutation CreateProgram`, on once a screen with this heading is there. */
export async function holdUntil(page: Page, operation: string, heading: string): Promise<void> {
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(operation)) await page.getByRole('heading', { name: heading }).waitFor();
    await route.fallback();
  });
}

/** The names of the programs in the list. */
export const programLinks = (page: Page) => page.getByRole('grid', { name: 'Programs' }).getByRole('link');

/** Pastes a text, as Ctrl-V does. */
export const pasteText = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
