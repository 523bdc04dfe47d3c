import type { Page } from './page-list.ts';

export type ReadPage = (after: string | null) => Promise<Page<{ readonly id: number }> | null | undefined>;

/** Reads the ids of the first records of a list, page by page; `null` when one cannot be read. */
export async function loadIds(readPage: ReadPage, max: number): Promise<readonly number[] | null> {
  const ids: number[] = [];
  let after: string | null = null;
  do {
    const page: Page<{ readonly id: number }> | null | undefined = await readPage(after);
    if (!page) return null;
    ids.push(...page.nodes.map(({ id }) => id));
    after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
  } while (after !== null && ids.length < max);
  return ids.slice(0, max);
}
