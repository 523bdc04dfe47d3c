import { Client, CombinedError, fetchExchange, gql } from '@urql/core';
import { describe, expect, it } from 'vitest';
import { codeOf, describeError, isDone, isTemporary, problemsOf } from './errors.ts';
import { liveQueries } from './live-queries.ts';

const errorOf = (code: string, message: string, more: object = {}): CombinedError =>
  new CombinedError({ graphQLErrors: [{ message, extensions: { code, ...more } }] });

describe('an error', () => {
  it('has the problems of the service by field', () => {
    const error = errorOf('VALIDATION_FAILED', 'Validation failed.', { errors: { name: ['is required'] } });

    expect([codeOf(error), problemsOf(error)]).toEqual(['VALIDATION_FAILED', { name: ['is required'] }]);
    expect(describeError(error)).toBe('is required');
  });

  it('without a response is one of the network, and temporary', () => {
    const error = new CombinedError({ networkError: new TypeError('Failed to fetch') });

    expect([codeOf(error), isTemporary(error)]).toEqual(['NETWORK', true]);
    expect(describeError(error)).toContain('cannot be reached');
  });

  it('of a service that is busy has its reason', () => {
    expect(describeError(errorOf('UNAVAILABLE', 'Another import is running.'))).toBe('Another import is running.');
    expect(describeError(errorOf('UNAVAILABLE', ''))).toContain('busy or restarting');
  });

  it('that names a permission keeps the message of the service', () => {
    const error = errorOf('FORBIDDEN', 'The permission programs:write is required.');

    expect(describeError(error)).toContain('programs:write');
    expect(isTemporary(error)).toBe(false);
  });
});

/** The result of a mutation, through the client. */
function resultOf(response: object) {
  const client = new Client({
    url: 'http://127.0.0.1/graphql',
    preferGetMethod: false,
    fetch: async () => new Response(JSON.stringify(response), { headers: { 'content-type': 'application/json' } }),
    exchanges: [liveQueries().exchange, fetchExchange],
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

it('distinguishes a mutation that succeeded from a field that failed, which is null with an error', async () => {
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
