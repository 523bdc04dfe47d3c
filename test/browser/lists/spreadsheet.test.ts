import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { expectUsable, startBrowser } from '../browser.ts';
import { button, field, openConsole, pasteText } from '../console.ts';
import { cell, programsOf } from './programs.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const { open, update, read } = programsOf(server, () => browser);
const numbered = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1).padStart(2, '0'));

describe('a block of cells that is longer than the list', () => {
  it('changes the rows that are there, and is imported as new programs below them', async () => {
    const { page, ids, close } = await open('Paleography', 25, 'name,code,duration');
    await update(ids[2] ?? 0, { code: 'PAL-03', duration: '3 Years' });
    const block = numbered(40).map((number) => `Paleography ${number}\tPAL-${number}\t3 Years`);
    await cell(page, 0, 0).getByRole('link').focus();
    await pasteText(page, `${block.join('\r\n')}\r\n`);
    await page.getByText('The list ends before your last 15 rows: Paleography 26, Paleography 27,').waitFor();
    await page.getByText('Already so: Paleography 03.').waitFor();
    // What is to change would be left by it.
    await page.getByText('They can be imported once the others are changed.').waitFor();
    expect(await button(page, /^Import the 15/).count()).toBe(0);
    await button(page, 'Change 24 programs').click();
    await page.getByRole('dialog').getByText('24 programs were changed.').waitFor();
    await page.getByRole('dialog').getByText('Already so: Paleography 03.').waitFor();
    await expect.poll(async () => (await read(ids.slice(-1)))[0]?.code).toBe('PAL-25');
    await button(page, 'Import the 15 as new programs').click();
    await page.getByText(/^15 new, 0 changed, 0 the same/).waitFor();
    await button(page, 'Import pasted rows.tsv').click();
    await page.getByText('Imported 15 rows.').waitFor();
    const { body } = await server.graphql(
      '{ programsConnection(filter: { search: "Paleography" }, first: 100) { nodes { code duration } } }',
    );
    const codes = body.data.programsConnection.nodes.map(({ code, duration }: Record<string, string>) => [
      code,
      duration,
    ]);
    expect(codes.toSorted()).toEqual(numbered(40).map((number) => [`PAL-${number}`, '3 Years']));
    await close();
  });

  it('goes to the columns that its first row names, in any order, in the list as in the import', async () => {
    const { page, ids, close } = await open('Limnology', 2, 'name,code,duration');
    const block = numbered(3).map((number) => `Limnology ${number}\t${number} Years\tLIM-${number}\tLakes`);
    await cell(page, 0, 0).getByRole('link').focus();
    await pasteText(page, ['Name\tDuration\tCode\tCollege', ...block].join('\r\n'));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The first row names the columns: Name, Duration, Code.').waitFor();
    await dialog.getByText('Left out, as the list does not show this column: College.').waitFor();
    await button(page, 'Change 2 programs').click();
    await expect.poll(async () => (await read(ids)).map(({ code }) => code)).toEqual(['LIM-01', 'LIM-02']);
    expect((await read(ids)).map(({ duration }) => duration)).toEqual(['01 Years', '02 Years']);
    await button(page, 'Import it as a new program').click();
    await page.getByText(/^1 new, 0 changed, 0 the same/).waitFor();
    await button(page, 'Import pasted rows.tsv').click();
    await page.getByText('Imported 1 row.').waitFor();
    const { body } = await server.graphql(
      '{ programsConnection(filter: { search: "Limnology 03" }) { nodes { name code duration } } }',
    );
    expect(body.data.programsConnection.nodes).toEqual([
      { name: 'Limnology 03', code: 'LIM-03', duration: '03 Years' },
    ]);
    await close();
  });

  it('or than the selected rows says so, and takes none of it for new programs', async () => {
    const { page, close } = await open('Sigillography', 3, 'name,code,duration');
    await page.getByRole('checkbox', { name: 'Select Sigillography 02' }).click();
    await cell(page, 0, 0).getByRole('link').focus();
    await pasteText(
      page,
      numbered(3)
        .map((number) => `Sigillography ${number}\tS-${number}\t3 Years`)
        .join('\n'),
    );
    await page.getByText('You have selected fewer rows: your last 2 rows are left out: Sigillography 02,').waitFor();
    await button(page, 'Change 1 program').waitFor();
    expect(await button(page, /Import the 2/).count()).toBe(0);
    await close();
  });

  it('does so among the branches of a program', async () => {
    const { make } = server;
    const program = await make.program({ name: 'Cartography' });
    for (const name of ['Maps A', 'Maps B']) await make.branch(program.id, { name });
    const { page, close } = await openConsole(browser, server.url, `/programs/${program.id}`);
    await cell(page, 0, 0).getByRole('link', { name: 'Maps A' }).focus();
    await pasteText(page, 'Charts A\tCA\nCharts B\tCB\nCharts C\tCC\n');
    await page.getByText('The list ends before your last row: Charts C.').waitFor();
    await button(page, 'Change 2 branches').click();
    await button(page, 'Import it as a new branch').click();
    await page.getByText(/^1 new,/).waitFor();
    await button(page, 'Import pasted rows.tsv').click();
    await page.getByText('Imported 1 row.').waitFor();
    const { body } = await server.graphql(`{ program(id: ${program.id}) { branches { name code } } }`);
    expect(body.data.program.branches.map(({ name, code }: Record<string, string>) => [name, code]).toSorted()).toEqual(
      [
        ['Charts A', 'CA'],
        ['Charts B', 'CB'],
        ['Charts C', 'CC'],
      ],
    );
    await close();
  });
});

