import type { Browser, CDPSession, Page } from 'playwright-core';
import { adminKey } from '../processes.ts';

/** A page of the console. */
export interface Tab {
  readonly name: string;
  readonly page: Page;
  readonly session: CDPSession;
  readonly samples: Sample[];
}

/** What it takes, after garbage collection. */
export interface Sample {
  readonly megabytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** With columns that change, and one that only the typist changes. */
const list = '/programs?columns=name,duration,attributes.level,code';
export const formName = 'a form';
export const cellName = 'a cell, in German';
export const noteName = 'a note';

export async function openTabs(browser: Browser, url: string): Promise<Tab[]> {
  const paths = {
    overview: '',
    programs: list,
    'programs, far down': list,
    branches: '/branches',
    program: '/programs/1',
    changes: '/changes',
    notes: '/notes',
    [formName]: '/programs/2',
    [cellName]: list,
    [noteName]: '/programs/5',
  };
  const tabs: Tab[] = [];
  for (const [name, path] of Object.entries(paths)) {
    const locale = name.includes('German') ? 'de' : 'en';
    const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale });
    const page = await context.newPage();
    await page.request.post(`${url}/session`, { headers: { 'x-api-key': adminKey, 'sec-fetch-site': 'same-origin' } });
    await page.goto(`${url}/console${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    tabs.push({ name, page, session: await context.newCDPSession(page), samples: [] });
  }
  const far = tabs.find(({ name }) => name.includes('far'));
  await far?.page.mouse.move(640, 500);
  while (far && !(await far.page.evaluate<boolean>(`document.querySelector('[aria-rowindex="1000"]') !== null`))) {
    await far.page.mouse.wheel(0, 1_200);
    await far.page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  }
  return tabs;
}

export async function sampleOf(session: CDPSession): Promise<Sample> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string): number => metrics.find((found) => found.name === name)?.value ?? 0;
  return {
    megabytes: Math.round((metric('JSHeapUsedSize') / 1_048_576) * 10) / 10,
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
  };
}
