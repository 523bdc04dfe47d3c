import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { startService } from '../processes.ts';
import { apiOf } from './api.ts';
import { createEditor, findFault, readCatalog, recordsOfJobs } from './catalog.ts';
import { jobs } from './list.ts';
import { type Person, personAt } from './person.ts';

const jobMaxMs = 30_000;

/**
 * Does the jobs of editors in the Chromium of Debian, as fast as people are, in a catalog that has the records of files,
 * too. Says for each the seconds from the first decision until the last answer is read, what hands and eyes took of
 * that, what the console let them wait, and whether every record of the database is as it should be afterwards.
 */
export async function measureJobs(
  databaseUrl: string,
  files: readonly string[],
  say: (text: string) => void,
): Promise<void> {
  const { url, stop } = await startService(databaseUrl);
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const api = apiOf(url);
    for (const file of files) await api.importCsv(await readFile(file, 'utf8'), basename(file));
    await api.importCsv(recordsOfJobs, 'jobs.csv');
    const [key, another] = [await createEditor(api, 'asha'), await createEditor(api, 'meena')];
    await apiOf(url, another).importCsv('program_name,program_duration\nDiploma of Yesterday,1 Year', 'yesterday.csv');
    say(['job', 'before (s)', 'now (s)', 'hands (s)', 'waiting (s)', 'keys', 'decisions', 'outcome'].join('\t'));
    for (const { name, before, run, ...effect } of jobs) {
      const catalog = await readCatalog(databaseUrl);
      const person = await open(browser, url, key, '/programs');
      const began = performance.now();
      const failure = await run({ person, catalog, openAnother: (path) => open(browser, url, another, path) }).then(
        () => null,
        String,
      );
      const ms = performance.now() - began - person.awayMs();
      const { keys, decisions, ms: hands } = person.spent();
      await person.page.context().close();
      const outcome = failure ?? findFault(catalog, await readCatalog(databaseUrl), effect) ?? 'right';
      say(
        [name, before ?? 'impossible', round(ms), round(hands), round(ms - hands), keys, decisions, outcome].join('\t'),
      );
    }
  } finally {
    await browser.close();
    await stop();
  }
}

const round = (ms: number): number => Math.round(ms / 100) / 10;

async function open(browser: Browser, url: string, key: string, path: string): Promise<Person> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: 'en' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(jobMaxMs);
  await page.request.post(`${url}/session`, { headers: { 'x-api-key': key, 'sec-fetch-site': 'same-origin' } });
  await page.goto(`${url}/console${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('main:not([aria-busy])').waitFor();
  return personAt(page);
}
