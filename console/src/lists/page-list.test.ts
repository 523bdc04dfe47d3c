import { Client, fetchExchange, gql } from '@urql/core';
import { expect, it } from 'vitest';
import { PageList } from './page-list.ts';

interface Data {
  readonly rows: {
    readonly nodes: readonly { readonly id: number }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

const document = gql<Data, { after?: string | null }>`
  query Rows($after: String) {
    rows(after: $after) {
      nodes {
        id
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

/** Pages by cursor; the second begins with the last record of the first, as after a change. */
const pages: Readonly<Record<string, readonly number[]>> = { '': [1, 2, 3], '3': [3, 4], '4': [5] };

function listOfRows(isReachable = () => true) {
  const respond: typeof fetch = async (_input, init) => {
    if (!isReachable()) throw new TypeError('Failed to fetch');
    const { variables } = JSON.parse(String(init?.body));
    const ids = pages[variables.after ?? ''] ?? [];
    const last = ids.at(-1) ?? 0;
    const rows = {
      nodes: ids.map((id) => ({ id })),
      pageInfo: { hasNextPage: last < 5, endCursor: String(last) },
    };
    return Response.json({ data: { rows } });
  };
  const client = new Client({
    url: 'http://service/graphql',
    fetch: respond,
    exchanges: [fetchExchange],
    preferGetMethod: false,
  });
  return new PageList({ client, document, variables: {}, pageOf: ({ rows }: Data) => rows });
}

it('loads page behind page, shows each record once, and keeps the records of pages that are as they were', async () => {
  const list = listOfRows();
  const ids = () => list.snapshot().items.map(({ id }) => id);
  const stop = list.subscribe(() => undefined);
  await expect.poll(ids).toEqual([1, 2, 3]);
  const [first] = list.snapshot().items;

  list.loadMore();
  await expect.poll(ids).toEqual([1, 2, 3, 4]);
  list.loadMore();
  await expect.poll(ids).toEqual([1, 2, 3, 4, 5]);
  expect(list.snapshot().items[0]).toBe(first);
  expect(list.snapshot().hasNext).toBe(false);

  list.reload();
  await expect.poll(ids).toEqual([1, 2, 3]);
  stop();
});

it('has its error until it is read again with success', async () => {
  let isReachable = false;
  const list = listOfRows(() => isReachable);
  const stop = list.subscribe(() => undefined);
  await expect.poll(() => list.snapshot().error).toBeDefined();

  isReachable = true;
  list.reload();
  expect(list.snapshot().error).toBeDefined();
  await expect.poll(() => list.snapshot().items.length).toBe(3);
  expect(list.snapshot().error).toBeUndefined();
  stop();
});
