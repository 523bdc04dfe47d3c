import { Client, type Exchange, type ExecutionResult, fetchExchange, gql, subscriptionExchange } from '@urql/core';
import { expect, it, vi } from 'vitest';
import { catalogCache } from './cache.ts';
import { rotatingCache } from './cache-rotation.ts';
import { CatalogChangedDocument } from './documents.generated.ts';

const document = gql`
  query {
    program(id: 1) {
      id
      name
    }
  }
`;

const renamed = (name: string): ExecutionResult => ({
  data: {
    catalogChanged: {
      __typename: 'CatalogChange',
      cursor: '1',
      action: 'UPDATE',
      kind: 'PROGRAM',
      at: '',
      programId: 1,
      branchId: null,
      previousProgramId: null,
      program: { __typename: 'Program', id: 1, code: null, name, duration: '', updatedAt: '', version: 1 },
      branch: null,
    },
  },
});

/** A page that shows the name of a program, over a cache that is replaced every three events. */
function openPage(mayRotate = () => true) {
  const caches = vi.fn<() => Exchange>(catalogCache);
  const stopped = vi.fn();
  const responses: ((response: Response) => void)[] = [];
  let send: (result: ExecutionResult) => void = () => undefined;
  const client = new Client({
    url: 'http://127.0.0.1/graphql',
    preferGetMethod: false,
    fetch: () => new Promise((resolve) => responses.push(resolve)),
    exchanges: [
      rotatingCache({ create: caches, eventsPerCache: 3, mayRotate }),
      subscriptionExchange({
        forwardSubscription: () => ({
          subscribe: (sink) => {
            send = (result) => sink.next(result);
            return { unsubscribe: stopped };
          },
        }),
      }),
      fetchExchange,
    ],
  });
  client.subscription(CatalogChangedDocument, {}).subscribe(() => undefined);
  const shown: unknown[] = [];
  const { unsubscribe } = client.query(document, {}).subscribe(({ data }) => shown.push(data?.program.name));
  return {
    leave: unsubscribe,
    event: (result: ExecutionResult) => send(result),
    requests: () => responses.length,
    respond: (name: string) => {
      const body = JSON.stringify({ data: { program: { __typename: 'Program', id: 1, name } } });
      responses.at(-1)?.(new Response(body, { headers: { 'content-type': 'application/json' } }));
    },
    caches,
    stopped,
    shown: () => shown.at(-1),
    everShown: () => shown,
  };
}

it('refetches active queries into a new cache after so many events, and keeps the subscription', async () => {
  const { event, requests, respond, caches, stopped, shown, everShown } = openPage();
  await vi.waitFor(() => expect(requests()).toBe(1));
  respond('Physics');
  await vi.waitFor(() => expect(shown()).toBe('Physics'));
  for (const name of ['Physics 1', 'Physics 2', 'Physics 3']) event(renamed(name));
  await vi.waitFor(() => expect(shown()).toBe('Physics 3'));
  await vi.waitFor(() => expect(requests()).toBe(2));
  expect(caches).toHaveBeenCalledTimes(2);
  respond('Physics 4');
  await vi.waitFor(() => expect(shown()).toBe('Physics 4'));
  event(renamed('Physics 5'));
  await vi.waitFor(() => expect(shown()).toBe('Physics 5'));
  expect(stopped).not.toHaveBeenCalled();
  expect(everShown()).not.toContain(undefined);
});

it('keeps a request in flight while the cache is replaced', async () => {
  const { event, requests, respond, shown } = openPage();
  await vi.waitFor(() => expect(requests()).toBe(1));
  for (const name of ['Physics 1', 'Physics 2', 'Physics 3']) event(renamed(name));
  respond('Physics 3');
  await vi.waitFor(() => expect(shown()).toBe('Physics 3'));
});

it('does not refetch queries that nobody uses any more', async () => {
  const { event, leave, requests, respond, caches, shown } = openPage();
  await vi.waitFor(() => expect(requests()).toBe(1));
  respond('Physics');
  await vi.waitFor(() => expect(shown()).toBe('Physics'));
  leave();
  for (const name of ['Physics 1', 'Physics 2', 'Physics 3']) event(renamed(name));
  await vi.waitFor(() => expect(caches).toHaveBeenCalledTimes(2));
  expect(requests()).toBe(1);
});

it('waits until the screen may be refetched', async () => {
  let isScrolled = true;
  const { event, requests, respond, caches, shown } = openPage(() => !isScrolled);
  await vi.waitFor(() => expect(requests()).toBe(1));
  respond('Physics');
  await vi.waitFor(() => expect(shown()).toBe('Physics'));
  for (const name of ['Physics 1', 'Physics 2', 'Physics 3', 'Physics 4']) event(renamed(name));
  await vi.waitFor(() => expect(shown()).toBe('Physics 4'));
  expect(caches).toHaveBeenCalledTimes(1);

  isScrolled = false;
  event(renamed('Physics 5'));
  await vi.waitFor(() => expect(requests()).toBe(2));
  expect(caches).toHaveBeenCalledTimes(2);
});
