import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { startBrowser } from '../browser.ts';
import { button, choice, field, openConsole, programLinks } from '../console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  await server.database.query(`
    INSERT INTO programs (name, duration, code, attributes, created_at, updated_at) VALUES
      ('Alchemy', '10 Years', 'A-10', '{"credits": "90"}', '2026-01-03', '2026-01-03'),
      ('Botany', '2 Years', 'A-2', '{"credits": "120"}', '2026-01-02', '2026-01-05'),
      ('Chess', '3 Years', NULL, '{"credits": "unknown"}', '2026-01-01', '2026-01-04'),
      ('Dance', '2 Years', 'D', '{}', now(), now())`);
  await server.database.query(
    `INSERT INTO branches (program_id, name) SELECT id, 'Branch ' || n FROM programs, generate_series(1, 4 - id) n`,
  );
});
afterAll(() => browser.close());

const namesIn = (page: Page) => programLinks(page).allTextContents();
const shows = (page: Page, names: readonly string[]) => expect.poll(() => namesIn(page)).toEqual(names);
const mode = (page: Page, name: string, chosen: string) =>
  page.getByRole('combobox', { name }).selectOption({ label: chosen });

async function filterBy(page: Page, ...steps: string[]): Promise<void> {
  await button(page, '+ Filter').click();
  for (const step of steps) await choice(page, step).click();
}

it('a list is sorted by the head of every column, times newest first, and by attributes', async () => {
  const columns = 'name,code,duration,branches,changed,attributes.credits';
  const { page, close } = await openConsole(browser, server.url, `/programs?columns=${columns}`);
  const orders = {
    Code: ['Botany', 'Alchemy', 'Dance', 'Chess'],
    Duration: ['Botany', 'Dance', 'Chess', 'Alchemy'],
    Branches: ['Dance', 'Chess', 'Botany', 'Alchemy'],
    Changed: ['Dance', 'Botany', 'Chess', 'Alchemy'],
    credits: ['Alchemy', 'Botany', 'Chess', 'Dance'],
  };
  for (const [head, names] of Object.entries(orders)) {
    await page.getByRole('columnheader', { name: head, exact: true }).getByRole('button').first().click();
    await shows(page, names);
  }
  await page.getByRole('columnheader', { name: 'credits' }).getByRole('button').first().click();
  await shows(page, ['Chess', 'Botany', 'Alchemy', 'Dance']);
  expect(new URL(page.url()).searchParams.get('sort')).toBe('ATTRIBUTE_DESC');
  await page.reload();
  await shows(page, ['Chess', 'Botany', 'Alchemy', 'Dance']);
  await close();
});

it('filters take several values, what is not, what is empty and ranges, and read as a sentence', async () => {
  const { page, close } = await openConsole(browser, server.url, '/programs');
  await filterBy(page, 'Duration', '2 Years (2)', '3 Years (1)');
  await shows(page, ['Botany', 'Chess', 'Dance']);
  await page.keyboard.press('Escape');
  await button(page, 'Duration is 2 Years or 3 Years').click();
  await mode(page, 'Duration', 'is not');
  await shows(page, ['Alchemy']);
  await page.keyboard.press('Escape');
  await button(page, 'Duration is not 2 Years or 3 Years').waitFor();

  await filterBy(page, 'Code');
  await mode(page, 'Code', 'is empty');
  await page.getByText('No program matches').waitFor();
  await button(page, 'and').click();
  await shows(page, ['Alchemy', 'Chess']);
  await button(page, 'or').waitFor();

  await button(page, 'Remove the filter Duration').click();
  await button(page, 'Remove the filter Code').click();
  await filterBy(page, 'Attribute', 'credits (3)');
  await mode(page, 'credits', 'is within');
  await field(page, 'From').fill('100');
  await page.keyboard.press('Enter');
  await shows(page, ['Botany']);
  await button(page, 'credits is at least 100').waitFor();
  await button(page, 'Remove the filter credits').click();

  await filterBy(page, 'Created', 'This week');
  await shows(page, ['Dance']);
  await button(page, 'Created this week').click();
  await field(page, 'From').fill('2026-01-01');
  await field(page, 'To').fill('2026-01-02');
  await choice(page, 'Filter').click();
  await shows(page, ['Botany', 'Chess']);
  await button(page, 'Created from 1 Jan 2026 to 2 Jan 2026').waitFor();
  await close();
});

it('a filtered list is exported as it is, and a view keeps its filters and order', async () => {
  const search = new URLSearchParams({
    duration: '{"is":["2 Years","3 Years"]}',
    code: '{"has":false}',
    match: 'any',
    sort: 'BRANCHES_DESC',
  });
  const { page, close } = await openConsole(browser, server.url, `/programs?${search}`);
  await shows(page, ['Botany', 'Chess', 'Dance']);
  await button(page, 'Views').click();
  await field(page, 'Name of this view').fill('Short');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.goto(`${server.url}/console/programs`);
  await button(page, 'Views').click();
  await button(page, 'Short').click();
  await shows(page, ['Botany', 'Chess', 'Dance']);
  await button(page, 'Duration is 2 Years or 3 Years').waitFor();

  await page.getByRole('link', { name: 'Export these' }).click();
  await page
    .getByText(/The 3 programs that your filter shows.*Duration is 2 Years or 3 Years or Code is empty/)
    .waitFor();
  await page.getByRole('combobox', { name: 'Format' }).selectOption('JSON, for software');
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()]);
  const rows: { program_name: string }[] = JSON.parse(
    Buffer.concat(await (await download.createReadStream()).toArray()).toString(),
  );
  expect([...new Set(rows.map((row) => row.program_name))]).toEqual(['Botany', 'Chess', 'Dance']);
  await close();
});
