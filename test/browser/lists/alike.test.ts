import { describe, expect, it } from 'vitest';
import { factoriesFor } from '../../support/factories.ts';
import { useServer } from '../../support/server.ts';
import { useBrowser } from '../browser.ts';
import { button, field, openConsole, pasteText } from '../console.ts';
import { cell, programsOf } from './programs.ts';

const server = useServer();
const browser = useBrowser();

const { open, read } = programsOf(server, browser);

describe('a code that a program beyond the list has', () => {
  it('is saved in a cell, and said once, with a link to the other program and the undo', async () => {
    const other = await factoriesFor(server).program({ name: 'Elsewhere', code: 'SAME-1' });
    const { page, ids, close } = await open('Phenology', 2);
    await cell(page, 0, 1).click();
    await page.keyboard.type('SAME-1');
    await page.keyboard.press('Enter');
    const message = page.getByRole('alertdialog', {
      name: 'Phenology 01 was saved with the same code as the program Elsewhere.',
    });
    await message.waitFor();
    expect(await message.getByRole('link').getAttribute('href')).toBe(`/console/programs/${other.id}`);
    // Another field of the same record is no news of its code.
    await cell(page, 0, 2).click();
    await page.keyboard.type('5 Years');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await read(ids))[0]?.duration).toBe('5 Years');
    expect(await message.count()).toBe(1);
    await message.getByRole('button', { name: 'Undo' }).click();
    const question = page.getByRole('alertdialog', { name: 'Undo this change?' });
    await question.getByText('SAME-1').waitFor();
    await button(page, 'Undo it').click();
    await expect.poll(async () => (await read(ids))[0]?.code).toBe('Phenology-1');
    await close();
  });

  it('is said after a form with it, or nearly it, was saved', async () => {
    await factoriesFor(server).program({ name: 'Nearby', code: 'near-1' });
    const { id } = await factoriesFor(server).program({ name: 'Phrenology', code: 'P-1' });
    const { page, close } = await openConsole(browser(), server.url, `/programs/${id}`);
    await button(page, 'Edit program').click();
    await field(page, /^Code/).fill('NEAR-1');
    await button(page, 'Save').click();
    const name = 'Phrenology was saved with nearly the same code as the program Nearby.';
    await page.getByRole('alertdialog', { name }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await read([id]))[0]?.code).toBe('P-1');
    await close();
  });

  it('is said before a paste or a change of many gives it to others', async () => {
    await factoriesFor(server).program({ name: 'Faraway', code: 'SAME-2' });
    const { page, close } = await open('Pharmacology', 2);
    const dialog = page.getByRole('dialog');
    const said = 'Other programs have these codes already: SAME-2 (Faraway).';
    await cell(page, 0, 1).click();
    await pasteText(page, 'NEW-1\r\nSAME-2');
    await dialog.getByText(said).waitFor();
    await button(page, 'Cancel').click();
    await page.getByRole('checkbox', { name: 'Select Pharmacology 01' }).click();
    await button(page, 'Change a field').click();
    await dialog.getByLabel('Field', { exact: true }).selectOption({ label: 'Code' });
    await dialog.getByLabel('New code').fill('SAME-2');
    await button(page, 'Check').click();
    await dialog.getByText(said).waitFor();
    await close();
  });
});
