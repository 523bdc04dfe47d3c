import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where programs are looked for. */
    searchPath: string;
  }
}

/** Screens that the pages are looked at on. */
export const screens = [
  { name: 'a desktop in light colours', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'a desktop in dark colours', width: 1280, height: 800, colorScheme: 'dark' },
  { name: 'a telephone in light colours', width: 390, height: 844, colorScheme: 'light' },
  { name: 'a telephone in dark colours', width: 390, height: 844, colorScheme: 'dark' },
] as const;

export type Screen = (typeof screens)[number];

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Finds the browser that is installed. */
function findBrowser(): string {
  const places = inject('searchPath').split(path.delimiter);
  const found = places.flatMap((place) => names.map((name) => path.join(place, name))).find(canRun);
  if (found !== undefined) return found;
  throw new Error('These tests need a browser: install Chromium (on Debian: apt-get install chromium).');
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts the browser; it speaks to nobody of its own accord. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A page, watched. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Whatever went wrong until now: errors on the console, requests to other hosts. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** Opens a page in a window of its own. */
export async function openPage(
  browser: Browser,
  url: string,
  { width, height, colorScheme }: Screen,
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(url).origin) problems.push(`asked ${request.url()}`);
  });
  await page.goto(url);
  return { page, context, problems, close: () => context.close() };
}

/** The field for the API key. */
export const keyField = (page: Page) => page.getByRole('textbox', { name: 'API key' });

/** Expects that everybody can read and use the page, and that it is no wider than the screen. */
export async function expectUsable(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => String(target))])).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}
