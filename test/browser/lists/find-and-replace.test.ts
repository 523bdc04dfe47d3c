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
