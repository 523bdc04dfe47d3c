import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { z } from 'zod';
import type { BenchDatabase } from './database.ts';
import { median } from './median.ts';
import { adminKey, startService } from './processes.ts';

const programs = 25_000;
/** A frame that takes longer is seen as a jerk. */
const frameMs = 50;
const wheelPx = 400;
const loads = 5;
const address = '/console/programs?columns=name,code,duration,attributes.level,changed';

/** Each finds other programs than the one before it. */
const searches = ['subject 2', 'technology 333', '1234', 'bachelor 24999', 'BT77', 'subject 19'];

/** What the console costs the browser. */
export interface ConsoleCost {
  /** CPU time of the main thread, in milliseconds, from the navigation to the first rows, in each language. */
  readonly firstRowsCpuMs: { readonly en: number; readonly de: number };
  /** … from the key that edits a cell until its field is painted. */
  readonly cellCpuMs: number;
  /** From the end of the first response to a search until its result is painted, in milliseconds, in order. */
  readonly searchShownMs: readonly number[];
  readonly programs: number;
  readonly scrolledSeconds: number;
  /** The longest task of the main thread while scrolling, in milliseconds of CPU time, which a busy machine does not prolong. */
  readonly longestTaskCpuMs: number;
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
    await addLevels(service.url);
    const firstRowsCpuMs = {
      en: await firstRows(browser, service.url, 'en'),
      de: await firstRows(browser, service.url, 'de'),
    };
    const { page, session } = await openPage(browser, service.url, 'en');
    await page.goto(service.url + address);
    await firstLink(page).waitFor();
    const searchShownMs = await search(page);
    await page.getByLabel('Search', { exact: true }).fill('');
    await page.getByText(`${programs.toLocaleString('en')} programs`).waitFor();
    const cellCpuMs = await openCell(page, session);
    return { firstRowsCpuMs, cellCpuMs, ...(await scroll(browser, page, session, say)), searchShownMs };
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Gives the first programs an attribute. */
async function addLevels(url: string): Promise<void> {
  const query = `mutation ($ids: [Int!]!) {
    updatePrograms(ids: $ids, input: { attributes: [{ key: "level", value: "Bachelor" }] }) { changed } }`;
  const body = JSON.stringify({ query, variables: { ids: Array.from({ length: 1_000 }, (_none, at) => at + 1) } });
  const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' };
  const text = await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).text();
  if (!text.startsWith('{"data":{')) throw new Error(text);
}

const firstLink = (page: Page) => page.getByRole('grid').getByRole('link').first();

async function openPage(browser: Browser, url: string, locale: string) {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 }, locale });
  await page.request.post(`${url}/session`, { headers: { 'x-api-key': adminKey, 'sec-fetch-site': 'same-origin' } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { page, session };
}

/** The CPU time that the main thread has had, in milliseconds. */
async function cpuMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
}

const painted = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))';

/** The median of several loads, each with nothing in the cache of the browser. */
async function firstRows(browser: Browser, url: string, locale: string): Promise<number> {
  const measured: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    const { page, session } = await openPage(browser, url, locale);
    const before = await cpuMs(session);
    await page.goto(url + address, { waitUntil: 'commit' });
    await firstLink(page).waitFor();
    await page.evaluate(painted);
    measured.push((await cpuMs(session)) - before);
    await page.context().close();
  }
  return Math.round(median(measured));
}

async function openCell(page: Page, session: CDPSession): Promise<number> {
  const measured: number[] = [];
  await firstLink(page).focus();
  await page.keyboard.press('ArrowRight');
  for (let time = 0; time < loads; time += 1) {
    await page.evaluate(painted);
    const before = await cpuMs(session);
    await page.keyboard.press('F2');
    await page.evaluate(painted);
    measured.push((await cpuMs(session)) - before);
    await page.keyboard.press('Escape');
  }
  return Math.round(median(measured));
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
  globalThis.began = performance.now();
  globalThis.firstRow = () => document.querySelector('[data-index="0"] a')?.textContent;
  globalThis.shown = new Promise((resolve) => {
    const before = firstRow();
    const observer = new MutationObserver(() => {
      if (firstRow() === before || firstRow() === undefined) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => {
        const ends = performance.getEntriesByType('resource').filter(({ name, startTime }) => name.endsWith('/graphql') && startTime > began);
        resolve(performance.now() - Math.min(...ends.map(({ responseEnd }) => responseEnd)));
      }));
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  undefined;
`;

type Scrolled = Omit<ConsoleCost, 'searchShownMs' | 'firstRowsCpuMs' | 'cellCpuMs'>;

async function scroll(
  browser: Browser,
  page: Page,
  session: CDPSession,
  say: (text: string) => void,
): Promise<Scrolled> {
  const megabytesBefore = await heapOf(session);
  await page.evaluate(`
    globalThis.frames = [];
    new PerformanceObserver((list) => frames.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'long-animation-frame' });
  `);
  say(`Scrolling through ${programs.toLocaleString('en')} programs`);
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
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
    longestTaskCpuMs: longestTask(await browser.stopTracing()),
    longFrames: frames.filter((duration) => duration > frameMs).length,
    longestFrameMs: Math.round(Math.max(0, ...frames)),
    megabytesBefore,
    megabytesAfter: await heapOf(session),
  };
}

const trace = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.int(),
      tid: z.int(),
      tdur: z.optional(z.number()),
      args: z.object({ name: z.optional(z.unknown()) }),
    }),
  ),
});

/** Of the main threads of pages, in milliseconds of CPU time. */
function longestTask(buffer: Buffer): number {
  const { traceEvents } = trace.parse(JSON.parse(buffer.toString()));
  const named = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const threads = new Set(named.map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`));
  return Math.round(tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1_000);
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return Math.round(usedSize / 1_048_576);
}
