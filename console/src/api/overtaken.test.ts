import { Client, type ExecutionResult, fetchExchange, gql, makeOperation, subscriptionExchange } from '@urql/core';
import { afterEach, expect, it, vi } from 'vitest';
import { catalogCache } from './cache.ts';
import { CatalogChangedDocument } from './documents.generated.ts';
import { createOvertakenReads } from './overtaken.ts';

afterEach(() => void vi.useRealTimers());

const document = gql`
  query {
    branchesConnection(first: 10) {
      nodes {
        id
      }
    }
  }
`;

const page = (...ids: readonly number[]) => ({
  __typename: 'BranchConnection',
  nodes: ids.map((id) => ({ __typename: 'Branch', id })),
});

const deleted = (branchId: number): ExecutionResult => ({
  data: {
    catalogChanged: {
      __typename: 'CatalogChange',
      id: '1',
      action: 'DELETED',
      kind: 'BRANCH',
      at: '',
      programId: 1,
      branchId,
      program: null,
      branch: null,
    },
  },
});

/** A page that shows a list of branches, over requests and events that the test decides on. */
function openPage(haveEventsBegun = false, haveBegun = () => false) {
  const responses: ((response: Response) => void)[] = [];
  let send: (result: ExecutionResult) => void = () => undefined;
  const overtaken = createOvertakenReads({
    readAgain: (query) =>
      client.reexecuteOperation(makeOperation('query', query, { ...query.context, requestPolicy: 'network-only' })),
    haveBegun,
  });
  const client = new Client({
    url: 'http://127.0.0.1/graphql',
    preferGetMethod: false,
    fetch: () => new Promise((resolve) => responses.push(resolve)),
    exchanges: [
      catalogCache(),
      overtaken.exchange,
      subscriptionExchange({
        forwardSubscription: () => ({
          subscribe: (sink) => {
            send = (result) => sink.next(result);
            return { unsubscribe: () => undefined };
          },
        }),
      }),
      fetchExchange,
    ],
  });
  client.subscription(CatalogChangedDocument, {}).subscribe(() => undefined);
  if (haveEventsBegun) overtaken.eventsBegan();
  let shown: unknown;
  client.query(document, {}).subscribe(({ data }) => {
    shown = data?.branchesConnection.nodes.map(({ id }: { id: number }) => id);
  });
  return {
    eventsBegin: overtaken.eventsBegan,
    event: (result: ExecutionResult) => send(result),
    requests: () => responses.length,
    respond: (...ids: readonly number[]) => {
      const body = JSON.stringify({ data: { branchesConnection: page(...ids) } });
      responses.at(-1)?.(new Response(body, { headers: { 'content-type': 'application/json' } }));
    },
    shown: () => shown,
  };
}

it('reads again what a change overtook on its way', async () => {
  const { event, requests, respond, shown } = openPage(true);
  await vi.waitFor(() => expect(requests()).toBe(1));
  event(deleted(2));
  respond(1, 2);
  await vi.waitFor(() => expect(requests()).toBe(2));
  respond(1);
  await vi.waitFor(() => expect(shown()).toEqual([1]));
});

it('reads again what was read before the events began', async () => {
  const { eventsBegin, requests, respond, shown } = openPage();
  await vi.waitFor(() => expect(requests()).toBe(1));
  respond(1, 2);
  await vi.waitFor(() => expect(shown()).toEqual([1, 2]));
  eventsBegin();
  await vi.waitFor(() => expect(requests()).toBe(2));
  respond(1);
  await vi.waitFor(() => expect(shown()).toEqual([1]));
});

it('reads once what was read after the events began, though they are received later', async () => {
  vi.useFakeTimers();
  const { eventsBegin, requests, respond, shown } = openPage(false, () => true);
  await vi.waitFor(() => expect(requests()).toBe(1));
  respond(1, 2);
  await vi.waitFor(() => expect(shown()).toEqual([1, 2]));
  eventsBegin(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests()).toBe(1);
});

it.each([
  ['that has begun since', false, true],
  ['that took the place of one that was lost', true, false],
])('reads again what was sent before an event stream %s', async (_which, hadBegun, areThose) => {
  const { eventsBegin, requests, respond } = openPage(false, () => hadBegun);
  await vi.waitFor(() => expect(requests()).toBe(1));
  eventsBegin(areThose);
  respond(1, 2);
  await vi.waitFor(() => expect(requests()).toBe(2));
});

it('reads once what no change overtakes', async () => {
  vi.useFakeTimers();
  const { event, requests, respond, shown } = openPage(true);
  await vi.waitFor(() => expect(requests()).toBe(1));
  respond(1, 2);
  await vi.waitFor(() => expect(shown()).toEqual([1, 2]));
  event(deleted(2));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown()).toEqual([1]);
  expect(requests()).toBe(1);
});
