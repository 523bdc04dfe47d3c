import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../support/credentials/keys.ts';
import { secret, secretToken } from '../support/credentials/tokens.ts';
import { factoriesFor } from '../support/factories.ts';
import { startTestServer, useServer } from '../support/server.ts';
import { startBrowser } from './browser.ts';
import { button, choice, choose, field, openConsole } from './console.ts';

const server = useServer();
let browser: Browser;
let programId: number;
beforeAll(async () => {
  browser = await startBrowser();
  const make = factoriesFor(server);
  programId = (await make.program()).id;
  await make.branch(programId);
});
afterAll(() => browser.close());

/** Does what the button at the end of a row offers. */
async function act(page: Page, record: string, action: string): Promise<void> {
  await button(page, `Actions for ${record}`).click();
  await button(page, action).click();
}

const everywhere = ['Overview', 'Programs', 'Branches', 'Import and export', 'Notes'];

describe('what is offered', () => {
  it.each([
    { role: 'guest', readOnly: false, screens: ['Branches', 'Access'], actions: [] },
    {
      role: 'viewer',
      readOnly: false,
      screens: [...everywhere, 'Editions', 'Attributes', 'Access'],
      actions: ['Add branch'],
    },
    {
      role: 'editor',
      readOnly: false,
      screens: [...everywhere, 'Changes', 'Editions', 'Attributes', 'Trash', 'Access'],
      actions: ['Edit program', 'Delete program', 'Add branch'],
    },
    {
      role: 'editor',
      readOnly: true,
      screens: [...everywhere, 'Changes', 'Editions', 'Attributes', 'Access'],
      actions: [],
    },
    {
      role: 'admin',
      readOnly: true,
      screens: [...everywhere, 'Changes', 'Editions', 'Attributes', 'Access', 'Audit log'],
      actions: [],
    },
    {
      role: 'admin',
      readOnly: false,
      screens: [...everywhere, 'Changes', 'Editions', 'Attributes', 'Trash', 'Access', 'Audit log'],
      actions: ['Edit program', 'Delete program', 'Add branch'],
    },
  ] as const)('to a $role (read-only key: $readOnly) is what they may do', async ({ role, readOnly, ...offered }) => {
    const key = await makeKey(server.database, { role, readOnly, user: `${role} ${readOnly}` });
    const { page, close } = await openConsole(browser, server.url, '/branches', { key });
    await page.getByText('Optics').first().waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.waitFor();
    expect([await help.getByText('Search the list').count(), await help.getByText('New program').count()]).toEqual([
      1,
      Number(offered.screens.some((screen) => screen === 'Trash')),
    ]);
    await page.keyboard.press('Escape');
    const links = await page.getByRole('navigation', { name: 'Console' }).getByRole('link').allTextContents();
    expect(links).toEqual(offered.screens);

    if (role !== 'guest') {
      await page.goto(`${server.url}/console/programs/${programId}`);
      await page.getByRole('heading', { name: 'Physics', level: 1 }).waitFor();
      for (const name of ['Edit program', 'Delete program', 'Add branch']) {
        expect([name, await button(page, name).count()]).toEqual([
          name,
          Number(offered.actions.some((a) => a === name)),
        ]);
      }
    }
    await close();
  });

  it('not is explained by an address that is opened anyway', async () => {
    const key = await makeKey(server.database, { role: 'viewer' });
    const { page, close } = await openConsole(browser, server.url, '/audit', { key });

    await page.getByRole('heading', { name: /^You may not/ }).waitFor();
    await close();
  });

  it('is not another key for a user whose role lacks the right', async () => {
    const key = await makeKey(server.database, { role: 'editor', readOnly: true, user: 'a careful editor' });
    const { page, close } = await openConsole(browser, server.url, '/audit', { key });
    await page.getByText('Your role is editor. Ask an administrator for another one.').waitFor();
    await page.goto(`${server.url}/console/trash`);
    await page.getByText('Your key is read-only').waitFor();
    await close();
  });

  it('to a guest at a wrong address is what a guest may see', async () => {
    const key = await makeKey(server.database, { role: 'guest', user: 'a lost guest' });
    const { page, close } = await openConsole(browser, server.url, '/nowhere', { key });
    await page.getByRole('link', { name: 'All branches' }).click();
    await page.getByText('Optics').first().waitFor();
    await close();
  });

  it('to a guest is to see branches, without a form for programs that they cannot find', async () => {
    const key = await makeKey(server.database, { role: 'guest', user: 'a helpful guest' });
    const { page, close } = await openConsole(browser, server.url, '/branches', { key });
    await page.getByRole('link', { name: 'Optics' }).waitFor();
    expect(await button(page, /add branch/i).count()).toBe(0);
    await close();
  });
});

