import { closeNotes, programOf } from './shown.ts';
import { cellName, formName, noteName, type Tab } from './tabs.ts';
import { startTyping, type Typist } from './typing.ts';

/** Types names into a form whose other fields change, codes into a cell of a list whose rows move, and notes. */
export async function startTypists(tabs: readonly Tab[], url: string): Promise<Typist[]> {
  const typists: Typist[] = [];
  for (const { name, page } of tabs) {
    if (name === formName) {
      const field = page.locator('form.form [data-field=name]');
      const open = async () => {
        // A form that has a draft is open already.
        await field.or(page.getByRole('button', { name: 'Edit program' })).click();
        await field.selectText();
      };
      typists.push(await startTyping({ page, field, open, stored: async () => (await programOf(url, 2)).name }));
    }
    if (name === cellName) {
      const row = page.locator('tr.row', { has: page.getByRole('link', { name: 'Program 10', exact: true }) });
      const field = page.locator('.cell-editor input');
      const open = async () => {
        // How many rows are rendered depends on how far it is scrolled.
        await page.evaluate('scrollTo(0, 0)');
        await row.locator('td').nth(4).dblclick();
      };
      typists.push(await startTyping({ page, field, open, stored: async () => (await programOf(url, 11)).code }));
    }
    if (name === noteName) {
      const form = page.getByRole('form', { name: 'Add a note' });
      const field = form.getByRole('textbox', { name: 'Note' });
      const open = async () => {
        await closeNotes(url, 5);
        if (!(await field.isVisible())) await page.getByText('Add a note').click();
        await field.click();
      };
      const submit = () => form.getByRole('button', { name: 'Save' }).click();
      // Of two notes with the same text, one would be too many.
      const stored = async () => (await programOf(url, 5)).notes.map(({ text }) => text).join();
      typists.push(await startTyping({ page, field, open, submit, stored }));
    }
  }
  return typists;
}
