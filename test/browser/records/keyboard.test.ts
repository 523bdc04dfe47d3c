import { buffer } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../../support/credentials/keys.ts';
import { factoriesFor } from '../../support/factories.ts';
import { adminKey, useServer } from '../../support/server.ts';
import { pageForTest, startBrowser } from '../browser.ts';
import { started } from '../console.ts';

const server = useServer();
const make = factoriesFor(server);
let browser: Browser;
let ada: string;
beforeAll(async () => {
  browser = await startBrowser();
  ada = await makeKey(server.database, { role: 'editor', user: 'ada' });
});
afterAll(() => browser.close());

interface Focus {
  readonly name: string;
  /** Why a person does not see it. */
  readonly fault: string;
}

/** In the page: what has the focus, as its label or its content says it. */
const focusNow = `(() => {
  const { activeElement: element } = document;
  if (element === document.body) return { name: '', fault: 'lost' };
  if (element.ariaDisabled === 'true') return { name: '', fault: 'not to be pressed yet' };
  const isDrawn = (button) => (button.ariaExpanded === 'true') === button.popoverTargetElement.matches(':popover-open');
  const areDrawn = [...document.querySelectorAll('[popovertarget][aria-expanded]')].every(isDrawn);
  const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
  const label = ids.map((id) => document.getElementById(id)?.textContent).join(' ');
  const named = element.getAttribute('aria-label') || label || element.labels?.[0]?.textContent
    || element.textContent || element.querySelector('[aria-label]')?.ariaLabel || '';
  const name = named.replace(/\\s+/g, ' ').trim();
  if (element.matches('main, section, dialog')) return { name: 'the area ' + name, fault: '' };
  const { left, right, top, bottom } = element.getBoundingClientRect();
  if (right <= 0 || left >= innerWidth || bottom <= 0 || top >= innerHeight) return { name, fault: 'out of the window' };
  const middle = (from, to, end) => (Math.max(from, 0) + Math.min(to, end)) / 2;
  const above = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
  const shown = [element, element.closest('label') ?? element];
  if (above !== null && !shown.some((one) => one.contains(above) || above.contains(one))) return { name, fault: 'covered' };
  if (shown.every((one) => getComputedStyle(one).outlineStyle === 'none')) return { name, fault: 'not shown' };
  return { name, fault: areDrawn ? '' : 'beside a popup that is not drawn yet' };
})()`;

/** More presses of Tab than that are too long a way. */
const tabsMax = 15;

/** The hands of a person, who presses no key without seeing what it is for. */
function handsAt(page: Page) {
  const focus = () => page.evaluate<Focus>(focusNow);
  /** Nobody presses a key before. */
  const isSeen = (key: string) =>
    expect.poll(async () => [key, (await focus()).fault], { interval: 20 }).toEqual([key, '']);
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await isSeen(key);
      await page.keyboard.press(key);
    }
  };
  const isOn = async (name: string | RegExp): Promise<void> => {
    await expect.poll(async () => (await focus()).name, { interval: 20 }).toMatch(exactly(name));
  };
  /** Goes to a control by Tab. */
  const reach = async (name: string | RegExp, key = 'Tab'): Promise<void> => {
    const passed: string[] = [];
    for (let count = 0; count <= tabsMax; count += 1) {
      await isSeen(key);
      const { name: now } = await focus();
      if (exactly(name).test(now)) return;
      passed.push(now.slice(0, 60));
      await press(key);
    }
    throw new Error(`${key} does not lead to ${name}, but to ${passed.join(', ')}.`);
  };
  return {
    page,
    focus,
    press,
    type: (text: string) => page.keyboard.type(text),
    isOn,
    reach,
    /** Presses buttons and links, one after another. */
    open: async (...names: readonly (string | RegExp)[]) => {
      for (const name of names) {
        await reach(name);
        await press('Enter');
      }
    },
    sees: (text: string | RegExp) => page.getByText(text).first().waitFor(),
    isAt: (name: string | RegExp) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor(),
    /** Goes to a screen or a record by the command palette. */
    goTo: async (text: string, heading: string) => {
      await press('Control+k');
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    },
  };
}

