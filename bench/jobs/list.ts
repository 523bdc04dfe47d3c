import type { Api } from './api.ts';
import { misspelt, programsOf } from './catalog.ts';
import { editWorkbook } from './excel.ts';
import type { Person } from './person.ts';

/** What a job has: its person, and what it may ask and do beside them. */
export interface Desk {
  readonly person: Person;
  readonly api: Api;
  /** Another editor, at the same time. */
  readonly openAnother: (path: string) => Promise<Person>;
}

export interface Job {
  readonly name: string;
  /** What the same took people in the trial before, in seconds; `null`: they could not do it. */
  readonly before: number | null;
  /** Returns whether the right records changed, and no others. */
  readonly run: (desk: Desk) => Promise<boolean>;
}

const button = ({ page }: Person, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Searches in the list on the screen, and selects all that match. */
async function selectAll(person: Person, search: string, count: number): Promise<void> {
  const { page } = person;
  await person.choose('/');
  await person.type(search);
  await person.read(page.getByRole('status').getByText(`${count} `));
  await person.click(page.getByRole('checkbox', { name: 'Select the rows of the list' }));
  if (count > 100) await person.click(button(person, `Select all ${count} that match`));
}

const durations: Job = {
  name: '139 durations corrected',
  before: 13.9,
  run: async ({ person, api }) => {
    await selectAll(person, 'auxiliary nursing', 139);
    await person.click(button(person, 'Change a field'));
    await person.type('2 Years');
    await person.press('Enter');
    await person.read(person.page.getByText('139 programs will change.'));
    await person.press('Enter');
    await person.read(person.page.getByText('139 programs were changed.'));
    return (await programsOf(api, 'Auxiliary Nursing')).every(({ duration }) => duration === '2 Years');
  },
};

const excel: Job = {
  name: 'Excel out and in with 20 edits, 10 of them renames',
  before: null,
  run: async ({ person, api }) => {
    const { page } = person;
    const [before] = await programsOf(api, 'Polytechnic of Examples');
    await selectAll(person, 'polytechnic of examples', 1);
    await person.click(page.getByRole('link', { name: 'Export', exact: true }));
    const [download] = await Promise.all([page.waitForEvent('download'), person.click(button(person, 'Export'))]);
    const path = await download.path();
    const edit = (text: string): string =>
      text
        .replaceAll(/Workshop (0\d|10)\b/g, 'Studio $1')
        .replaceAll(/(Workshop (?:11|12|13|14|15|16|17|18|19|20)\b,[^,\n]*),/g, '$1With a yard,');
    const edited = await person.away(() => editWorkbook(path, edit));
    await person.choose();
    await page.locator('input[type=file]').setInputFiles(edited);
    await person.read(page.getByText(/0 new, 20 changed/));
    await person.click(button(person, /^Import /));
    await person.read(page.getByText(/Imported \d+ rows/));
    const [after] = await programsOf(api, 'Polytechnic of Examples');
    const kept = before?.branches.map(({ id }) => id).join() === after?.branches.map(({ id }) => id).join();
    const of = (test: (branch: { name: string; description: string }) => boolean): number =>
      after?.branches.filter(test).length ?? 0;
    return (
      kept &&
      of(({ name }) => name.startsWith('Studio')) === 10 &&
      of(({ description }) => description === 'With a yard') === 10
    );
  },
};

const searches: Job = {
  name: '6 misspelt searches',
  before: 30,
  run: async ({ person }) => {
    const { page } = person;
    for (const [typed, meant] of misspelt) {
      await person.choose('/');
      await person.press('Control+a');
      await person.type(typed);
      await person.read(page.getByRole('grid', { name: 'Programs' }).getByRole('link', { name: meant }).first());
    }
    return true;
  },
};

const move: Job = {
  name: '12 branches moved',
  before: 20,
  run: async ({ person, api }) => {
    const { page } = person;
    await person.click(page.getByRole('link', { name: 'Branches', exact: true }));
    await page.getByRole('grid', { name: 'Branches' }).waitFor();
    await selectAll(person, 'automatronics', 12);
    await person.click(button(person, 'Move'));
    await person.type('school of auto');
    await person.read(page.getByRole('option', { name: /School of Automation/ }));
    await person.press('Enter');
    await person.read(page.getByText('12 branches will move'));
    await person.press('Enter');
    await person.read(page.getByText('12 branches were moved.'));
    const [school] = await programsOf(api, 'School of Automation');
    return school?.branches.length === 13;
  },
};

const changes: Job = {
  name: 'what changed yesterday, and who changed it',
  before: null,
  run: async ({ person }) => {
    const { page } = person;
    // What was imported a moment ago is of yesterday.
    await page.clock.setFixedTime(Date.now() + 86_400_000);
    await person.click(page.getByRole('link', { name: 'Changes', exact: true }));
    await person.click(button(person, 'Yesterday'));
    await person.read(page.getByText(/meena imported/));
    return (await page.getByText('Yesterday', { exact: true }).count()) > 0;
  },
};

const conflict: Job = {
  name: 'a conflict in two windows',
  before: null,
  run: async ({ person, api, openAnother }) => {
    const [program] = await programsOf(api, 'Diploma in Conflicts');
    const other = await openAnother(`/programs/${program?.id}`);
    const edit = async (one: Person, name: string): Promise<void> => {
      await one.click(button(one, 'Edit program'));
      await one.press('Control+a');
      await one.type(name);
    };
    await person.choose('/');
    await person.type('diploma in conflicts');
    await person.click(person.page.getByRole('link', { name: 'Diploma in Conflicts' }));
    await edit(person, 'Diploma in Peace');
    await edit(other, 'Diploma in Conflict Studies');
    await other.choose('Enter');
    const theirs = person.page.getByRole('radio', { name: /^Theirs/ });
    await theirs.waitFor();
    await person.click(theirs);
    await person.click(button(person, 'Save'));
    await person.page.getByRole('button', { name: 'Edit program' }).waitFor();
    return (await programsOf(api, 'Diploma in Conflict Studies')).length === 1;
  },
};

const creations: Job = {
  name: '25 programs by hand',
  before: 79,
  run: async ({ person, api }) => {
    const { page } = person;
    await person.choose('n');
    for (let number = 1; number <= 25; number += 1) {
      await page.locator('[data-field=name]:focus').and(page.locator('[value=""]')).waitFor();
      await person.choose();
      await person.type(`Diploma in Pottery ${number}`);
      await person.press('Tab');
      await person.type('2 Years');
      await person.press('Control+Enter');
      await page.getByText(`Diploma in Pottery ${number} was created.`).waitFor();
    }
    return (await programsOf(api, 'Diploma in Pottery')).length === 25;
  },
};

const attribute: Job = {
  name: 'an attribute of 40 programs from a column of Excel',
  before: null,
  run: async ({ person, api }) => {
    const { page } = person;
    const programs = await programsOf(api, 'Certificate in Weaving');
    const column = programs.map((_program, at) => `Loom ${at}`).join('\n');
    await page.evaluate((text) => navigator.clipboard.writeText(text), column);
    await selectAll(person, 'certificate in weaving', 40);
    await person.click(button(person, 'Columns'));
    await person.click(page.getByLabel('Another attribute'));
    await person.type('loom');
    await person.press('Enter');
    await person.click(page.locator('.rows tr[data-index="0"] td').last());
    await person.press('Control+v');
    await person.read(page.getByText('40 programs will change.'));
    await person.press('Enter');
    await person.read(page.getByText('40 programs were changed.'));
    return (await programsOf(api, 'Certificate in Weaving')).every(
      ({ attributes }, at) => attributes[0]?.value === `Loom ${at}`,
    );
  },
};

export const jobs: readonly Job[] = [durations, excel, searches, move, changes, conflict, creations, attribute];
