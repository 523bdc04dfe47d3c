import { z } from 'zod';

const page = z.looseObject({
  pageNumber: z.int(),
  pageSize: z.int(),
  totalPages: z.int(),
  hasPreviousPage: z.boolean(),
  hasNextPage: z.boolean(),
});

/**
 * Returns `Link` for a page of a list (RFC 8288; `docs/contract.md` 6): `first` and `last`, `prev` and `next` where
 * there are such pages. Past the end, `prev` is the last one.
 */
export function pageLinks(path: string, body: unknown): string {
  const { pageNumber, pageSize, totalPages, hasPreviousPage, hasNextPage } = page.parse(body);
  const last = Math.max(totalPages, 1);
  const pages = [
    ['first', 1],
    ...(hasPreviousPage ? [['prev', Math.min(pageNumber - 1, last)]] : []),
    ...(hasNextPage ? [['next', pageNumber + 1]] : []),
    ['last', last],
  ];
  return pages.map(([relation, number]) => `<${path}?page=${number}&size=${pageSize}>; rel="${relation}"`).join(', ');
}
