import { type CDPSession, chromium, type Page } from 'playwright-core';
import type { BenchDatabase } from './database.ts';
import { adminKey, startService } from './processes.ts';

const programs = 25_000;
/** A frame that takes longer is seen as a jerk. */
const frameMs = 50;
const wheelPx = 1_200;

/** Each finds other programs than the one before it. */
const searches = ['subject 2', 'technology 333', '1234', 'bachelor 24999', 'BT77', 'subject 19'];

/** What the console costs the browser. */
export interface ConsoleCost {
  /** From the end of the first response to a search until its result is painted, in milliseconds, in order. */
  readonly searchShownMs: readonly number[];
  readonly programs: number;
  readonly scrolledSeconds: number;
  /** Frames over 50 ms while scrolling from the first program to the last, and the longest of all, in milliseconds. */
  readonly longFrames: number;
  readonly longestFrameMs: number;
  /** The JavaScript heap at the first program and at the last, after garbage collection. */
  readonly megabytesBefore: number;
  readonly megabytesAfter: number;
}

/** Searches programs, then scrolls through all of them by the wheel, in the Chromium of Debian. */
export async function measureConsole(database: BenchDatabase, say: (text: string) => void): Promise<ConsoleCost> {
  const service = await startService(await database.fill(programs));
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    await page.request.post(`${service.url}/session`, {
      headers: { 'x-api-key': adminKey, 'sec-fetch-site': 'same-origin' },
    });
    await page.goto(`${service.url}/console/programs`);
    await page.getByRole('grid', { name: 'Programs' }).getByRole('link').first().waitFor();
    const searchShownMs = await search(page);
    await page.getByLabel('Search', { exact: true }).fill('');
    await page.getByText(`${programs.toLocaleString('en')} programs`).waitFor();
    return { ...(await scroll(page, say)), searchShownMs };
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function search(page: Page): Promise<number[]> {
  const shownMs: number[] = [];
  for (const words of searches) {
    await page.evaluate(watchFirstRow);
    await page.getByLabel('Search', { exact: true }).fill(words);
    shownMs.push(Math.round(await page.evaluate<number>('shown')));
  }
  return shownMs.sort((one, other) => one - other);
}

/** Has `shown` resolve when the first row has become another and is painted. */
const watchFirstRow = `
  performance.clearResourceTimings();
  globalThis.firstRow = () => document.querySelector('[data-index="0"] a')?.textContent;
  globalThis.shown = new Promise((resolve) => {
    const before = firstRow();
    const observer = new MutationObserver(() => {
      if (firstRow() === before || firstRow() === undefined) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => {
        const ends = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/graphql'));
        resolve(performance.now() - Math.min(...ends.map(({ responseEnd }) => responseEnd)));
      }));
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  undefined;
`;

async function scroll(page: Page, say: (text: string) => void): Promise<Omit<ConsoleCost, 'searchShownMs'>> {
  const session = await page.context().newCDPSession(page);
  const megabytesBefore = await heapOf(session);
  await page.evaluate(`
    globalThis.frames = [];
    new PerformanceObserver((list) => frames.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'long-animation-frame' });
  `);
  say(`Scrolling through ${programs.toLocaleString('en')} programs`);
  const began = performance.now();
  await page.mouse.move(640, 500);
  while (!(await page.evaluate<boolean>(`document.querySelector('[aria-rowindex="${programs + 1}"]') !== null`))) {
    await page.mouse.wheel(0, wheelPx);
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  }
  const scrolledSeconds = Math.round((performance.now() - began) / 1_000);
  const frames = await page.evaluate<number[]>('frames');
  return {
    programs,
    scrolledSeconds,
    longFrames: frames.filter((duration) => duration > frameMs).length,
    longestFrameMs: Math.round(Math.max(0, ...frames)),
    megabytesBefore,
    megabytesAfter: await heapOf(session),
  };
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return Math.round(usedSize / 1_048_576);
}