const exactly = (name: string | RegExp): RegExp =>
  typeof name === 'string' ? new RegExp(`^${name.replace(/[+*?.()]/g, '\\$&')}$`) : name;

/** A person signs in, and sees the overview. */
async function signIn(key = ada) {
  const { page, context, problems } = await pageForTest(browser, `${server.url}/console`);
  const hands = handsAt(page);
  await started(page);
  await page.getByRole('button', { name: 'Sign in', exact: true, disabled: false }).waitFor();
  await hands.type(key);
  await hands.press('Enter');
  await hands.isAt('Overview');
  return { ...hands, context, problems };
}

/** The search of the programs finds so many. */
async function search({ press, type, isOn, sees }: ReturnType<typeof handsAt>, text: string, count: string) {
  await press('/');
  await isOn('Search');
  await type(text);
  await sees(count);
}

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name} ${String(at + 1).padStart(3, '0')}`);

async function makePrograms(names: readonly string[], duration: string): Promise<void> {
  const document = 'mutation ($items: [CreateProgramInput!]!) { createPrograms(items: $items) { id } }';
  for (let from = 0; from < names.length; from += 100) {
    const items = names.slice(from, from + 100).map((name) => ({ name, duration }));
    expect((await server.graphql(document, { items })).body.errors).toBeUndefined();
  }
}

interface Program {
  readonly name: string;
  readonly duration: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly branches: readonly string[];
}

/** The programs whose names begin so. */
async function programs(begin: string): Promise<readonly Program[]> {
  const rows: unknown = await server.database.query(
    `SELECT name, duration, attributes,
      ARRAY(SELECT name FROM branches WHERE program_id = programs.id AND deleted_at IS NULL ORDER BY name) AS branches
    FROM programs WHERE starts_with(name, $1) AND deleted_at IS NULL ORDER BY name`,
    [begin],
  );
  return rows as Program[];
}

const durations = async (begin: string) => [...new Set((await programs(begin)).map(({ duration }) => duration))];

describe('by keyboard alone, an editor', () => {
  it('corrects 139 durations that a filter finds', async () => {
    await makePrograms(numbered('Nursing', 139), '2 years');
    const { press, type, open, sees, isAt, isOn } = await signIn();
    await press('g', 'p');
    await isAt('Programs');
    await open('+ Filter', 'Duration', '2 years (139)');
    await sees('139 programs');
    await press('Escape', 'Control+a');
    await sees('100 programs selected');
    await press('F6');
    await open('Select all 139 that match');
    await sees('139 programs selected');
    await isOn('Change a field');
    await press('Enter');
    await type('2 Years');
    await press('Enter');
    await isOn('Change 139 programs');
    await press('Enter');
    await sees('139 programs were changed.');
    await press('Tab');
    expect(await durations('Nursing')).toEqual(['2 Years']);
  });

  it('exports programs, imports the corrected file and undoes that', async () => {
    const { id } = await make.program({ name: 'Polytechnic' });
    await make.branch(id, { name: 'Workshop' });
    const hands = await signIn();
    const { page, press, type, open, reach, sees, isAt, isOn } = hands;
    await search(hands, 'polytechnic', '1 program');
    await press('ArrowDown', 'x');
    await sees('1 program selected');
    await press('F6');
    await open('Export');
    await isAt('Import and export');
    await reach('Format');
    await type('CSV');
    const [download] = await Promise.all([page.waitForEvent('download'), open('Export')]);
    const text = (await buffer(await download.createReadStream())).toString().replace('Workshop', 'Studio');
    await reach('Choose a file');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press('Enter')]);
    await chooser.setFiles({ name: 'corrected.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await sees('0 new, 1 changed, 1 the same.');
    await open('Import corrected.csv');
    await sees('Imported 1 row.');
    expect(await programs('Polytechnic')).toMatchObject([{ branches: ['Studio'] }]);
    await open('Undo this import: corrected.csv');
    await isOn('Undo this import');
    await open('Undo this import');
    await sees('1 record is as before.');
    expect(await programs('Polytechnic')).toMatchObject([{ branches: ['Workshop'] }]);
    await press('Tab');
  });

  it('finds programs and branches that are misspelt, in the list and from anywhere, and opens them', async () => {
    const { id } = await make.program({ name: 'Master of Epidemiology' });
    await make.branch(id, { name: 'Palaeontology' });
    await make.program({ name: 'Master of Numismatics' });
    const hands = await signIn();
    const { page, press, isAt, isOn, goTo, open, sees } = hands;
    await search(hands, 'epidemology', 'These are similar.');
    await press('ArrowDown');
    await isOn('Master of Epidemiology');
    await press('Enter');
    await isAt('Master of Epidemiology');
    await goTo('numismatiks', 'Master of Numismatics');
    await goTo('paleontolgy', 'Palaeontology');
    // From a screen without a search, and at once: no letter may be taken for a shortcut.
    await page.keyboard.press('/');
    await page.keyboard.type('npalaeontology');
    await isOn('Search');
    await press('Home', 'Delete');
    await sees('1 branch: Palaeontology in Master of Epidemiology');
    await open('Palaeontology');
    await isAt('Palaeontology');
  });

  it('moves 12 branches to another program, and is in the list again', async () => {
    const { id } = await make.program({ name: 'Faculty of Machines' });
    for (const name of numbered('Automatronics', 12)) await make.branch(id, { name });
    await make.program({ name: 'School of Automation' });
    const hands = await signIn();
    const { page, press, type, open, sees, isOn } = hands;
    await hands.goTo('branches', 'Branches');
    await search(hands, 'automatronics', '12 branches');
    await press('ArrowDown', 'ArrowDown', 'Control+a');
    await sees('12 branches selected');
    await press('Tab');
    await open('Move');
    await type('school of auto');
    await page.getByRole('option', { name: /School/ }).waitFor();
    await press('Enter');
    await isOn('Move 12 branches');
    await press('Enter');
    await sees('12 branches were moved.');
    await isOn('Automatronics 002');
    expect((await programs('School of Automation'))[0]?.branches).toHaveLength(12);
  });

  it('sees what a person changed yesterday', async () => {
    await server.database.query(
      `INSERT INTO audit_entries (at, actor, action, subject, subject_id, after)
      SELECT CURRENT_TIMESTAMP - interval '24 hours', person, 'create', 'Program', n, '{"name": "Botany"}'
      FROM generate_series(901, 903) AS n, unnest(ARRAY['ben', 'cleo']) AS person`,
    );
    await makeKey(server.database, { role: 'editor', user: 'ben' });
    const { page, open, reach, press, sees, goTo } = await signIn();
    await goTo('changes', 'Changes');
    await open('Yesterday');
    await sees('cleo created');
    await reach('+ Filter', 'Shift+Tab');
    await press('Enter');
    await open('By', /^ben/);
    await page.getByText('cleo created').first().waitFor({ state: 'detached' });
    await open(/^ben created 3 programs/);
    await reach('Botany');
  });

  it('solves a conflict with another window, at a field and in a cell', async () => {
    const { id } = await make.program({ name: 'Diploma in Conflicts' });
    const rename = (name: string) =>
      server.graphql(`mutation { updateProgram(id: ${id}, input: { name: "${name}" }) { id } }`);
    const hands = await signIn();
    const { page, press, type, open, reach, isOn, isAt, sees } = hands;
    await hands.goTo('diploma in conf', 'Diploma in Conflicts');
    await open('Edit program');
    await press('Control+a');
    await type('Diploma in Peace');
    await rename('Diploma in Treaties');
    await sees('Diploma in Treaties');
    // Neither is chosen.
    await page.getByRole('radio', { name: /^Saved meanwhile/, disabled: false }).waitFor();
    await reach(/^Saved meanwhile/);
    await press('Space', 'Enter');
    await isAt('Diploma in Treaties');
    await isOn('Edit program');

    await search(hands, 'diploma in tre', '1 program');
    await press('ArrowDown', 'ArrowRight', 'F2');
    await type('MINE');
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation Update')) return route.fallback();
      await server.graphql(`mutation { updateProgram(id: ${id}, input: { code: "THEIRS" }) { id } }`);
      await page.unroute('**/graphql');
      return route.fallback();
    });
    await press('Enter');
    await sees(/“MINE” was not saved/);
    await press('F6');
    await open('Edit it');
    await isOn('Code of Diploma in Treaties');
    // It counts once the note can be read: until then, the cell stays open.
    await expect
      .poll(async () => {
        const { name } = await hands.focus();
        if (name === 'Code of Diploma in Treaties') await press('Enter');
        return name;
      })
      .toBe('MINE');
    const code = () => server.database.query('SELECT code FROM programs WHERE id = $1', [id]);
    await expect.poll(code).toEqual([{ code: 'MINE' }]);
  });

  it('adds programs with branches one after another, changes and deletes', async () => {
    const { page, press, type, open, sees, isOn, isAt } = await signIn();
    await press('n');
    await isOn('Name');
    for (const name of numbered('Pottery', 3)) {
      await type(name);
      if (name === 'Pottery 001') {
        await press('Tab');
        await type('2 Years');
      }
      await press('Control+Enter');
      await sees(`${name} was created.`);
      await isOn('Name');
    }
    await type('Pottery of Lakes');
    await press('Tab');
    await type('3 Years');
    await press('Enter');
    await isAt('Pottery of Lakes');
    await open('Add branch');
    for (const [name, key] of [
      ['Glazes', 'Control+Enter'],
      ['Kilns', 'Enter'],
    ] as const) {
      await isOn('Name');
      await type(name);
      await press(key);
      await sees(`${name} was created.`);
    }
    await isOn('Add branch');
    await press('Tab');
    await isOn('Glazes');
    await press('ArrowLeft', 'Space', 'Tab');
    await open('Delete');
    await isOn('Delete 1 branch');
    await press('Enter');
    await sees('1 branch was deleted.');
    await isOn('Select Kilns');
    await press('F6');
    await open('Undo');
    await page.getByRole('link', { name: 'Glazes' }).first().waitFor();
    await isOn('Select Kilns');
    expect((await programs('Pottery')).map(({ duration }) => duration.charAt(0)).join('')).toBe('2223');
    const branches = async () => (await programs('Pottery')).map((program) => program.branches.length);
    await expect.poll(branches).toEqual([0, 0, 0, 2]);
  });

  it('fills a column of 40 programs from Excel, and takes it back', async () => {
    await makePrograms(numbered('Weaving', 40), '1 Year');
    const hands = await signIn();
    const { page, press, type, open, reach, sees, isOn, context } = hands;
    await search(hands, 'weaving', '40 programs');
    await open('Columns');
    await reach('Another attribute');
    await type('loom');
    await press('Enter');
    await page.getByRole('columnheader', { name: 'loom' }).waitFor();
    await press('/', 'ArrowDown', ...Array<string>(5).fill('ArrowRight'));
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate((text) => navigator.clipboard.writeText(text), numbered('Loom', 40).join('\n'));
    await press('Control+v');
    await isOn('Change 40 programs');
    await press('Enter');
    await sees('40 programs were changed.');
    const values = async () => (await programs('Weaving')).flatMap(({ attributes }) => Object.values(attributes));
    expect(await values()).toEqual(numbered('Loom', 40));
    await isOn('Loom 001');
    await press('Control+z');
    await sees('You changed loom of 40 programs by paste');
    await isOn('Undo it');
    await press('Enter');
    await sees(/^Undone: You changed loom of 40 programs by paste/);
    expect(await values()).toEqual([]);
    await press('ArrowUp');
    await isOn('loom');
  });

  it('writes a note for a person, and marks it as done', async () => {
    await make.program({ name: 'Philately' });
    await makeKey(server.database, { role: 'editor', user: 'grace' });
    const { page, press, type, open, isOn, goTo } = await signIn();
    await goTo('philately', 'Philately');
    await open('Add a note');
    await isOn('Note');
    await type('Please check the stamps');
    await press('Tab');
    await type('grace');
    await open('Save');
    await page.getByRole('region', { name: 'Open notes' }).getByText('Please check the stamps').waitFor();
    await goTo('notes', 'Notes');
    await open('Done');
    await page.getByText('Please check the stamps').waitFor({ state: 'detached' });
    await press('Tab');
  });

  it('saves a view for all, opens it again and deletes it', async () => {
    await make.program({ name: 'Sculpture' });
    const hands = await signIn();
    const { page, press, type, open, sees, isOn, reach } = hands;
    await search(hands, 'sculpture', '1 program');
    await open('Views');
    await isOn('Name of this view');
    await type('Sculptors');
    await reach('For all');
    await press('Space', 'Shift+Tab', 'Enter');
    await sees(/^The view/);
    await page.getByRole('button', { name: /^Sculptors/ }).waitFor();
    await press('Escape');
    await reach('Clear all', 'Shift+Tab');
    await press('Enter');
    await page.getByRole('searchbox').and(page.locator('[value=""]')).waitFor();
    await open('Views');
    await isOn('Name of this view');
    await reach(/^Sculptors/, 'Shift+Tab');
    await press('Enter');
    await sees('1 program');
    await isOn('Views');
    await open('Views');
    await isOn('Name of this view');
    await reach('Delete the view Sculptors', 'Shift+Tab');
    await press('Enter');
    await isOn('Name of this view');
  });

  it('signs out, and as an administrator in again, adds a user and gives them a key', async () => {
    const { page, press, type, open, sees, isOn, isAt, goTo } = await signIn();
    await press('Control+k');
    await type('sign out');
    await press('Enter');
    await isOn('API key or token');
    await type(adminKey);
    await press('Enter');
    await isAt('Overview');
    await goTo('access', 'Access');
    await open('Add user');
    await type('hypatia');
    await press('Enter');
    await sees('hypatia was added.');
    await press('F6');
    await open('Issue a key');
    await isOn('User');
    await press('Tab');
    await type('laptop');
    await press('Enter');
    await page.getByRole('heading', { name: 'The new key' }).waitFor();
    await open('I have copied it');
    await isOn('Add user');
    await open('Actions for laptop');
    await open('Revoke laptop');
    await isOn('Cancel');
    await open('Revoke key');
    await page.getByRole('button', { name: 'Actions for laptop' }).waitFor({ state: 'detached' });
    await press('Tab');
  });
});

describe('the focus', () => {
  it('goes with its row, to the next row when that leaves the list, and a list is one stop of Tab', async () => {
    const names = numbered('Glaciology', 30);
    await makePrograms(['Beside', ...names], '1 Year');
    const hands = await signIn();
    const { page, press, isOn, sees } = hands;
    await search(hands, 'glaciology', '30 programs');
    // The number of programs comes before their rows.
    await page.getByRole('link', { name: 'Beside' }).waitFor({ state: 'detached' });
    await press('Tab', 'Shift+Tab', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    await isOn('Glaciology 003');
    await makePrograms(numbered('Glaciology 0', 60), '1 Year');
    await sees('90 programs');
    await isOn('Glaciology 003');
    await press('ArrowUp', 'ArrowDown', 'ArrowRight', 'ArrowRight');
    await isOn('1 Year');
    const [{ id = 0 } = {}] = await server.database.query("SELECT id FROM programs WHERE name = 'Glaciology 003'");
    await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    await sees('89 programs');
    await isOn('1 Year');
    await press('ArrowLeft', 'ArrowLeft');
    await isOn('Glaciology 004');
    await press('Shift+Tab');
    await isOn('Print');
    await press('Tab');
    await isOn('Glaciology 004');
    await press('Home', 'ArrowUp');
    await isOn('Name');
    await press('ArrowLeft', 'Space');
    await sees('89 programs selected');
    await press('Tab');
    await isOn('Change a field');
    expect(await page.locator('table [tabindex="0"]').count()).toBe(1);
  });

  it('goes to the next row of those that were there when others come as its row leaves the list', async () => {
    await makePrograms(numbered('Limnology', 30), '1 Year');
    const hands = await signIn();
    const { page, press, isOn, sees } = hands;
    await search(hands, 'limnology', '30 programs');
    await page.getByRole('link', { name: 'Limnology 030' }).waitFor();
    await press('Tab', 'Shift+Tab', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    await isOn('Limnology 003');
    const ids = await server.database.query("SELECT id FROM programs WHERE name IN ('Limnology 003', 'Limnology 004')");
    const items = numbered('Limnology 0', 60).map((name) => ({ name, duration: '1 Year' }));
    const document = `mutation ($items: [CreateProgramInput!]!, $ids: [Int!]!) {
      createPrograms(items: $items) { id }
      deletePrograms(ids: $ids) { changed }
    }`;
    expect((await server.graphql(document, { items, ids: ids.map(({ id }) => id) })).body.errors).toBeUndefined();
    await sees('88 programs');
    await isOn('Limnology 005');
    await press('ArrowDown');
    await isOn('Limnology 006');
  });

  it('finds a popup that is closed and opened at once as it is when it opens', async () => {
    await makePrograms(numbered('Hydrology', 1), '1 Year');
    const hands = await signIn();
    await search(hands, 'hydrology', '1 program');
    await hands.open('+ Filter', 'Code');
    await hands.isOn('Code, exactly');
    await hands.page.evaluate(`(() => {
      const popup = document.querySelector(':popover-open');
      popup.hidePopover();
      popup.showPopover();
    })()`);
    await hands.sees('Number of branches');
  });

  it('stays in its area when what has it disappears or can no longer be pressed', async () => {
    await makePrograms(numbered('Nephology', 2), '1 Year');
    const hands = await signIn();
    const { press, open, reach, isOn, sees } = hands;
    await search(hands, 'nephology', '2 programs');
    await open('+ Filter', 'Code');
    await isOn('Code, exactly');
    await press('Escape');
    await open('+ Filter', 'Duration', /^1 Year/);
    await press('Escape');
    await reach('Remove the filter Duration', 'Shift+Tab');
    await press('Enter');
    await isOn('+ Filter');
    await open('Columns', 'Move Duration to the left');
    await isOn('Move Duration to the right');
    await press('Escape');
    await isOn('Columns');
    await reach('Clear all', 'Shift+Tab');
    await press('Enter');
    await isOn('Views');
    await sees('programs');
  });
});

describe('a German keyboard', () => {
  it('has the shortcuts whose characters need Shift or AltGr, and Ctrl-Z where it has Z', async () => {
    const { page, press, isOn } = await signIn();
    const send = (key: string, code: string, more: object = {}) =>
      page.evaluate(
        ([init]) => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init)),
        [{ key, code, bubbles: true, cancelable: true, ...more }],
      );
    await send('?', 'Minus', { shiftKey: true });
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await send('z', 'KeyY', { ctrlKey: true });
    await page
      .getByText('There is no change of yours to undo.')
      .or(page.getByText(/^(Undone: )?You /))
      .waitFor();
    if ((await page.getByRole('alertdialog', { name: 'Undo this change?' }).count()) > 0) await press('Escape');
    await send('k', 'KeyK', { ctrlKey: true, altKey: true });
    // With AltGr on Windows, as some keyboards have it.
    await send('/', 'KeyQ', { ctrlKey: true, altKey: true, modifierAltGraph: true });
    await isOn('Search');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await press('Tab');
    await send('/', 'Digit7', { shiftKey: true });
    await isOn('Search');
  });
});
