import { Client, type ExecutionResult, fetchExchange, gql, makeOperation, subscriptionExchange } from '@urql/core';
import { afterEach, expect, it, vi } from 'vitest';
import { catalogCache } from './cache.ts';
import { CatalogChangedDocument } from './documents.generated.ts';
import { refetchStaleResponses } from './refetch.ts';

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
      cursor: '1',
      action: 'DELETE',
      kind: 'BRANCH',
      at: '',
      programId: 1,
      branchId,
      previousProgramId: null,
      program: null,
      branch: null,
    },
  },
});

/** A page that shows a list of branches, over requests and events that the test decides on. */
function openPage(isStreamOpen = false) {
  const responses: ((response: Response) => void)[] = [];
  let send: (result: ExecutionResult) => void = () => undefined;
  const stale = refetchStaleResponses((query) =>
    client.reexecuteOperation(makeOperation('query', query, { ...query.context, requestPolicy: 'network-only' })),
  );
  const client = new Client({
    url: 'http://127.0.0.1/graphql',
    preferGetMethod: false,
    fetch: () => new Promise((resolve) => responses.push(resolve)),
    exchanges: [
      catalogCache(),
      stale.exchange,
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
  if (isStreamOpen) stale.streamOpened();
  let shown: unknown;
  client.query(document, {}).subscribe(({ data }) => {
    shown = data?.branchesConnection.nodes.map(({ id }: { id: number }) => id);
  });
  return {
    streamOpened: stale.streamOpened,
    event: (result: ExecutionResult) => send(result),
    requests: () => responses.length,
    respond: (...ids: readonly number[]) => {
      const body = JSON.stringify({ data: { branchesConnection: page(...ids) } });
      responses.at(-1)?.(new Response(body, { headers: { 'content-type': 'application/json' } }));
    },
    shown: () => shown,
  };
}

it('refetches a query that an event arrived for while it was in flight', async () => {
  const { event, requests, respond, shown } = openPage(true);
  await vi.waitFor(() => expect(requests()).toBe(1));
  event(deleted(2));
  respond(1, 2);
  await vi.waitFor(() => expect(requests()).toBe(2));
  respond(1);
  await vi.waitFor(() => expect(shown()).toEqual([1]));
});

it('refetches a query from before the stream was live', async () => {
  const { streamOpened, requests, respond, shown } = openPage();
  await vi.waitFor(() => expect(requests()).toBe(1));
  respond(1, 2);
  await vi.waitFor(() => expect(shown()).toEqual([1, 2]));
  streamOpened();
  await vi.waitFor(() => expect(requests()).toBe(2));
  respond(1);
  await vi.waitFor(() => expect(shown()).toEqual([1]));
});

it('refetches a query that was in flight when the stream opened', async () => {
  const { streamOpened, requests, respond } = openPage();
  await vi.waitFor(() => expect(requests()).toBe(1));
  streamOpened();
  respond(1, 2);
  await vi.waitFor(() => expect(requests()).toBe(2));
});

it('reads once when no event races the query', async () => {
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