describe('rows with the codes of other programs', () => {
  const sheet = [
    'Ornithology 03\tOrnithology-3\t3 Years',
    'Ornithology 02\tOrnithology-2\t2 Years',
    'Fledglings\tNEW-1\t1 Year',
    'Ornithology 01\tOrnithology-1\t1 Year',
  ].join('\n');
  const durationsOf = async (ids: readonly number[]) => (await read(ids)).map(({ duration }) => duration);

  it('go to these programs after a question that an early Enter does not answer, are undone, and new ones are imported', async () => {
    const { page, ids, close } = await open('Ornithology', 4, 'name,code,duration');
    await cell(page, 0, 0).getByRole('link').focus();
    await pasteText(page, sheet);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The codes of 2 rows are those of other programs.').waitFor();
    await dialog.getByText('By position, “Ornithology 01” would get the values of the row “Ornithology 03”.').waitFor();
    const match = button(page, 'Match rows by their codes');
    await match.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await match.and(page.locator('[aria-disabled=false]')).waitFor();
    await expectUsable(page);
    await page.keyboard.press('Enter');
    await dialog.getByText('No program has the code of: Fledglings.').waitFor();
    await button(page, 'Change 3 programs').click();
    await expect.poll(() => durationsOf(ids)).toEqual(['1 Year', '2 Years', '3 Years', '4 Years']);
    expect((await read(ids)).map(({ code }) => code)).toEqual(
      numbered(4).map((number) => `Ornithology-${Number(number)}`),
    );
    await button(page, 'Import it as a new program').click();
    await page.getByText(/^1 new, 0 changed/).waitFor();
    await button(page, 'Undo').click();
    await expect.poll(() => durationsOf(ids)).toEqual(Array.from({ length: 4 }, () => '4 Years'));
    await close();
  });

  it('go to the branches of the program that is shown, though another program has these codes', async () => {
    const programs = [await server.make.program({ name: 'Ichthyology' }), await server.make.program({ name: 'Other' })];
    for (const program of programs)
      for (const code of ['X', 'Y']) {
        const { id } = await server.make.branch(program.id, { name: `Fish ${code}` });
        await server.graphql(
          'mutation ($id: Int!, $code: String) { updateBranch(id: $id, input: { code: $code }) { id } }',
          {
            id,
            code,
          },
        );
      }
    const { page, close } = await openConsole(browser, server.url, `/programs/${programs[0]?.id}`);
    await cell(page, 0, 0).getByRole('link', { name: 'Fish X' }).focus();
    await pasteText(page, 'Fish and chips\tY\nFish\tX');
    await page.getByText('The codes of 2 rows are those of other branches.').waitFor();
    await button(page, 'Match rows by their codes').and(page.locator('[aria-disabled=false]')).click();
    await button(page, 'Change 2 branches').click();
    const branches = async () =>
      (
        await server.graphql(
          '{ branchesConnection(filter: { codes: ["X", "Y"] }, orderBy: ID_ASC) { nodes { code name program { name } } } }',
        )
      ).body.data.branchesConnection.nodes.map(({ code, name, program }: Record<string, string & { name: string }>) =>
        [program?.name, code, name].join(' '),
      );
    const untouched = ['Other X Fish X', 'Other Y Fish Y'];
    await expect.poll(branches).toEqual(['Ichthyology X Fish', 'Ichthyology Y Fish and chips', ...untouched]);
    await close();
  });

  it('say why they cannot be matched, where none of the records is selected, and then go by position alone', async () => {
    const { page, close } = await open('Conchology', 3, 'name,code,duration');
    await page.getByRole('checkbox', { name: /Conchology 01/ }).click();
    await cell(page, 0, 1).click();
    await pasteText(page, 'Conchology-3\t3 Years\nConchology-2\t2 Years');
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(
        'Matched by their codes, they would change nothing. 2 rows are of records that are not selected, and are left out.',
      )
      .waitFor();
    await button(page, 'Paste by position').waitFor();
    expect(await button(page, 'Match rows by their codes').count()).toBe(0);
    await close();
  });

  it('go by position where that is chosen', async () => {
    const { page, ids, close } = await open('Malacology', 2, 'name,code,duration');
    await cell(page, 0, 1).click();
    await pasteText(page, 'Malacology-2\t2 Years\nMalacology-1\t1 Year');
    await button(page, 'Paste by position').and(page.locator('[aria-disabled=false]')).click();
    await button(page, 'Change 2 programs').click();
    await expect.poll(() => durationsOf(ids)).toEqual(['2 Years', '1 Year']);
    await close();
  });
});

