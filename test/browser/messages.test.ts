import { describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { useServer } from '../support/server.ts';
import { useBrowser } from './browser.ts';
import { button, openConsole, started } from './console.ts';

const server = useServer();
const make = factoriesFor(server);
const browser = useBrowser();

const names = async (subject: string): Promise<string[]> => {
  const { body } = await server.graphql(`{ programsConnection(filter: { search: "${subject}" }) { nodes { name } } }`);
  return body.data.programsConnection.nodes.map(({ name }: { name: string }) => name);
};

/** Deletes two of three programs from the list, which leaves a message. */
async function openMany(subject: string) {
  for (const name of ['A', 'B', 'C']) await make.program({ name: `${subject} ${name}` });
  const { page, close } = await openConsole(browser(), server.url, `/programs?search=${subject}`);
  await started(page);
  for (const name of ['A', 'B']) await page.getByRole('checkbox', { name: `Select ${subject} ${name}` }).click();
  await button(page, 'Delete').click();
  await button(page, 'Delete 2 programs').click();
  const many = page.getByRole('alertdialog', { name: '2 programs were deleted.' });
  await many.waitFor();
  return { page, close, many };
}

/** Then deletes the third from its page, which leaves another above that. */
async function openMessages(subject: string) {
  const { page, close, many } = await openMany(subject);
  await page.getByRole('link', { name: `${subject} C` }).click();
  await button(page, 'Delete program').click();
  const one = page.getByRole('alertdialog', { name: `${subject} C was deleted` });
  await one.waitFor();
  return { page, close, many, one };
}

describe('messages', () => {
  it('keep their places: no button of one comes where the button of another was', async () => {
    const { page, close, many, one } = await openMessages('Alchemy');
    const undo = { name: 'Undo' };
    const before = await many.getByRole('button', undo).boundingBox();
    const newer = await one.getByRole('button', undo).boundingBox();
    expect(newer?.y).toBeLessThan(before?.y ?? 0);
    // The older goes below the pointer; the newer does not come there, nor does the page.
    await many.getByRole('button', { name: 'Dismiss' }).click();
    await many.waitFor({ state: 'detached' });
    expect(await one.getByRole('button', undo).boundingBox()).toEqual(newer);
    await page.mouse.click((before?.x ?? 0) + 5, (before?.y ?? 0) + 5);
    await one.waitFor();
    expect(await one.getByRole('button', undo).boundingBox()).toEqual(newer);
    await page.mouse.move(5, 5);
    await expect.poll(async () => (await one.getByRole('button', undo).boundingBox())?.y).toBe(before?.y);
    await close();
  });

  it('do not get the focus of one that goes on a button of another', async () => {
    const { page, close, many, one } = await openMessages('Astronomy');
    await one.getByRole('button', { name: 'Dismiss' }).press('Enter');
    await one.waitFor({ state: 'detached' });
    expect(await page.evaluate<string>('document.activeElement.className')).toBe('toasts');
    await many.getByRole('button', { name: 'Undo' }).waitFor();
    await close();
  });

  it('ask before they undo what is not the last change, and say what was undone', async () => {
    const { page, close, many } = await openMessages('Augury');
    await many.getByRole('button', { name: 'Undo' }).click();
    const question = page.getByRole('alertdialog', { name: 'Undo this change?' });
    await question.getByText(/^You deleted 2 programs/).waitFor();
    await button(page, 'Cancel').click();
    await question.waitFor({ state: 'detached' });
    expect(await names('Augury')).toEqual([]);
    await close();

    const alone = await openMany('Auspices');
    await alone.many.getByRole('button', { name: 'Undo' }).click();
    await alone.page.getByText(/^Undone: You deleted 2 programs/).waitFor();
    expect(await names('Auspices')).toEqual(['Auspices A', 'Auspices B', 'Auspices C']);
    await alone.close();
  });

  it('and the list of changes ask with the values that come back', async () => {
    const { id } = await make.program({ name: 'Apiology', duration: '4 Years' });
    await server.graphql(`mutation { updateProgram(id: ${id}, input: { duration: "5 Years" }) { id } }`);
    const { page, close } = await openConsole(browser(), server.url, '/changes');
    await button(page, 'Undo: changed Apiology').first().click();
    const question = page.getByRole('alertdialog', { name: 'Undo this change?' });
    await question.getByText('admin changed Apiology.').waitFor();
    const values = question.getByRole('region', { name: 'Old and new values' });
    expect((await values.locator('del, ins').allInnerTexts()).join(' ')).toContain('5 Years 4 Years');
    await button(page, 'Undo it').click();
    await page.getByText('1 record is as before.').waitFor();
    await close();
  });
});
