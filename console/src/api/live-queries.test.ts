import { Client, fetchExchange, gql } from '@urql/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CatalogChange } from './event-stream.ts';
import { liveQueries } from './live-queries.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const listOf = gql`
  query ($after: String) {
    programsConnection(after: $after) {
      nodes {
        id
        name
      }
    }
  }
`;
const countOf = gql`
  query ($filter: ProgramFilter) {
    programsConnection(filter: $filter) {
      totalCount
    }
  }
`;
const rename = gql`
  mutation {
    updateProgram(id: 1) {
      id
    }
  }
`;

const change = (programId: number): CatalogChange => ({
  action: 'UPDATE',
  kind: 'PROGRAM',
  programId,
  branchId: null,
  previousProgramId: null,
});

const programs = (...names: readonly string[]) => ({
  programsConnection: { nodes: names.map((name, index) => ({ __typename: 'Program', id: index + 1, name })) },
});

/** A page that shows a list of programs, over requests that the test responds to. */
async function openPage() {
  const { exchange, changed, refetchAll, retry } = liveQueries();
  const waiting: ((response: Response) => void)[] = [];
  let requests = 0;
  const client = new Client({
    url: 'http://127.0.0.1/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetch: () => {
      requests += 1;
      return new Promise((resolve) => waiting.push(resolve));
    },
    exchanges: [exchange, fetchExchange],
  });
  const shown: (string | undefined)[] = [];
  const open = () =>
    client.query(listOf, { after: null }).subscribe(({ data }) => {
      shown.push(data?.programsConnection.nodes.map(({ name }: { name: string }) => name).join());
    });
  const { unsubscribe } = open();
  const respondWith = async (body: object): Promise<void> => {
    await vi.advanceTimersByTimeAsync(0);
    waiting.shift()?.(Response.json(body));
    await vi.advanceTimersByTimeAsync(0);
  };
  const page = {
    client,
    open,
    changed,
    refetchAll,
    retry,
    leave: unsubscribe,
    requests: () => requests,
    shown: () => shown.at(-1),
    respond: (data: object): Promise<void> => respondWith({ data }),
    respondWith,
    fail: async (): Promise<void> => {
      await vi.advanceTimersByTimeAsync(0);
      waiting.shift()?.(Response.error());
      await vi.advanceTimersByTimeAsync(0);
    },
    settle: () => vi.advanceTimersByTimeAsync(10_000),
  };
  await page.respond(programs('Physics'));
  expect(page.shown()).toBe('Physics');
  return page;
}

it('refetches once what shows a record that has changed several times, and nothing that does not', async () => {
  const { changed, respond, requests, shown, settle } = await openPage();
  changed(change(2));
  await settle();
  expect(requests()).toBe(1);
  for (let times = 0; times < 3; times += 1) changed(change(1));
  await settle();
  await respond(programs('Physics of stars'));
  await settle();
  expect([shown(), requests()]).toEqual(['Physics of stars', 2]);
});

it('refetches what was on its way while something changed: the response may be older', async () => {
  const { changed, refetchAll, respond, requests, shown, settle } = await openPage();
  refetchAll();
  await vi.advanceTimersByTimeAsync(0);
  changed(change(2));
  await settle();
  expect(requests()).toBe(2);
  await respond(programs('Older'));
  await settle();
  await respond(programs('Newer'));
  expect([shown(), requests()]).toEqual(['Newer', 3]);
});

it('refetches what shows nothing, or a figure, after any change', async () => {
  const { refetchAll, changed, respond, requests, settle } = await openPage();
  refetchAll();
  await respond(programs());
  changed(change(7));
  await settle();
  expect(requests()).toBe(3);
});

it.each([
  ['a figure', {}, 1],
  ['the number of the records of a list', { filter: {} }, 2],
])('refetches %s after two changes in a row %o: %i times', async (_, variables, times) => {
  const { client, changed, respond, requests } = await openPage();
  client.query(countOf, variables).subscribe(() => undefined);
  await respond({ programsConnection: { totalCount: 1 } });
  const before = requests();
  for (const id of [7, 8]) {
    changed(change(id));
    await vi.advanceTimersByTimeAsync(500);
    await respond({ programsConnection: { totalCount: id } });
  }
  expect(requests() - before).toBe(times);
});

it('refetches a record that was missing after each change: it may be restored', async () => {
  const { client, changed, respondWith, requests } = await openPage();
  client.query(gql`query { program(id: 7) { id } }`, {}).subscribe(() => undefined);
  const missing = { errors: [{ message: 'Program 7 does not exist.', extensions: { code: 'NOT_FOUND' } }] };
  await respondWith(missing);
  const before = requests();
  for (const id of [8, 7]) {
    changed(change(id));
    await vi.advanceTimersByTimeAsync(500);
    await respondWith(missing);
  }
  expect(requests() - before).toBe(2);
});

it('refetches what is shown of the records of a mutation at once', async () => {
  const { client, respond, requests } = await openPage();
  void client.mutation(rename, {}).toPromise();
  await respond({ updateProgram: { __typename: 'Program', id: 1 } });
  expect(requests()).toBe(3);
});

it('refetches what no event tells of after a mutation of which nobody knows whether it was done', async () => {
  const { client, respond, fail, requests } = await openPage();
  client.query(gql`query { savedViews(list: PROGRAMS) { id } }`, {}).subscribe(() => undefined);
  await respond({ savedViews: [] });
  void client.mutation(rename, {}).toPromise();
  await fail();
  expect(requests()).toBe(4);
});

describe('definitions of attributes', () => {
  const definitionsOf = gql`
    query {
      attributeDefinitions {
        id
      }
    }
  `;
  const answer = { attributeDefinitions: [{ __typename: 'AttributeDefinition', id: 1 }] };

  /** A page that has read them, `sent`: how many requests something has it send. */
  async function openDefinitions() {
    const page = await openPage();
    page.client.query(definitionsOf, {}).subscribe(() => undefined);
    await page.respond(answer);
    const sent = async (act: () => void): Promise<number> => {
      const before = page.requests();
      act();
      await vi.advanceTimersByTimeAsync(1_000);
      return page.requests() - before;
    };
    return { ...page, sent };
  }

  it.each([
    ['a value of an attribute was refused', 'attributes.level', 1],
    ['another value was refused', 'code', 0],
  ])('are read again, and nothing else, when %s', async (_, field, times) => {
    const { client, respondWith, sent } = await openDefinitions();
    void client.mutation(rename, {}).toPromise();
    const problems = [{ field, rule: 'REQUIRED_ATTRIBUTE', message: 'No' }];
    const extensions = { code: 'VALIDATION_FAILED', problems };
    await vi.advanceTimersByTimeAsync(0);
    expect(await sent(() => void respondWith({ errors: [{ message: 'No', extensions }] }))).toBe(times);
  });

  it('are read again with any event, but not for each', async () => {
    const { changed, respond, sent } = await openDefinitions();
    expect(await sent(() => changed(change(7)))).toBe(0);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await sent(() => changed(change(7)))).toBe(1);
    await respond(answer);
    expect(await sent(() => changed(change(7)))).toBe(0);
  });
});

it('shows a kept response until the new one is there, but none of a record that has changed since', async () => {
  const { leave, open, changed, respond, shown, requests } = await openPage();
  leave();
  const second = open();
  expect(shown()).toBe('Physics');
  await respond(programs('Physics 2'));
  expect([shown(), requests()]).toEqual(['Physics 2', 2]);

  second.unsubscribe();
  changed(change(1));
  open();
  await respond(programs('Physics 3'));
  expect([shown(), requests()]).toEqual(['Physics 3', 3]);
});

it('sends a query again for as long as the service cannot be reached', async () => {
  const { refetchAll, fail, respond, requests, shown, settle } = await openPage();
  refetchAll();
  await fail();
  await settle();
  await fail();
  await settle();
  await respond(programs('Physics again'));
  await settle();
  expect([shown(), requests()]).toEqual(['Physics again', 4]);
});

it('shows the response that it has where it is opened anew, while the service cannot be reached', async () => {
  const { open, refetchAll, fail, shown } = await openPage();
  refetchAll();
  await fail();
  expect(shown()).toBeUndefined();
  open();
  expect(shown()).toBe('Physics');
});

it('sends failed queries again all at once, less and less often, and at once when told that the service is back', async () => {
  const { client, refetchAll, retry, fail, requests } = await openPage();
  client.query(countOf, {}).subscribe(() => undefined);
  await fail();
  refetchAll();
  const sentAfter = async (ms: number): Promise<number> => {
    const before = requests();
    await vi.advanceTimersByTimeAsync(ms);
    const sent = requests() - before;
    for (let times = 0; times < sent; times += 1) await fail();
    return sent;
  };
  await fail();
  await fail();
  expect(await sentAfter(3_000)).toBe(2);
  expect([await sentAfter(5_900), await sentAfter(200)]).toEqual([0, 2]);
  let sent = 0;
  for (let seconds = 0; seconds < 120; seconds += 1) sent += await sentAfter(1_000);
  expect(sent).toBeLessThanOrEqual(12);
  retry();
  expect(await sentAfter(0)).toBe(2);
});
