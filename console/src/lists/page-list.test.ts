import { Client, fetchExchange, gql } from '@urql/core';
import { expect, it } from 'vitest';
import { type Page, PageList, type PageVariables } from './page-list.ts';

interface Data {
  readonly rows: Page<{ readonly id: number }>;
}

const document = gql<Data, PageVariables>`
  query Rows($first: Int, $after: String, $last: Int, $before: String) {
    rows(first: $first, after: $after, last: $last, before: $before) {
      nodes {
        id
      }
      pageInfo {
        hasNextPage
        endCursor
        hasPreviousPage
        startCursor
      }
    }
  }
`;

/** Pages by cursor; the second begins with the last record of the first, as after a change. */
const pages: Readonly<Record<string, readonly number[]>> = { '': [1, 2, 3], '3': [3, 4], '4': [5] };

/** A list of the service: its numbers from 1, by cursors that are the numbers. */
function listOfNumbers(count: number, first: number) {
  const respond: typeof fetch = async (_input, init) => {
    const { variables } = JSON.parse(String(init?.body));
    const { first: size = variables.last, after, before } = variables;
    const end = before === null || before === undefined ? count : Number(before) - 1;
    const from = 'before' in variables ? Math.max(1, end - size + 1) : Number(after ?? 0) + 1;
    const ids = Array.from({ length: Math.min(size, end - from + 1) }, (_, at) => from + at);
    const pageInfo = {
      hasNextPage: from + ids.length - 1 < count,
      endCursor: String(ids.at(-1)),
      hasPreviousPage: from > 1,
      startCursor: String(ids[0]),
    };
    return Response.json({ data: { rows: { nodes: ids.map((id) => ({ id })), pageInfo } } });
  };
  const exchanges = [fetchExchange];
  const client = new Client({ url: 'http://service/graphql', fetch: respond, exchanges, preferGetMethod: false });
  return new PageList({ client, document, variables: { first }, pageOf: ({ rows }: Data) => rows });
}

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

it('reads the last page backwards, leaves a gap before it, and fills that from both ends', async () => {
  const list = listOfNumbers(11, 3);
  const shown = () => [list.snapshot().gapAt, ...list.snapshot().items.map(({ id }) => id)];
  const stop = list.subscribe(() => undefined);
  await expect.poll(shown).toEqual([undefined, 1, 2, 3]);
  expect((await list.loadEnd())?.at(-1)).toEqual({ id: 11 });
  expect([...shown(), list.snapshot().hasNext]).toEqual([3, 1, 2, 3, 9, 10, 11, false]);
  list.loadBefore();
  await expect.poll(shown).toEqual([3, 1, 2, 3, 6, 7, 8, 9, 10, 11]);
  list.loadMore();
  await expect.poll(shown).toEqual([undefined, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  stop();
});

it('has the first of all its records in order, though the last were read before', async () => {
  const list = listOfNumbers(11, 3);
  const stop = list.subscribe(() => undefined);
  await expect.poll(() => list.snapshot().items.length).toBe(3);
  await list.loadEnd();
  expect((await list.loadAll(5))?.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  expect((await list.loadAll(100))?.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  list.reload();
  await expect.poll(() => list.snapshot().items.length).toBe(3);
  stop();
});

it('knows which records it has had and lost, as no page says of them that they are back', async () => {
  let ids = [1, 2];
  const respond: typeof fetch = async () => {
    const pageInfo = { hasNextPage: false, endCursor: null };
    return Response.json({ data: { rows: { nodes: ids.map((id) => ({ id })), pageInfo } } });
  };
  const exchanges = [fetchExchange];
  const client = new Client({ url: 'http://service/graphql', fetch: respond, exchanges, preferGetMethod: false });
  const list = new PageList({ client, document, variables: {}, pageOf: ({ rows }: Data) => rows });
  const lost = () => [1, 2, 3].filter(list.hasLost);
  const stop = list.subscribe(() => undefined);
  await expect.poll(() => list.snapshot().items.length).toBe(2);
  expect(lost()).toEqual([]);
  ids = [1];
  list.reload();
  await expect.poll(lost).toEqual([2]);
  ids = [1, 2];
  list.reload();
  await expect.poll(lost).toEqual([]);
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