describe('a paste', () => {
  it('leaves out, and names, what somebody deletes after the check', async () => {
    const { page, ids, close } = await open('Campanology', 3, 'name,code,duration');
    await cell(page, 0, 2).click();
    await pasteText(page, '5 Years\n5 Years\n5 Years');
    await button(page, 'Change 3 programs').waitFor();
    await server.graphql(`mutation { deleteProgram(id: ${ids[1]}) { id } }`);
    await button(page, 'Change 3 programs').click();
    await page.getByText('Deleted meanwhile, so left out: Campanology 02.').waitFor();
    await button(page, 'Change 2 programs').click();
    await expect.poll(async () => (await read(ids)).map(({ duration }) => duration)).toEqual(['5 Years', '5 Years']);
    await close();
  });

  it('goes into the grid that has the focus, also where a program is shown beside the list', async () => {
    const { page, ids, close } = await open('Diplomatics', 2);
    await server.make.branch(ids[0] ?? 0, { name: 'Charters' });
    await page.goto(`${page.url()}&beside=${ids[0]}`);
    const beside = page.getByRole('grid', { name: 'Branches' });
    await beside.getByRole('link', { name: 'Charters' }).focus();
    await pasteText(page, 'Seals');
    await button(page, 'Change 1 branch').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await close();
  });

  it('at the end of a long list goes into the rows there, not into those that are loaded for it', async () => {
    await server.database.query(`
      INSERT INTO programs (name, duration, created_at, updated_at)
      SELECT 'Epigraphy ' || lpad(number::text, 4, '0'), '4 Years', now(), now() FROM generate_series(1, 600) number`);
    const { page, close } = await openConsole(browser, server.url, '/programs?q=Epigraphy&sort=NAME_ASC');
    await page.getByRole('link', { name: 'Epigraphy 0001' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('link', { name: 'Epigraphy 0600' }).and(page.locator(':focus')).waitFor();
    await pasteText(page, 'Epigraphy of Rome');
    await page.getByRole('dialog').getByRole('row').filter({ hasText: 'Epigraphy 0600 → Epigraphy of Rome' }).waitFor();
    await close();
  });
});

describe('a copy', () => {
  const copy = `(() => {
    const clipboardData = new DataTransfer();
    document.activeElement.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData('text/plain');
  })()`;

  it('has the text of every column, also of those that nobody edits', async () => {
    const columns = 'name,branches,changed,created,number';
    const { page, ids, close } = await open('Vexillology', 1, columns);
    await page.getByRole('checkbox', { name: 'Select Vexillology 01' }).click();
    const copied = await page.evaluate<string>(copy);
    const day = expect.stringMatching(/^\d+ \w+ \d{4}, \d\d:\d\d$/);
    expect(copied.split('\t')).toEqual(['Vexillology 01', '0', day, day, String(ids[0])]);
    await close();
  });

  it('has what was typed and is not saved yet, of a cell and of selected rows, as the cell below is filled with it', async () => {
    const { page, ids, close } = await open('Phaleristics', 2, 'name,duration');
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('mutation UpdateProgram') ? undefined : route.fallback(),
    );
    await cell(page, 0, 1).click();
    await page.keyboard.type('7 Years');
    await page.keyboard.press('Enter');
    await cell(page, 1, 1).locator(':focus').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+d');
    await button(page, 'Change 1 program').click();
    await expect.poll(async () => (await read(ids)).map(({ duration }) => duration)).toEqual(['4 Years', '7 Years']);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await cell(page, 0, 1).click();
    expect(await page.evaluate<string>(copy)).toBe('7 Years');
    await page.getByRole('checkbox', { name: 'Select Phaleristics 01' }).click();
    expect(await page.evaluate<string>(copy)).toBe('Phaleristics 01\t7 Years');
    await close();
  });
});

describe('a change of many records', () => {
  /** Notes whether any row is marked as changed. */
  const watchMarks = `new MutationObserver(() => {
    window.marked ||= document.querySelector('.row.changed') !== null;
  }).observe(document.body, { subtree: true, attributes: true })`;

  it('of one’s own is said to be saved, marks no row, and one of somebody else does', async () => {
    const { page, ids, close } = await open('Heraldic', 2);
    await page.evaluate(watchMarks);
    await page.getByRole('link', { name: 'Heraldic 01' }).focus();
    await pasteText(page, 'Heraldic one\nHeraldic two');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/import/catalog?*fingerprint=*', async (route) => {
      await held;
      await route.continue();
    });
    await button(page, 'Change 2 programs').click();
    await button(page, 'Saving…').waitFor();
    release();
    await page.getByRole('link', { name: 'Heraldic two' }).waitFor();
    await page.getByText('2 programs were changed.').waitFor();
    expect(await page.evaluate('window.marked')).not.toBe(true);
    const isMarkedByOther = async (): Promise<unknown> => {
      await update(ids[0] ?? 0, { code: `H${Math.random()}` });
      return page.evaluate('window.marked');
    };
    await expect.poll(isMarkedByOther).toBe(true);
    await close();
  });
});

