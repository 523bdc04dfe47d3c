import { type Effect, misspelt, type Row } from './catalog.ts';
import { editWorkbook } from './excel.ts';
import type { Person } from './person.ts';

interface Desk {
  readonly person: Person;
  /** Every record, before the job. */
  readonly catalog: readonly Row[];
  /** Another editor, at the same time. */
  readonly openAnother: (path: string) => Promise<Person>;
}

export interface Job extends Effect {
  readonly name: string;
  /** What the same took people in the trial before, in seconds; `null`: they could not do it. */
  readonly before: number | null;
  readonly run: (desk: Desk) => Promise<void>;
}

const button = ({ page }: Person, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = ({ page }: Person, name: string) => page.getByRole('link', { name, exact: true });

async function search(person: Person, text: string): Promise<void> {
  await person.choose('/');
  await person.press('Control+a');
  await person.type(text);
}

/** Searches in the list on the screen, and selects all that match. */
async function selectAll(person: Person, text: string, count: number): Promise<void> {
  const { page } = person;
  await search(person, text);
  await person.read(page.getByRole('status').getByText(`${count} `));
  await person.click(page.getByRole('checkbox', { name: 'Select the rows of the list' }));
  if (count > 100) await person.click(button(person, `Select all ${count} that match`));
}

const durations: Job = {
  name: '139 durations corrected',
  before: 13.9,
  run: async ({ person }) => {
    await selectAll(person, 'auxiliary nursing', 139);
    await person.click(button(person, 'Change a field'));
    await person.type('2 Years');
    await person.press('Enter');
    await person.read(person.page.getByText('139 programs will change.'));
    await person.press('Enter');
    await person.read(person.page.getByText('139 programs were changed.'));
  },
  changes: ({ name }) => (name.startsWith('Auxiliary Nursing') ? { duration: '2 Years' } : undefined),
};

const workshop = /^Workshop (?:(0\d|10)|1\d|20)$/;

const excel: Job = {
  name: 'Excel out and in with 20 edits, 10 of them renames',
  before: null,
  run: async ({ person }) => {
    const { page } = person;
    await selectAll(person, 'polytechnic of examples', 1);
    await person.click(link(person, 'Export'));
    const [download] = await Promise.all([page.waitForEvent('download'), person.click(button(person, 'Export'))]);
    const path = await download.path();
    const edit = (text: string): string =>
      text
        .replaceAll(/Workshop (0\d|10)\b/g, 'Studio $1')
        .replaceAll(/(Workshop (?:1\d|20)\b,[^,\n]*),/g, '$1With a yard,');
    const edited = await person.away(() => editWorkbook(path, edit));
    await person.choose();
    await page.locator('input[type=file]').setInputFiles(edited);
    await person.read(page.getByText(/0 new, 20 changed/));
    await person.click(button(person, /^Import /));
    await person.read(page.getByText(/Imported \d+ rows/));
  },
  changes: ({ name }) => {
    const [found, first] = workshop.exec(name) ?? [];
    if (found === undefined) return undefined;
    return first === undefined ? { description: 'With a yard' } : { name: `Studio ${first}` };
  },
};

const searches: Job = {
  name: '6 misspelt searches',
  before: 30,
  run: async ({ person }) => {
    for (const [typed, meant] of misspelt) {
      await search(person, typed);
      // The first, and not somewhere in the list.
      await person.read(person.page.locator('[data-index="0"]').getByRole('link', { name: meant, exact: true }));
    }
  },
};

const move: Job = {
  name: '12 branches moved',
  before: 20,
  run: async ({ person }) => {
    const { page } = person;
    await person.click(link(person, 'Branches'));
    await page.getByRole('grid', { name: 'Branches' }).waitFor();
    await selectAll(person, 'automatronics', 12);
    await person.click(button(person, 'Move'));
    await person.type('school of auto');
    await person.read(page.getByRole('option', { name: /School of Automation/ }));
    await person.press('Enter');
    await person.read(page.getByText('12 branches will move'));
    await person.press('Enter');
    await person.read(page.getByText('12 branches were moved.'));
  },
  changes: ({ name }) => (name.startsWith('Automatronics') ? { program: 'School of Automation' } : undefined),
};

const changes: Job = {
  name: 'what changed yesterday, and who changed it',
  before: null,
  run: async ({ person }) => {
    const { page } = person;
    // What was imported a moment ago is of yesterday.
    await page.clock.setFixedTime(Date.now() + 86_400_000);
    await person.click(link(person, 'Changes'));
    await person.click(button(person, 'Yesterday'));
    await person.read(page.getByText(/meena imported/));
    const days = await page.locator('main h2').allTextContents();
    if (days.join() !== 'Yesterday') throw new Error(`It shows ${days.join(', ')}.`);
  },
};

const conflict: Job = {
  name: 'a conflict in two windows',
  before: null,
  run: async ({ person, catalog, openAnother }) => {
    const program = catalog.find(({ name }) => name === 'Diploma in Conflicts');
    const other = await openAnother(`/${program?.id}`);
    const edit = async (one: Person, name: string): Promise<void> => {
      await one.click(button(one, 'Edit program'));
      await one.press('Control+a');
      await one.type(name);
    };
    await search(person, 'diploma in conflicts');
    await person.click(link(person, 'Diploma in Conflicts'));
    await edit(person, 'Diploma in Peace');
    await edit(other, 'Diploma in Conflict Studies');
    await other.choose('Enter');
    await person.click(person.page.getByRole('radio', { name: /^Theirs/ }));
    await person.click(button(person, 'Save'));
    await button(person, 'Edit program').waitFor();
  },
  changes: ({ name }) => (name === 'Diploma in Conflicts' ? { name: 'Diploma in Conflict Studies' } : undefined),
};

const potteries = Array.from({ length: 25 }, (_none, at) => `Diploma in Pottery ${at + 1}`);

const creations: Job = {
  name: '25 programs by hand',
  before: 79,
  run: async ({ person }) => {
    const { page } = person;
    await person.choose('n');
    for (const name of potteries) {
      await page.locator('[data-field=name]:focus').and(page.locator('[value=""]')).waitFor();
      await person.choose();
      await person.type(name);
      // The next ones have it already.
      if (name === potteries[0]) {
        await person.press('Tab');
        await person.type('2 Years');
      }
      await person.press('Control+Enter');
    }
    await page.getByText(`${potteries.at(-1)} was created.`).waitFor();
  },
  adds: potteries.map((name) => {
    return { name, duration: '2 Years', program: null, description: null, attributes: {}, years: 0 };
  }),
};

const attribute: Job = {
  name: 'an attribute of 40 programs from a column of Excel',
  before: null,
  run: async ({ person }) => {
    const { page } = person;
    const column = Array.from({ length: 40 }, (_none, at) => `Loom ${at + 1}`).join('\n');
    await page.evaluate((text) => navigator.clipboard.writeText(text), column);
    await selectAll(person, 'certificate in weaving', 40);
    await person.click(button(person, 'Columns'));
    await person.click(page.getByLabel('Another attribute'));
    await person.type('loom');
    await person.press('Enter');
    await person.click(page.locator('[data-index="0"] td').last());
    await person.press('Control+v');
    await person.read(page.getByText('40 programs will change.'));
    await person.press('Enter');
    await person.read(page.getByText('40 programs were changed.'));
  },
  changes: ({ name }) => {
    const [, number] = /^Certificate in Weaving (\d+)$/.exec(name) ?? [];
    return number === undefined ? undefined : { attributes: { loom: `Loom ${Number(number)}` } };
  },
};

export const jobs: readonly Job[] = [durations, excel, searches, move, changes, conflict, creations, attribute];
