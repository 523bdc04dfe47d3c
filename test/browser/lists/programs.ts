import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { factoriesFor } from '../../support/factories.ts';
import type { TestServer } from '../../support/server.ts';
import { openConsole } from '../console.ts';

export const cell = (page: Page, row: number, column: number) =>
  page.locator(`.rows tr[data-index="${row}"] td:not(.pick)`).nth(column);
/** Opens a cell; that of a name by F2, since a click on a name leads to its record. */
export async function openCell(page: Page, one: Locator): Promise<void> {
  const link = one.getByRole('link');
  if ((await link.count()) === 0) return one.dblclick();
  await link.focus();
  return page.keyboard.press('F2');
}
export const editor = (page: Page) => page.locator('.cell-editor :is(input, textarea)');

interface Program {
  readonly name: string;
  readonly code: string | null;
  readonly duration: string;
  readonly attributes: readonly object[];
}

/** Programs of a test in the grid. */
export function programsOf(server: TestServer, browser: () => Browser) {
  const words = new Set<string>();
  let colleague: Promise<string> | undefined;
  return {
    /** Makes programs with a word in their names that no other test has, and opens the list of them. */
    open: async (word: string, count: number, columns = 'name,code,duration,attributes.level') => {
      expect(words).not.toContain(word);
      words.add(word);
      const ids: number[] = [];
      for (let number = 1; number <= count; number += 1) {
        const name = `${word} ${String(number).padStart(2, '0')}`;
        ids.push((await factoriesFor(server).program({ name, duration: '4 Years', code: `${word}-${number}` })).id);
      }
      const opened = await openConsole(browser(), server.url, `/programs?q=${word}&sort=NAME_ASC&columns=${columns}`);
      await opened.page.getByRole('link', { name: `${word} 01` }).waitFor();
      return { ...opened, ids };
    },
    /** Saves as somebody else. */
    update: async (id: number, input: object): Promise<void> => {
      const document =
        'mutation ($id: Int!, $input: UpdateProgramInput!) { updateProgram(id: $id, input: $input) { id } }';
      colleague ??= server.makeKey({ role: 'editor', user: 'A colleague' });
      expect((await server.graphql(document, { id, input }, await colleague)).body.errors).toBeUndefined();
    },
    read: async (ids: readonly number[]): Promise<readonly Program[]> => {
      const { body } = await server.graphql(
        'query ($ids: [Int!]!) { programsConnection(filter: { ids: $ids }, orderBy: ID_ASC) { nodes { name code duration attributes { key value } } } }',
        { ids },
      );
      return body.data.programsConnection.nodes;
    },
  };
}