describe('the cell that has the focus', () => {
  it('begins with the letter that is typed, is emptied by Delete, and opens nothing else', async () => {
    const { page, ids, close } = await open('Heraldry', 1);
    await cell(page, 0, 1).click();
    await page.keyboard.type('n2');
    await page.keyboard.press('Enter');
    const code = async () => (await read(ids))[0]?.code;
    await expect.poll(code).toBe('n2');
    await cell(page, 0, 1).getByText('n2').click();
    await page.keyboard.press('Delete');
    await expect.poll(code).toBeNull();
    expect(page.url()).toContain('q=Heraldry');
    await close();
  });

  it('is filled with the value above it, and those of the selected rows with that of the first', async () => {
    const { page, ids, close } = await open('Chronology', 3);
    await update(ids[0] ?? 0, { duration: '6 Years' });
    await cell(page, 0, 2).getByText('6 Years').waitFor();
    await cell(page, 1, 2).click();
    await page.keyboard.press('Control+d');
    await button(page, 'Change 1 program').click();
    const durations = async () => (await read(ids)).map(({ duration }) => duration);
    await expect.poll(durations).toEqual(['6 Years', '6 Years', '4 Years']);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await update(ids[0] ?? 0, { duration: '5 Years' });
    await cell(page, 0, 2).getByText('5 Years').waitFor();
    await page.getByRole('checkbox', { name: 'Select the rows of the list' }).click();
    await cell(page, 2, 2).click();
    await page.keyboard.press('Control+d');
    await button(page, 'Change 2 programs').click();
    await expect.poll(durations).toEqual(['5 Years', '5 Years', '5 Years']);
    await close();
  });
});

