import { Client, type ExecutionResult, subscriptionExchange } from '@urql/core';
import { type Cache, cacheExchange } from '@urql/exchange-graphcache';
import { afterEach, expect, it, vi } from 'vitest';
import { cacheOptions } from './cache.ts';
import { CatalogChangedDocument } from './documents.generated.ts';

afterEach(() => void vi.unstubAllEnvs());

const created = (id: number): ExecutionResult => {
  const program = { __typename: 'Program', id, name: `Program ${id}`, duration: '4 Years', code: null, version: 1 };
  const change = {
    __typename: 'CatalogChange',
    cursor: String(id),
    action: 'CREATE',
    kind: 'PROGRAM',
    at: '',
    branchId: null,
    previousProgramId: null,
  };
  return {
    data: { catalogChanged: { ...change, programId: id, branch: null, program: { ...program, updatedAt: '' } } },
  };
};

it('frees the records of events that are on no screen', async () => {
  // Under `test` the cache frees nothing at all.
  vi.stubEnv('NODE_ENV', 'production');
  let send: ((result: ExecutionResult) => void) | undefined;
  let isFirstKept: boolean | undefined;
  const { updates } = cacheOptions;
  const catalogChanged = (result: unknown, given: unknown, cache: Cache): void => {
    updates.Subscription.catalogChanged(result, given, cache);
    isFirstKept = cache.resolve({ __typename: 'Program', id: 1 }, 'name') !== undefined;
  };
  const client = new Client({
    url: 'http://127.0.0.1/graphql',
    preferGetMethod: false,
    exchanges: [
      cacheExchange({ ...cacheOptions, updates: { ...updates, Subscription: { catalogChanged } } }),
      subscriptionExchange({
        forwardSubscription: () => ({
          subscribe: (sink) => {
            send = (result) => sink.next(result);
            return { unsubscribe: () => undefined };
          },
        }),
      }),
    ],
  });
  const { unsubscribe } = client.subscription(CatalogChangedDocument, {}).subscribe(() => undefined);

  await vi.waitFor(() => expect(send).toBeDefined());
  send?.(created(1));
  expect(isFirstKept).toBe(true);
  let id = 1;
  await vi.waitFor(() => {
    id += 1;
    send?.(created(id));
    expect(isFirstKept).toBe(false);
  });
  unsubscribe();
});
