import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../support/credentials/keys.ts';
import { factoriesFor } from '../support/factories.ts';
import { adminKey, useServer } from '../support/server.ts';
import { openPage, screens, startBrowser } from './browser.ts';
import { button, choice, choose, field, holdUntil, openConsole, programLinks, signOut, started } from './console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const count = async (name: string): Promise<unknown> => {
  const query = 'query ($search: String) { programsConnection(filter: { search: $search }) { totalCount } }';
  const { body } = await server.graphql(query, { search: name });
  return body.data.programsConnection.totalCount;
};

describe('signing in', () => {
  it('says why a key is rejected, accepts another, and keeps it out of URLs and for the tab alone', async () => {
    const { page, close } = await openPage(browser, `${server.url}/console`, screens[0]);
    // Before the scripts have come, Enter in an empty field does nothing.
    await page.getByRole('button', { name: 'Sign in', exact: true, disabled: false }).waitFor();
    await field(page, 'API key or token').press('Enter');
    await page.getByText('Paste a key or a token first.').waitFor();
    await field(page, 'API key or token').fill('uas_mistyped');
    await button(page, 'Sign in').click();
    await page.getByText('mistyped, expired or revoked').waitFor();

    await field(page, 'API key or token').fill(adminKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('main');
    expect(page.url()).not.toContain(adminKey);
    expect(await page.evaluate<number>('localStorage.length')).toBe(0);
    expect(await page.evaluate<string>('document.cookie')).toBe('');

    await signOut(page);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await close();
  });

  it('distinguishes a disabled user from an invalid key', async () => {
    const key = await makeKey(server.database, { user: 'a leaver', role: 'editor', disabled: true });
    const { page, close } = await openPage(browser, `${server.url}/console`, screens[0]);
    await field(page, 'API key or token').fill(key);
    await button(page, 'Sign in').click();

    await page.getByText(/disabled|no active user/).waitFor();
    await close();
  });
});

describe('an empty catalog', () => {
  it('greets with two ways to begin', async () => {
    const { page, problems, close } = await openConsole(browser, server.url);
    await page.getByRole('heading', { name: /two ways to begin/ }).waitFor();
    await page.getByRole('link', { name: 'Import an Excel, CSV or JSON file' }).click();
    await page.locator('input[type=file]').setInputFiles('examples/university.csv');
    await page.getByText(/Checked .* rows; nothing was changed yet/).waitFor();
    expect(await count('')).toBe(0);

    await button(page, 'Import university.csv').click();
    await page
      .getByText(/Imported .* rows/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'See the programs' }).click();
    await page.getByText('56 programs', { exact: true }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });
});

describe('finding programs', () => {
  it('searches as one types, and has everything in the URL: reload and the back button work', async () => {
    const make = factoriesFor(server);
    await make.program({ name: 'Zoology of Whales', duration: '9 Years' });
    await make.program({ name: 'Zoology of Birds' });
    const all = await count('');
    const { page, close } = await openConsole(browser, server.url, '/programs');
    await programLinks(page).first().waitFor();
    await page.getByLabel('Search', { exact: true }).fill('zoology whales');
    await page.getByText('1 program', { exact: true }).waitFor();
    expect(await programLinks(page).allTextContents()).toEqual(['Zoology of Whales']);
    expect(page.url()).toContain('q=zoology');

    await page.reload();
    await page.getByText('1 program', { exact: true }).waitFor();
    await button(page, '+ Filter').click();
    await choice(page, 'Duration').click();
    await choice(page, '9 Years (1)').click();
    await page.waitForURL(/duration=/);
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('duration'));
    await button(page, 'Clear all').click();
    await page.getByText(`${all} programs`).waitFor();
    await button(page, '+ Filter').click();
    await choice(page, 'Number of branches').click();
    await field(page, 'To').fill('0');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Zoology of Whales' }).waitFor();
    await close();
  });

  it('scrolls through a long list, of which only the rows on the screen exist', async () => {
    const items = (from: number) =>
      Array.from({ length: 100 }, (_, index) => ({ name: `Long list ${from + index}`, duration: '1 Year' }));
    for (const from of [100, 200, 300]) {
      await server.graphql('mutation ($items: [CreateProgramInput!]!) { createPrograms(items: $items) { id } }', {
        items: items(from),
      });
    }
    const { page, problems, close } = await openConsole(browser, server.url, '/programs?q=long+list');
    await page.getByText('300 programs', { exact: true }).waitFor();
    const seen = new Set<string>();
    await page.mouse.move(640, 500);
    await expect
      .poll(
        async () => {
          const names = await programLinks(page).allTextContents();
          expect(names.length).toBeLessThan(80);
          for (const name of names) seen.add(name);
          await page.mouse.wheel(0, 500);
          return seen.size;
        },
        { interval: 20, timeout: 30_000 },
      )
      .toBe(300);
    expect(await page.getByRole('row').last().getAttribute('aria-rowindex')).toBe('301');
    expect(problems).toEqual([]);
    await close();
  });

  it('goes to its end with End and to its start with Home, and the focus with it', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `Home ${index}${' and a long name'.repeat(14)}`);
    await server.graphql('mutation ($items: [CreateProgramInput!]!) { createPrograms(items: $items) { id } }', {
      items: names.map((name) => ({ name, duration: '1 Year' })),
    });
    const { page, close } = await openConsole(browser, server.url, '/programs?q=home');
    await page.getByText('100 programs', { exact: true }).waitFor();
    await page.locator('[aria-rowindex="2"]').waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe(names[0]);
    await page.keyboard.press('End');
    const last = page.locator('[aria-rowindex="101"]');
    await expect.poll(() => last.evaluate((row) => row.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Home');
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(0);
    await page.locator('[aria-rowindex="2"]').waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe(names[0]);
    expect(await page.evaluate<number>('scrollY')).toBe(0);
    await close();
  });

  it('is where one left it after the back button and after a reload, however far that was', async () => {
    const nameOf = (number: number) => `Return list ${number}${number % 3 === 0 ? ' and a long name'.repeat(14) : ''}`;
    for (const from of [100, 200, 300]) {
      await server.graphql('mutation ($items: [CreateProgramInput!]!) { createPrograms(items: $items) { id } }', {
        items: Array.from({ length: 100 }, (_, index) => ({ name: nameOf(from + index), duration: '1 Year' })),
      });
    }
    const { page, close } = await openConsole(browser, server.url, '/programs?q=return+list');
    await page.getByText('300 programs', { exact: true }).waitFor();
    const link = page.getByRole('link', { name: 'Return list 371', exact: true });
    await page.mouse.move(640, 500);
    while ((await link.count()) === 0) {
      await page.mouse.wheel(0, 700);
      await page.waitForFunction('new Promise((resolve) => requestAnimationFrame(() => resolve(true)))');
    }
    await link.scrollIntoViewIfNeeded();
    const placeOf = async () => Math.round((await link.boundingBox())?.y ?? -1);
    await expect.poll(async () => [await placeOf(), await placeOf()]).toEqual([expect.any(Number), await placeOf()]);
    const place = await placeOf();
    await link.click();
    await page.getByRole('heading', { name: 'Return list 371', level: 1 }).waitFor();

    await page.goBack();
    await expect.poll(placeOf).toBe(place);
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    const scrollY = await page.evaluate<number>('scrollY');
    await page.reload();
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(scrollY);
    await link.waitFor();
    await close();
  });

  it('leaves out what is no filter in its URL', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs?sort=xyz&changed=[]&duration=77');
    await page.getByRole('link', { name: 'Show all programs' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?duration=%2277%22');
    await close();
  });

  it.each([1280, 390])('is as long on a screen of %i pixels before its rows were seen as after them', async (width) => {
    await server.graphql('mutation ($items: [CreateProgramInput!]!) { createPrograms(items: $items) { id } }', {
      items: Array.from({ length: 80 }, (_, index) => ({ name: `Row ${width}-${index}`, duration: '1 Year' })),
    });
    const screen = { width, height: 800, colorScheme: 'light' } as const;
    const { page, close } = await openConsole(browser, server.url, `/programs?q=row+${width}`, { screen });
    await page.getByText('80 programs', { exact: true }).waitFor();
    const row = page.locator('[data-index="0"]');
    const { height } = (await row.boundingBox()) ?? { height: 0 };
    const spaces = await page.locator('tbody').evaluateAll((parts) => parts.map((part) => part.clientHeight));
    expect(height).toBeGreaterThan(0);
    expect(spaces.reduce((sum, part) => sum + part, 0)).toBe(80 * height);
    // A style of its own would have the browser work out the style of each of its cells: scrolling would be slow.
    expect(await page.locator('tbody tr[style]').count()).toBe(0);
    await close();
  });

  it('offers what to do when nothing matches, which is not to export it', async () => {
    const make = factoriesFor(server);
    await make.branch((await make.program()).id, { name: 'Marine Biology', codePrefix: 'QX77-' });
    const { page, close } = await openConsole(browser, server.url, '/programs?q=nothing+like+it');
    await page.getByRole('link', { name: 'Show all programs' }).waitFor();
    await page.getByRole('link', { name: 'Export these' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Show all programs' }).click();
    await programLinks(page).first().waitFor();
    await page.getByRole('link', { name: 'Export these' }).waitFor();

    await page.goto(`${server.url}/console/branches?q=QX77-2`);
    await page.getByRole('link', { name: 'Look for it in the codes of years' }).click();
    await page.getByRole('link', { name: 'Marine Biology' }).waitFor();
    await close();
  });
});

describe('creating', () => {
  it('leads nobody away who has gone elsewhere before it is done', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs/new');
    await field(page, 'Name').fill('Cartomancy');
    await field(page, 'Duration').fill('1 Year');
    await holdUntil(page, 'mutation CreateProgram', 'Audit log');
    await button(page, 'Create program').click();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('Cartomancy was created.').waitFor();
    await page.getByRole('row', { name: /created program Cartomancy/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/audit');
    await close();
  });

  it('shows problems at their fields, and creates once for a double click', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs/new');
    await field(page, 'Name').fill('History of Art');
    await button(page, 'Create program').click();
    await page.getByText('It must not be empty.', { exact: true }).waitFor();
    expect(await field(page, 'Duration').getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.evaluate<string>(`document.activeElement.labels?.[0]?.textContent`)).toBe('Duration');

    await field(page, 'Duration').fill('3 Years');
    await button(page, 'Create program').dblclick();
    await page.getByRole('heading', { name: 'History of Art' }).waitFor();
    expect(await count('History of Art')).toBe(1);
    await close();
  });

  it('creates once when the response is lost and the page is loaded again', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs/new');
    await field(page, 'Name').fill('Lost and Found');
    await field(page, 'Duration').fill('2 Years');
    await page.route('**/graphql', async (route) => {
      if (!(route.request().postData() ?? '').includes('mutation CreateProgram')) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Create program').click();
    await page.getByText('The service cannot be reached').first().waitFor();
    expect(await count('Lost and Found')).toBe(1);

    await page.unroute('**/graphql');
    await page.reload();
    expect(await field(page, 'Name').inputValue()).toBe('Lost and Found');
    await button(page, 'Create program').click();
    await page.getByRole('heading', { name: 'Lost and Found' }).waitFor();
    expect(await count('Lost and Found')).toBe(1);
    await close();
  });

  it('previews the year codes of a branch while one types', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Law of the Sea' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await button(page, 'Add branch').click();
    await field(page, 'Name').fill('Salvage');
    await choose(page, 'Years', '3');
    await field(page, 'Code prefix').fill('SV');
    await choose(page, 'Codes end in', 'a letter');
    const preview = page.getByRole('region', { name: 'Preview of the year codes' });
    await preview.getByText('SVC').waitFor();
    expect(await preview.getByRole('listitem').allTextContents()).toEqual(['SVA', 'SVB', 'SVC']);

    await button(page, 'Create branch').click();
    await page.getByRole('row', { name: /Salvage.*SVA SVB SVC/ }).waitFor();
    await close();
  });
});

describe('a branch', () => {
  it('has a page of its own, to which lists and the search lead: link, reload and the back button work', async () => {
    const make = factoriesFor(server);
    const { id } = await make.branch((await make.program({ name: 'Music' })).id, { name: 'Counterpoint', years: 2 });
    const { page, close } = await openConsole(browser, server.url, '/branches?years=2');
    await page.getByRole('link', { name: 'Counterpoint' }).click();
    await page.getByRole('heading', { name: 'Counterpoint', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/branches/${id}`);
    expect(await page.title()).toBe('Counterpoint · Academic Structure');

    await page.reload();
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Music' }).click();
    await page.getByRole('heading', { name: 'Music', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Counterpoint', level: 1 }).waitFor();
    await page.goBack();
    await page.waitForURL(/years=/);

    await page.keyboard.press('Control+k');
    await page.keyboard.type('counterp');
    await page.getByRole('option', { name: /Counterpoint.*branch of Music/ }).click();
    await page.getByRole('heading', { name: 'Counterpoint', level: 1 }).waitFor();
    await close();
  });

  it('moves to another program, by keyboard alone, and back', async () => {
    const make = factoriesFor(server);
    const [from, to] = [await make.program({ name: 'Philosophy' }), await make.program({ name: 'Mathematics' })];
    const { id } = await make.branch(from.id, { name: 'Logic' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${from.id}`);
    const programOfLogic = async (): Promise<unknown> =>
      (await server.graphql('query ($id: Int!) { branch(id: $id) { program { id } } }', { id })).body.data.branch
        .program.id;
    await page.getByRole('checkbox', { name: 'Select Logic' }).focus();
    await page.keyboard.press('Space');
    await button(page, 'Move').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox', { name: 'Name or code of the program' }).waitFor();
    await page.keyboard.type('mathem');
    await page.getByRole('option', { name: /Mathematics/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('1 branch will move.').waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Move 1 branch');
    await expect.poll(() => page.evaluate<string>('document.activeElement.ariaDisabled')).toBe('false');
    await page.keyboard.press('Enter');
    await page.getByText('1 branch was moved.').waitFor();
    expect(await programOfLogic()).toBe(to.id);
    const logic = page.getByRole('grid', { name: 'Branches' }).getByRole('link', { name: 'Logic' });
    await logic.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Add branch');

    await button(page, 'Undo').click();
    await logic.waitFor();
    expect(await programOfLogic()).toBe(from.id);
    await close();
  });

  it('that somebody deletes stays on the screen, and is restored', async () => {
    const make = factoriesFor(server);
    const { id } = await make.branch((await make.program({ name: 'Rhetoric' })).id, { name: 'Debate' });
    const { page, close } = await openConsole(browser, server.url, `/branches/${id}`);
    await page.getByRole('heading', { name: 'Debate', level: 1 }).waitFor();
    await server.graphql('mutation ($id: Int!) { deleteBranch(id: $id) { id } }', { id });

    await page.getByRole('heading', { name: `Branch ${id} was deleted` }).waitFor();
    await page.getByRole('heading', { name: 'Debate', level: 1 }).waitFor();
    await button(page, 'Restore it').click();
    await page.getByRole('heading', { name: `Branch ${id} was deleted` }).waitFor({ state: 'detached' });
    await button(page, 'Delete branch').click();
    await page.getByRole('heading', { name: 'Rhetoric', level: 1 }).waitFor();
    await close();
  });
});

describe('the address of a record that does not exist', () => {
  it.each([
    ['a program', 'programs', 'Program'],
    ['a branch', 'branches', 'Branch'],
  ])('offers to restore %s that was deleted, and not one that never existed', async (_record, path, kind) => {
    const make = factoriesFor(server);
    const program = await make.program({ name: 'Phlogistics' });
    const branch = await make.branch(program.id, { name: 'Transmutation' });
    const { id } = kind === 'Program' ? program : branch;
    await server.graphql(`mutation ($id: Int!) { delete${kind}(id: $id) { id } }`, { id });
    const { page, close } = await openConsole(browser, server.url, `/${path}/999999`);
    await page.getByText('It never existed.').waitFor();
    expect(await button(page, 'Restore it').count()).toBe(0);

    await page.goto(`${server.url}/console/${path}/${id}`);
    await page.getByText('Deleted: ').waitFor();
    await button(page, 'Restore it').click();
    await page.getByRole('heading', { name: kind === 'Program' ? 'Phlogistics' : 'Transmutation', level: 1 }).waitFor();
    await close();
  });

  it('is not said never to have existed while one waits for it that somebody has just restored', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Phrenology' });
    await server.graphql('mutation ($id: Int!) { deleteProgram(id: $id) { id } }', { id });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await page.getByText('Deleted: ').waitFor();
    const read = page.waitForResponse((response) => response.request().postData()?.includes('query Deletion') ?? false);
    let said = 1;
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query Program(')) {
        await (await read).finished();
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        said = await page.getByText('It never existed.').count();
      }
      await route.fallback();
    });
    await server.graphql('mutation ($id: Int!) { restoreProgram(id: $id) { id } }', { id });
    await page.getByRole('heading', { name: 'Phrenology', level: 1 }).waitFor();
    expect(said).toBe(0);
    await close();
  });
});

describe('the overview', () => {
  it('leads from each bar to the list that it counts', async () => {
    const make = factoriesFor(server);
    const { id } = await make.program({ name: 'Crowded', duration: '1 Year' });
    for (let count = 0; count < 4; count += 1) await make.branch(id, { name: `Course ${count}`, years: 9 });
    const { page, close } = await openConsole(browser, server.url);
    const plot = page.getByRole('region', { name: /^Programs by duration/ });
    await plot.getByRole('link', { name: /^1 Year / }).click();
    await button(page, 'Duration is 1 Year').waitFor();
    // The overview names it, too.
    await programLinks(page).filter({ hasText: 'Crowded' }).waitFor();

    await page.goBack();
    const years = page.getByRole('region', { name: 'Branches by number of years' });
    await years.getByRole('link', { name: '9 years' }).click();
    await page.getByRole('link', { name: 'Course 3' }).waitFor();
    await button(page, 'Years is 9').waitFor();

    await page.goBack();
    // Two days with changes are not worth a plot.
    const days = page.getByRole('region', { name: 'Changes per day' });
    expect(await days.count()).toBe(0);
    await server.database.query(
      `INSERT INTO audit_entries (at, actor, action, subject, subject_id, after)
      SELECT now() - n * interval '1 day', 'ben', 'create', 'Program', n, '{"name": "Crowded"}' FROM generate_series(1, 2) n`,
    );
    await make.branch(id, { name: 'Course 4' });
    await days.getByRole('link').last().click();
    await page.getByRole('row', { name: /created branch Course 3/ }).waitFor();
    const today = new Date().toISOString().slice(0, 10);
    expect(new URL(page.url()).search).toBe(`?since=${today}&until=${today}&utc=true`);
    await button(page, 'Remove the filter Days in UTC').waitFor();
    await close();
  });
});

describe('deleting', () => {
  it('can be undone at once, and later in the trash', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Alchemy' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await button(page, 'Delete program').click();
    await button(page, 'Undo').click();
    await page.getByRole('heading', { name: 'Alchemy' }).waitFor();
    expect(await count('Alchemy')).toBe(1);

    await button(page, 'Delete program').click();
    await page.getByRole('link', { name: 'Trash' }).click();
    await button(page, 'Restore Alchemy').click();
    await page.getByText('Alchemy is back, with its branches.').last().waitFor();
    await expect.poll(() => count('Alchemy')).toBe(1);
    await close();
  });

  it('asks before the branches of a program go with it: a second click on "Delete branch" deletes nothing more', async () => {
    const make = factoriesFor(server);
    const program = await make.program({ name: 'Theurgy' });
    const branches = [];
    for (const name of ['Rites', 'Hymns', 'Signs']) branches.push(await make.branch(program.id, { name }));
    const { page, close } = await openConsole(browser, server.url, `/branches/${branches[0]?.id}`);
    await button(page, 'Delete branch').click();
    await page.getByRole('heading', { name: 'Theurgy', level: 1 }).waitFor();
    await button(page, 'Delete program').click();
    const question = page.getByRole('alertdialog', { name: 'Delete the program and its 2 branches?' });
    await question.getByText('2 branches go with Theurgy.').waitFor();
    expect(await count('Theurgy')).toBe(1);
    // Others change what goes with it: the question is asked again.
    await make.branch(program.id, { name: 'Oracles' });
    await question.getByRole('button', { name: 'Delete program' }).click();
    const again = page.getByRole('alertdialog', { name: 'Delete the program and its 3 branches?' });
    await again.getByRole('button', { name: 'Delete program' }).click();
    await page.getByText('Theurgy was deleted, with its 3 branches.').waitFor();
    expect(await count('Theurgy')).toBe(0);
    await close();
  });

  it('is no longer offered to be undone once that was done elsewhere', async () => {
    const make = factoriesFor(server);
    const { id } = await make.program({ name: 'Astrology' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    const undoElsewhere = async (): Promise<void> => {
      const { body } = await server.graphql('{ lastChanges(first: 1) { changeId } }');
      const [change] = body.data.lastChanges;
      await server.graphql('mutation ($changeId: ID!) { undoChange(changeId: $changeId) { undone } }', change);
    };
    for (const undo of [() => page.keyboard.press('Control+z'), undoElsewhere]) {
      await button(page, 'Delete program').click();
      // Messages stay while the pointer is on them.
      await button(page, 'Undo').hover();
      await undo();
      await button(page, 'Undo').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Astrology' }).click();
    }
    await close();
  });

  it('moves the focus to the list, whatever messages are shown', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs/new');
    await field(page, 'Name').fill('Phrenometry');
    await field(page, 'Duration').fill('1 Year');
    await page.keyboard.press('Enter');
    await page.getByText('Phrenometry was created').waitFor();
    await button(page, 'Delete program').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Phrenometry was deleted').waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('main');
    await close();
  });

  it('and its undoing lead nobody away who has gone elsewhere before they are done', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Phrenology' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await holdUntil(page, 'mutation DeleteProgram', 'Trash');
    await button(page, 'Delete program').click();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByText('Phrenology was deleted.').waitFor();
    await page.getByRole('heading', { name: 'Trash' }).waitFor();
    await holdUntil(page, 'mutation RestoreProgram', 'Audit log');
    await button(page, 'Undo').click();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('Phrenology is back, with its branches.').waitFor();
    await page.getByRole('row', { name: /restored program Phrenology/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/audit');
    await close();
  });
});

describe('the command palette', () => {
  it('is closed by Escape at once, with a text in it too', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs');
    await started(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('physics');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await close();
  });

  it('has what is typed as soon as it is asked for', async () => {
    await factoriesFor(server).program({ name: 'Numismatics' });
    const { page, close } = await openConsole(browser, server.url);
    await started(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('numism');
    await page.getByRole('option', { name: /Numismatics/ }).click();

    await page.getByRole('heading', { name: 'Numismatics', level: 1 }).waitFor();
    await close();
  });

  it.each([
    ['Enter alone', 'Meteorology', ['Enter']],
    ['an arrow key and Enter', 'Oceanography', ['ArrowDown', 'Enter']],
  ])(
    'offers nothing that does not match what is typed while the answer is on its way: %s',
    async (_how, subject, keys) => {
      const make = factoriesFor(server);
      for (const planet of ['Mars', 'Venus']) await make.program({ name: `${subject} of ${planet}` });
      const { page, close } = await openConsole(browser, server.url);
      await started(page);
      let release = (): void => undefined;
      await page.route('**/graphql', async (route) => {
        if (route.request().postData()?.includes('of venus') === true)
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        await route.continue();
      });
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
      await page.keyboard.type(subject);
      const other = page.getByRole('option', { name: `${subject} of Mars` });
      await other.waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.type(' of venus');
      await other.waitFor({ state: 'detached' });
      expect(await page.getByRole('option').allTextContents()).toHaveLength(1);
      for (const key of keys) await page.keyboard.press(key);

      await page.getByRole('heading', { name: `${subject} of Venus`, level: 1 }).waitFor();
      release();
      await close();
    },
  );

  it('opens over a menu or a popup, which closes', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs');
    for (const opener of [
      button(page, 'Columns'),
      page.getByRole('region', { name: 'Signed in' }).getByRole('button'),
    ]) {
      await opener.click();
      await page.locator(':popover-open').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
      await page.locator(':popover-open').waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await close();
  });

  it('opens the first result once it comes, when Enter is pressed before', async () => {
    await factoriesFor(server).program({ name: 'Speleology' });
    const { page, close } = await openConsole(browser, server.url);
    await started(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    await page.keyboard.type('speleo');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Speleology', level: 1 }).waitFor();
    await close();
  });

  it('leaves the shortcuts as they were when it is closed', async () => {
    const { page, close } = await openConsole(browser, server.url);
    await started(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).getByRole('searchbox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New program' }).waitFor();
    await close();
  });

  it('leads to a screen and to a program by keyboard alone', async () => {
    await factoriesFor(server).program({ name: 'Volcanology' });
    const { page, close } = await openConsole(browser, server.url);
    await started(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    await page.keyboard.type('volcano');
    await page.getByRole('option', { name: /Volcanology/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Volcanology' }).waitFor();

    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New program' }).waitFor();
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('INPUT');
    await close();
  });
});

describe('the first load', () => {
  it.each([
    ['', 'heading', 'Branches by number of years'],
    ['/programs', 'grid', 'Programs'],
  ] as const)('is at most 220 kB, compressed: /console%s', async (path, role, name) => {
    await factoriesFor(server).program();
    const { page, close } = await openConsole(browser, server.url, path);
    await page.getByRole(role, { name }).waitFor();
    const urls = await page.evaluate<string[]>(
      `['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)).map(({ name }) => name)`,
    );
    // As over TLS: without it, the browser takes no Brotli.
    const sizes = urls
      .filter((url) => new URL(url).pathname.startsWith('/console'))
      .map(async (url) => (await page.request.get(url, { headers: { 'accept-encoding': 'br' } })).headers());
    const bytes = (await Promise.all(sizes)).reduce((sum, headers) => sum + Number(headers['content-length']), 0);

    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(220_000);
    await close();
  });
});

describe('names from outside', () => {
  it.each(['<script>alert(1)</script>', 'علوم الحاسوب والمعلومات', '🎓'.repeat(100), 'w'.repeat(255)])(
    'show as text and break no layout: %s',
    async (name) => {
      const { id } = await factoriesFor(server).program({ name });
      const { page, problems, close } = await openConsole(browser, server.url, `/programs/${id}`, {
        screen: screens[2],
      });
      await page.getByRole('heading', { level: 1, name }).waitFor();

      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await button(page, 'Delete program').click();
      const { width = 0, height = 0 } = (await button(page, 'Undo').boundingBox()) ?? {};
      expect(width).toBeGreaterThan(height);
      await button(page, 'Undo').click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      expect(problems).toEqual([]);
      await close();
    },
  );
});
