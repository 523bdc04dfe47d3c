import { Client, fetchExchange, gql } from '@urql/core';
import { expect, it } from 'vitest';
import { catalogCache } from './cache.ts';
import { isDone } from './done.ts';
import { codeOf } from './errors.ts';

/** The result of a mutation, through the cache. */
function resultOf(response: object) {
  const client = new Client({
    url: 'http://127.0.0.1/graphql',
    preferGetMethod: false,
    fetch: async () => new Response(JSON.stringify(response), { headers: { 'content-type': 'application/json' } }),
    exchanges: [catalogCache(), fetchExchange],
  });
  const document = gql`
    mutation {
      deleteUser(id: 1) {
        __typename
        id
      }
    }
  `;
  return client.mutation(document, {}).toPromise();
}

it('tells what a mutation did from a field that failed, which is null with an error', async () => {
  const done = await resultOf({ data: { deleteUser: { __typename: 'User', id: 1 } } });
  expect([isDone(done.data), done.error]).toEqual([true, undefined]);

  const errors = [{ message: 'User 1 does not exist.', path: ['deleteUser'], extensions: { code: 'NOT_FOUND' } }];
  const failed = await resultOf({ data: { deleteUser: null }, errors });
  expect(isDone(failed.data)).toBe(false);
  expect(failed.error && codeOf(failed.error)).toBe('NOT_FOUND');
});

it('has nothing to go on with when the whole document was rolled back', async () => {
  const errors = [{ message: 'Internal server error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }];
  expect(isDone((await resultOf({ data: null, errors })).data)).toBe(false);
});
