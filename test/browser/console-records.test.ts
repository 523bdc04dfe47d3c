import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { makeKey } from '../support/keys.ts';
import { useServer } from '../support/server.ts';
import { startBrowser } from './browser.ts';
import { button, field, openConsole } from './console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('the history of a record', () => {
  it('says who changed a code, and puts it back', async () => {
    const key = await makeKey(server.database, { role: 'editor', user: 'ed.registrar' });
    const { id } = await factoriesFor(server).program({ name: 'Petrology', code: 'PET-1' });
    await server.graphql(
      'mutation ($id: Int!) { updateProgram(id: $id, input: { code: "PET-9" }) { id } }',
      { id },
      key,
    );
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('ed.registrar changed its code').waitFor();
    await history.getByText('just now').first().waitFor();

    await button(page, 'Put back code PET-1').click();
    await page.getByRole('heading', { name: 'Edit program' }).waitFor();
    expect(await field(page, /^Code/).inputValue()).toBe('PET-1');
    await button(page, 'Save').click();
    await history.getByText('admin changed its code').waitFor();

    const { body } = await server.graphql('query ($id: Int!) { program(id: $id) { code } }', { id });
    expect(body.data.program.code).toBe('PET-1');
    await close();
  });

  it('of a program tells of its branches: those that came, left and were renamed', async () => {
    const make = factoriesFor(server);
    const [here, there] = [await make.program({ name: 'Mining' }), await make.program({ name: 'Minerals' })];
    const branch = await make.branch(here.id, { name: 'Ores' });
    const guest = await make.branch(there.id, { name: 'Salts' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${here.id}`);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('admin created the branch Ores').waitFor();
    const change = (id: number, input: string) =>
      server.graphql(`mutation { updateBranch(id: ${id}, input: { ${input} }) { id } }`);

    await change(branch.id, 'name: "Metal ores"');
    await history.getByText('admin renamed the branch Metal ores').waitFor();
    await change(guest.id, `programId: ${here.id}`);
    await history.getByText('admin moved the branch Salts here from Minerals').waitFor();
    await change(branch.id, `programId: ${there.id}`);
    await history.getByText('admin moved the branch Metal ores to Minerals').waitFor();

    // An earlier value of a branch is put back on its own page.
    await button(page, 'Put back name Ores').click();
    await page.getByRole('heading', { name: 'Edit branch' }).waitFor();
    expect(await field(page, /^Name/).inputValue()).toBe('Ores');
    await close();
  });
});
