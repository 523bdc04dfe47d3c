import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { startBrowser } from '../browser.ts';
import { button, field, openConsole } from '../console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Finds and replaces in a field of all rows of the list, as far as the preview. */
async function replace(page: Page, fieldName: string, found: string, replacement: string): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
  await button(page, 'Find and replace').click();
  await page.getByRole('dialog').getByRole('combobox').first().selectOption({ label: fieldName });
  await field(page, 'Find').fill(found);
  await field(page, 'Replace with').fill(replacement);
  await button(page, 'Check').click();
}

it('finds a text that is renamed away before the change: its record is named, and stays as it is', async () => {
  const { make } = server;
  const [first, second] = [await make.program({ name: 'Numis Old 1' }), await make.program({ name: 'Numis Old 2' })];
  const { page, close } = await openConsole(browser, server.url, '/programs?q=Numis');
  await page.getByRole('link', { name: 'Numis Old 2' }).waitFor();
  let reads = 0;
  await page.route('**/graphql', (route) => {
    if (route.request().postData()?.includes(`"ids":[${first.id},${second.id}]`)) reads += 1;
    return route.fallback();
  });
  await replace(page, 'Name', 'Old', 'New');
  await button(page, 'Change 2 programs').waitFor();
  // Those that were found are those that are checked.
  expect(reads).toBe(1);
  await server.graphql(`mutation { updateProgram(id: ${first.id}, input: { name: "Numismatics" }) { id } }`);
  await button(page, 'Change 2 programs').click();
  await page.getByText('No longer with “Old” there, so left as they are: Numis Old 1.').waitFor();
  expect(await page.getByText('Already so').count()).toBe(0);
  await button(page, 'Change 1 program').and(page.locator('[aria-disabled=false]')).click();
  await page.getByText('1 program was changed.').waitFor();
  await close();
});

describe('find and replace in branches of several programs', () => {
  it('replaces in what a colleague has saved since, with one undo, and names an empty name as a problem', async () => {
    const { make } = server;
    const [arts, laws] = [await make.program({ name: 'Arts' }), await make.program({ name: 'Laws' })];
    const owners = [arts, arts, laws, laws];
    const names = ['Carto Old', 'Carto Old', 'Carto Old maps', 'Carto Old charts'];
    const ids: number[] = [];
    for (const [at, { id }] of owners.entries()) ids.push((await make.branch(id, { name: names[at] })).id);
    const namesNow = async () =>
      (
        await server.graphql(
          'query ($ids: [Int!]!) { branchesConnection(filter: { ids: $ids }, orderBy: ID_ASC) { nodes { name } } }',
          { ids },
        )
      ).body.data.branchesConnection.nodes.map(({ name }: { name: string }) => name);
    const { page, close } = await openConsole(browser, server.url, '/branches?q=Carto');
    await page.getByRole('link', { name: 'Carto Old maps' }).waitFor();
    await replace(page, 'Name', 'Old', 'New');
    await button(page, 'Change 4 branches').waitFor();
    await server.graphql(
      'mutation ($id: Int!) { updateBranch(id: $id, input: { name: "Carto Old maps (evening)" }) { id } }',
      { id: ids[2] },
    );
    await server.graphql(`mutation { updateProgram(id: ${laws.id}, input: { name: "Law" }) { id } }`);
    await server.graphql(`mutation { deleteBranch(id: ${ids[3]}) { id } }`);
    await button(page, 'Change 4 branches').click();
    await page.getByText('These records were changed meanwhile.').waitFor();
    await page.getByText('Deleted meanwhile, so left out: Carto Old charts.').waitFor();
    await button(page, 'Change 3 branches').and(page.locator('[aria-disabled=false]')).click();
    await expect.poll(namesNow).toEqual(['Carto New', 'Carto New', 'Carto New maps (evening)']);
    await button(page, 'Undo').click();
    await expect.poll(namesNow).toEqual(['Carto Old', 'Carto Old', 'Carto Old maps (evening)']);
    const { body } = await server.graphql(`{ program(id: ${laws.id}) { name } }`);
    expect(body.data.program.name).toBe('Law');

    await page.getByRole('link', { name: 'Carto Old maps (evening)' }).waitFor();
    await replace(page, 'Name', 'Carto Old', '');
    await page.getByText('Nothing is changed: 2 rows have problems.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Carto Old, Name: It must not be empty.' }).first().waitFor();
    await close();
  });
});
