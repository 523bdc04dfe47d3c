import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Search path of executables. */
    searchPath: string;
  }
}

export interface Screen {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
}

/** Screen sizes to test. */
export const screens = [
  { name: 'a desktop in light colours', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'a desktop in dark colours', width: 1280, height: 800, colorScheme: 'dark' },
  { name: 'a telephone in light colours', width: 390, height: 844, colorScheme: 'light' },
  { name: 'a telephone in dark colours', width: 390, height: 844, colorScheme: 'dark' },
] as const satisfies readonly Screen[];

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of the installed browser. */
function findBrowser(): string {
  const places = inject('searchPath').split(path.delimiter);
  const executable = places.flatMap((place) => names.map((name) => path.join(place, name))).find(canRun);
  if (executable !== undefined) return executable;
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

/** Starts the browser without background network requests. */
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

/** A page whose errors are recorded. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors and requests to other hosts so far. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** Opens a page in a new browser context. */
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
    if (protocol.startsWith('http') && origin !== new URL(url).origin) problems.push(`requested ${request.url()}`);
  });
  await page.goto(url);
  return { page, context, problems, close: () => context.close() };
}

/** The field for the API key. */
export const keyField = (page: Page) => page.getByRole('textbox', { name: 'API key' });

/** Expects no accessibility violations and no horizontal scrolling. */
export async function expectUsable(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => String(target))])).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}