describe('Ctrl-Z three times', () => {
  it('undoes three changes, names the second and the third first, and each is brought back', async () => {
    const { page, ids, close } = await open('Numismatics', 3);
    const codes = async () => (await read(ids)).map(({ code }) => code);
    for (const at of ids.keys()) {
      await cell(page, at, 1).click();
      await page.keyboard.type(`NEW-${at}`);
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await codes())[at]).toBe(`NEW-${at}`);
    }
    const asked = page.getByRole('alertdialog', { name: 'Undo this change?' });
    await page.keyboard.press('Control+z');
    await page.getByText(/^Undone:/).waitFor();
    expect(await page.locator('.toast').count()).toBe(1);
    for (const number of ['02', '01']) {
      await page.keyboard.press('Control+z');
      await asked.getByText(`Numismatics ${number}`).first().waitFor();
      await asked.getByText(`NEW-${Number(number) - 1}`).waitFor();
      await page.keyboard.press('Enter');
      await asked.waitFor({ state: 'detached' });
      await expect.poll(async () => (await codes())[Number(number) - 1]).toBe(`Numismatics-${Number(number)}`);
    }
    expect(await codes()).toEqual(['Numismatics-1', 'Numismatics-2', 'Numismatics-3']);
    await page.keyboard.press('Control+y');
    await page.getByText(/^Brought back:/).waitFor();
    await expect.poll(codes).toEqual(['NEW-0', 'Numismatics-2', 'Numismatics-3']);
    await close();
  });

  it('does nothing in a grid beside the form of a record, nor outside of both', async () => {
    const { page, ids, close } = await open('Heortology', 1);
    const code = async () => (await read(ids))[0]?.code;
    await cell(page, 0, 1).click();
    await page.keyboard.type('n2');
    await page.keyboard.press('Enter');
    await expect.poll(code).toBe('n2');
    await page.getByRole('link', { name: 'Heortology 01' }).focus();
    await page.keyboard.press('j');
    await button(page, 'Edit program').click();
    await page.locator('form.form').waitFor();
    await field(page, 'Code').click();
    await page.keyboard.type('TYPED');
    for (const place of [cell(page, 0, 1), page.getByRole('heading', { level: 1 }).first()]) {
      await place.click();
      await page.keyboard.press('Control+z');
    }
    expect(await field(page, 'Code').inputValue()).toContain('TYPED');
    await button(page, 'Cancel').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click();
    await page.locator('form.form').waitFor({ state: 'detached' });
    expect(await page.getByText('Undone').count()).toBe(0);
    await cell(page, 0, 1).click();
    await page.keyboard.press('Control+z');
    await page.getByText('Undone').first().waitFor();
    expect(await code()).toBe('Heortology-1');
    await close();
  });

  it('is meant for the grid that has the focus while a note is open, as copy and paste are, and in its text for that', async () => {
    const { page, ids, close } = await open('Toponymy', 2);
    const durations = async () => (await read(ids)).map(({ duration }) => duration);
    await page.getByRole('link', { name: 'Toponymy 01' }).focus();
    await page.keyboard.press('j');
    await button(page, 'Add a note').click();
    await field(page, 'Note').fill('Is this right?');
    await cell(page, 0, 1).click();
    await pasteText(page, 'NEW');
    await button(page, 'Change 1 program').click();
    await expect.poll(durations).toEqual(['NEW', '4 Years']);
    await field(page, 'Note').click();
    await page.keyboard.press('Control+z');
    await expect.poll(() => field(page, 'Note').inputValue()).toBe('');
    await cell(page, 0, 1).click();
    await page.keyboard.press('Control+z');
    await page.getByText(/^Undone:/).waitFor();
    expect(await durations()).toEqual(['4 Years', '4 Years']);
    await close();
  });

  it('undoes nothing once the user types again: a late question took the letters, and a space answered it', async () => {
    const { page, ids, close } = await open('Sphragistics', 3);
    const codes = async () => (await read(ids)).map(({ code }) => code);
    for (const at of [0, 1]) {
      await cell(page, at, 1).click();
      await page.keyboard.type(`NEW-${at}`);
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await codes())[at]).toBe(`NEW-${at}`);
    }
    await page.keyboard.press('Control+z');
    await page.getByText(/^Undone:/).waitFor();
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isAsked = page.waitForRequest((request) => request.postData()?.includes('LastChanges') === true);
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('LastChanges')) await isReleased;
      await route.fallback();
    });
    await page.keyboard.press('Control+z');
    await isAsked;
    await cell(page, 2, 1).click();
    await page.keyboard.type('TWO');
    release();
    await page.getByText('Nothing was undone: you were typing by then. Press the keys again.').waitFor();
    await page.keyboard.type(' WORDS');
    await page.keyboard.press('Enter');
    await expect.poll(codes).toEqual(['NEW-0', 'Sphragistics-2', 'TWO WORDS']);
    await close();
  });

  it('waits for the value that was typed just before, and leaves the change before that', async () => {
    const { page, ids, close } = await open('Codicology', 2);
    const codes = async () => (await read(ids)).map(({ code }) => code);
    const type = async (at: number, text: string): Promise<void> => {
      await cell(page, at, 1).click();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await type(0, 'FIRST');
    await expect.poll(codes).toEqual(['FIRST', 'Codicology-2']);
    // Its code is loaded by then.
    await page.keyboard.press('Control+y');
    await page.getByText('There is no change of yours to bring back.').waitFor();
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation UpdateProgram')) await isReleased;
      await route.fallback();
    });
    await type(1, 'SECOND');
    await page.keyboard.press('Control+z');
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    release();
    await page.getByText(/^Undone:/).waitFor();
    await expect.poll(codes).toEqual(['FIRST', 'Codicology-2']);
    await close();
  });
});
