import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { startService } from '../processes.ts';
import { apiOf } from './api.ts';
import { createEditor, recordsOfJobs } from './catalog.ts';
import { type Desk, type Job, jobs } from './list.ts';
import { type Person, personAt } from './person.ts';

const jobMaxMs = 30_000;

type Say = (text: string) => void;

/**
 * Does the jobs of editors in the Chromium of Debian, as fast as people are, in a catalog that has the records of files,
 * too. Says for each the seconds from the first decision until the last answer is read, what hands and eyes took of
 * that, and whether the right records changed, and no others.
 */
export async function measureJobs(databaseUrl: string, files: readonly string[], say: Say): Promise<void> {
  const service = await startService(databaseUrl);
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    await doJobs(browser, service.url, files, say);
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function doJobs(browser: Browser, url: string, files: readonly string[], say: Say): Promise<void> {
  const api = apiOf(url);
  for (const file of files) await api.importCsv(await readFile(file, 'utf8'), basename(file));
  await api.importCsv(recordsOfJobs, 'jobs.csv');
  const [key, another] = [await createEditor(api, 'asha'), await createEditor(api, 'meena')];
  await apiOf(url, another).importCsv('program_name,program_duration\nDiploma of Yesterday,1 Year', 'yesterday.csv');
  say(['job', 'before (s)', 'now (s)', 'hands (s)', 'keys', 'decisions', 'outcome'].join('\t'));
  for (const job of jobs) {
    const desk = {
      person: await open(browser, url, key, '/programs'),
      api,
      openAnother: (path: string) => open(browser, url, another, path),
    };
    say((await doJob(job, desk)).join('\t'));
  }
}

async function doJob({ name, before, run }: Job, desk: Desk): Promise<readonly (string | number)[]> {
  const { page, spent } = desk.person;
  page.setDefaultTimeout(jobMaxMs);
  const began = performance.now();
  const outcome = await run(desk).then(
    (isRight) => (isRight ? 'right' : 'wrong'),
    (error: unknown) => String(error),
  );
  const seconds = round(performance.now() - began - desk.person.awayMs());
  const { keys, decisions, ms } = spent();
  await page.context().close();
  return [name, before ?? 'impossible', seconds, round(ms), keys, decisions, outcome];
}

const round = (ms: number): number => Math.round(ms / 100) / 10;

async function open(browser: Browser, url: string, key: string, path: string): Promise<Person> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: 'en' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  await page.request.post(`${url}/session`, { headers: { 'x-api-key': key, 'sec-fetch-site': 'same-origin' } });
  await page.goto(`${url}/console${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('main:not([aria-busy])').waitFor();
  return personAt(page);
}
