import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';

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
  /** What the browser prefers. */
  readonly locale?: string;
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

/** The browser of the tests of a file. */
export function useBrowser(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  return () => browser;
}

/** Starts the browser without background network requests. */
export function startBrowser(options: Pick<LaunchOptions, 'ignoreDefaultArgs'> = {}): Promise<Browser> {
  return chromium.launch({
    ...options,
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
  { width, height, colorScheme, locale = 'en-US' }: Screen,
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale });
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

/** As `openPage`, on a desktop unless another screen is given; it is closed when the test ends. */
export async function pageForTest(browser: Browser, url: string, screen: Screen = screens[0]): Promise<WatchedPage> {
  const watched = await openPage(browser, url, screen);
  onTestFinished(() => watched.close());
  return watched;
}

/** The field for the API key. */
export const keyField = (page: Page) => page.getByRole('textbox', { name: 'API key' });

/** Which of axe's rules to check: those of colours suffice on a page of which only the colours have changed. */
type Rules = 'all' | 'of colours';

/** Expects no accessibility violations and no horizontal scrolling. */
export async function expectUsable(page: Page, rules: Rules = 'all'): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  // Of rules that hold, one element is reported: to describe the others takes most of the time.
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(rules === 'of colours' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
  };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => String(target))])).toEqual([]);
  await expectFits(page);
}

/** Expects no horizontal scrolling. */
export async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

/** Expects the same in light and in dark colours. */
export async function expectUsableInBothColours(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectUsable(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectUsable(page, 'of colours');
}

/** In the page: the names of visible controls at whose centre is something else, within the window or beyond it. */
const coveredControls = `(() => {
  const isScrolledAway = (control, x, y) => {
    for (let outer = control.parentElement; outer !== null; outer = outer.parentElement) {
      const { left, right, top, bottom } = outer.getBoundingClientRect();
      const clips = getComputedStyle(outer).overflow !== 'visible';
      if (clips && (x < left || x > right || y < top || y > bottom)) return true;
    }
    return false;
  };
  return Array.from(document.querySelectorAll('a, button, input, select, summary'))
    .filter((control) => control.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((control) => {
      const { left, top, width, height } = control.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      if (width === 0 || height === 0 || isScrolledAway(control, x, y)) return false;
      return !control.contains(document.elementFromPoint(x, y));
    })
    .map((control) => control.getAttribute('aria-label') ?? control.textContent ?? '');
})()`;

/** Expects that no control is covered or beyond the window, on a page that does not scroll. */
export async function expectNothingCovered(page: Page): Promise<void> {
  expect(await page.evaluate<string[]>(coveredControls)).toEqual([]);
}

/** Expects that areas lie within the window, and none of them on another. */
export async function expectApart(page: Page, areas: readonly string[]): Promise<void> {
  const window = page.viewportSize() ?? { width: 0, height: 0 };
  const boxes = await Promise.all(
    areas.map(async (area) => ({ area, box: await page.locator(area).first().boundingBox() })),
  );
  const problems = boxes.flatMap(({ area, box }, index) => {
    if (box === null) return [`${area} is not visible`];
    const { x, y, width, height } = box;
    const isBeyond = x < 0 || y < 0 || x + width > window.width + 1 || y + height > window.height + 1;
    const others = boxes.slice(index + 1).filter(({ box: other }) => {
      if (other === null) return false;
      const across = Math.min(x + width, other.x + other.width) - Math.max(x, other.x);
      const along = Math.min(y + height, other.y + other.height) - Math.max(y, other.y);
      return across > 1 && along > 1;
    });
    return [
      ...(isBeyond ? [`${area} is beyond the window`] : []),
      ...others.map(({ area: other }) => `${area} is on ${other}`),
    ];
  });
  expect(problems).toEqual([]);
}