describe('a token of an identity provider', () => {
  it('signs in with the rights of its roles, and once it has expired another takes its place', async () => {
    const tokenServer = await startTestServer({ JWT_SECRET: secret });
    const issue = (seconds: number): string =>
      secretToken({ sub: 'ada', roles: ['editor'], exp: Math.floor(Date.now() / 1_000) + seconds });
    const { page, close } = await openConsole(browser, tokenServer.url, '', { key: '' });
    await field(page, 'API key or token').fill(issue(6));
    await button(page, 'Sign in').click();
    await page.getByText('editor', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Create the first program' }).click();
    await field(page, 'Name').fill('Physics');
    await field(page, 'Duration').fill('3 Years');

    // The dialog waits while a field has the focus.
    await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();
    await field(page, 'API key or token').fill(issue(600));
    await button(page, 'Sign in').click();
    await button(page, 'Create program').click();
    await page.getByRole('heading', { name: 'Physics' }).waitFor();
    await close();
    await tokenServer.close();
  });
});

describe('managing access', () => {
  it('says once who is called as their role', async () => {
    const own = await openConsole(browser, server.url);
    const signedIn = (page: Page) => page.getByRole('region', { name: 'Signed in' });
    await signedIn(own.page).getByText('admin').waitFor();
    expect(await signedIn(own.page).getByText('admin').count()).toBe(1);
    await own.close();
    const key = await makeKey(server.database, { role: 'admin', user: 'a dean', readOnly: true });
    const other = await openConsole(browser, server.url, '', { key });
    await signedIn(other.page).getByText('a dean', { exact: true }).waitFor();
    await signedIn(other.page).getByText('admin · read-only key', { exact: true }).waitFor();
    await other.close();
  });

  it('shows all that is said about a key in a narrow window', async () => {
    const user = 'a careful integrator';
    await makeKey(server.database, {
      role: 'editor',
      user,
      readOnly: true,
      expiresAt: new Date(Date.now() + 2 * 86_400_000),
    });
    const screen = { width: 820, height: 800, colorScheme: 'light' } as const;
    const { page, close } = await openConsole(browser, server.url, '/access', { screen });
    const row = page.getByRole('table', { name: 'Keys' }).getByRole('row', { name: user });
    await row.waitFor();
    const cut = await row.evaluate((element) =>
      Array.from(element.querySelectorAll('td')).flatMap(({ scrollWidth, clientWidth, textContent }) =>
        scrollWidth > clientWidth ? textContent : [],
      ),
    );
    expect(await row.locator('.badge').count()).toBe(2);
    expect(cut).toEqual([]);
    await close();
  });

  it('tells the session of the browser from others, before it is revoked', async () => {
    const key = await makeKey(server.database, { role: 'admin', user: 'a tidy administrator' });
    const { page, close } = await openConsole(browser, server.url, '/access', { key });
    const own = page.getByRole('row').filter({ hasText: 'this browser' });
    await own.waitFor();
    expect(await own.count()).toBe(1);
    await own.getByRole('button', { name: /^Actions for/ }).click();
    await own.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByRole('alertdialog').getByText('This browser uses it').waitFor();
    await button(page, 'Cancel').click();
    await close();
  });

  it('adds and renames a user, issues a key that is shown once, rotates, renames, prolongs and revokes it', async () => {
    const { page, context, close } = await openConsole(browser, server.url, '/access');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.clock.install();
    await button(page, 'Add user').click();
    await field(page, 'Name').fill('grace');
    await choose(page, 'Role', 'editor: sees, adds, changes, deletes and restores programs and branches');
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click();
    await page.getByText('grace was added').waitFor();
    await page.clock.runFor(60_000);

    await button(page, 'Issue a key').click();
    await page.getByRole('region', { name: 'Keys of grace' }).getByText('0 keys').waitFor();
    await expect.poll(() => field(page, 'User').locator(':checked').textContent()).toBe('grace (editor)');
    await field(page, /Purpose/).fill('compiler');
    await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
    const secret = await page.getByRole('dialog').getByRole('region', { name: 'key' }).textContent();
    expect(secret).toMatch(/^uas_/);
    await button(page, 'Copy the key').click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret);
    await button(page, 'I have copied it').click();
    expect((await server.graphql('{ viewer { name } }', {}, secret)).body.data.viewer.name).toBe('grace');

    await act(page, 'compiler', 'Rotate compiler');
    await button(page, 'Rotate key').click();
    const second = await page.getByRole('dialog').getByRole('region', { name: 'key' }).textContent();
    await button(page, 'I have copied it').click();
    const replaced = page.getByRole('row', { name: /replaced by key \d+, ends tomorrow/ });
    await replaced.getByRole('button', { name: 'Actions for compiler' }).click();
    await replaced.getByRole('button', { name: 'Revoke compiler' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
    await replaced.waitFor({ state: 'detached' });
    await act(page, 'compiler', 'Edit compiler');
    await field(page, /Purpose/).fill('interpreter');
    await choose(page, 'Valid for', 'One year');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('interpreter was saved.').waitFor();
    const { body: keys } = await server.graphql(
      '{ apiKeys(filter: { user: "grace", state: ACTIVE }) { name expiresAt } }',
    );
    expect(keys.data.apiKeys).toEqual([{ name: 'interpreter', expiresAt: expect.any(String) }]);
    expect(Date.parse(keys.data.apiKeys[0].expiresAt)).toBeGreaterThan(Date.now() + 364 * 86_400_000);
    await act(page, 'interpreter', 'Edit interpreter');
    await choose(page, 'Valid for', 'Until a day…');
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save' });
    await save.click();
    await page.getByText('Choose the last day on which the key is valid.').waitFor();
    await field(page, 'Last day').fill('2099-05-31');
    await save.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body: dated } = await server.graphql('{ apiKeys(filter: { user: "grace", state: ACTIVE }) { expiresAt } }');
    const midnight = await page.evaluate<string>('new Date(2099, 5, 1).toISOString()');
    expect(dated.data.apiKeys).toEqual([{ expiresAt: midnight }]);

    await act(page, 'grace', 'Edit user grace');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('grace hopper');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await act(page, 'grace hopper', 'Keys of grace hopper');
    await page.getByRole('region', { name: 'Keys of grace hopper' }).getByText('1 key', { exact: true }).waitFor();

    await act(page, 'interpreter', 'Revoke interpreter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('The key interpreter is revoked.').waitFor();
    await expect.poll(async () => (await server.graphql('{ viewer { name } }', {}, second)).status).toBe(401);

    await page.getByRole('link', { name: 'Audit log' }).click();
    await button(page, '+ Filter').click();
    await choice(page, 'What').click();
    await choice(page, 'Keys').click();
    await page.getByRole('row', { name: /revoked key interpreter/ }).waitFor();
    expect(page.url()).toContain('subject=API_KEY');
    await button(page, '+ Filter').click();
    await choice(page, 'From').click();
    await expect.poll(() => page.evaluate<string>('document.activeElement.type')).toBe('date');
    await page.keyboard.type('01022026');
    await page.waitForURL(/since=2026-0[12]-0[12]/);
    await close();
  });

  it('says why the last administrator stays', async () => {
    const { page, close } = await openConsole(browser, server.url, '/access');
    await server.database.query(`UPDATE users SET disabled = true WHERE role = 'admin' AND name <> 'admin'`, []);
    await act(page, 'admin', 'Edit user admin');
    await page.getByText(/^Disabled:/).click();
    await button(page, 'Save').click();

    await page.getByText(/last active administrator/).waitFor();
    await close();
  });

  it('asks before administrators shut themselves out', async () => {
    const { page, close } = await openConsole(browser, server.url, '/access');
    await makeKey(server.database, { role: 'admin', user: 'a second administrator' });
    await act(page, 'admin', 'Delete admin');
    await page.getByRole('alertdialog').getByText('This is you').waitFor();
    await button(page, 'Cancel').click();
    await act(page, 'admin', 'Edit user admin');
    await choose(page, 'Role', 'viewer: sees programs and branches, and adds branches');
    await page.getByText('you can no longer manage users and keys').waitFor();
    await page.getByText(/^Disabled:/).click();
    await page.getByText('you are shut out at once').waitFor();
    await button(page, 'Cancel').click();
    await button(page, 'Close').click();

    const { body } = await server.graphql('{ viewer { name role } }');
    expect(body.data.viewer).toEqual({ name: 'admin', role: 'ADMIN' });
    await close();
  });
});

it('the form of a key saves what was changed in it alone: another administrator has named it meanwhile', async () => {
  const { body } = await server.graphql('mutation { createUser(input: { name: "keyed", role: EDITOR }) { id } }');
  const { body: made } = await server.graphql(
    `mutation { createApiKey(input: { userId: ${body.data.createUser.id}, name: "old name" }) { apiKey { id } } }`,
  );
  const { id } = made.data.createApiKey.apiKey;
  const { page, close } = await openConsole(browser, server.url, '/access');
  await act(page, 'old name', 'Edit old name');
  await choose(page, 'Valid for', 'One year');
  await server.graphql(`mutation { updateApiKey(id: ${id}, input: { name: "new name" }) { id } }`);
  await button(page, 'Save').click();
  await page.getByText('new name was saved.').waitFor();
  const [key] = await server.database.query('SELECT name, expires_at IS NULL AS endless FROM api_keys WHERE id = $1', [
    id,
  ]);
  expect(key).toEqual({ name: 'new name', endless: false });
  await close();
});

it('the form of a user saves what was changed in it alone: another administrator has disabled and renamed them meanwhile', async () => {
  const { body } = await server.graphql('mutation { createUser(input: { name: "grete", role: EDITOR }) { id } }');
  const { page, close } = await openConsole(browser, server.url, '/access');
  await act(page, 'grete', 'Edit user grete');
  await choose(page, 'Role', 'viewer: sees programs and branches, and adds branches');
  await server.graphql(
    `mutation { updateUser(id: ${body.data.createUser.id}, input: { name: "greta", disabled: true }) { id } }`,
  );
  await button(page, 'Save').click();
  await page.getByText('greta was saved.').waitFor();
  const [user] = await server.database.query('SELECT name, role, disabled FROM users WHERE name LIKE $1', ['gret_']);
  expect(user).toEqual({ name: 'greta', role: 'viewer', disabled: true });
  await close();
});
