import { Client, CombinedError, fetchExchange, gql } from '@urql/core';
import { describe, expect, it } from 'vitest';
import { codeOf, describeError, isDone, isRecordMissing, isTemporary, problemsOf } from './errors.ts';
import { liveQueries } from './live-queries.ts';

const errorOf = (code: string, message: string, more: object = {}): CombinedError =>
  new CombinedError({ graphQLErrors: [{ message, extensions: { code, ...more } }] });

describe('an error', () => {
  it('has the problems of the service by field', () => {
    const problem = { field: 'name', rule: 'TOO_LONG', details: { max: 1000 }, message: 'name is too long' };
    const errors = { name: ['name is too long'], after: ['after must be a cursor'] };
    const error = errorOf('VALIDATION_FAILED', 'Validation failed.', { errors, problems: [problem] });

    const said = 'It must have at most 1,000 characters.';
    expect([codeOf(error), problemsOf(error)]).toEqual([
      'VALIDATION_FAILED',
      { name: [said], after: ['after must be a cursor'] },
    ]);
    expect(describeError(error)).toBe(`${said} after must be a cursor`);
  });

  it('without a response is one of the network, and temporary', () => {
    const error = new CombinedError({ networkError: new TypeError('Failed to fetch') });

    expect([codeOf(error), isTemporary(error)]).toEqual(['NETWORK', true]);
    expect(describeError(error)).toContain('cannot be reached');
  });

  it('of a service that is busy has its reason', () => {
    const running = errorOf('UNAVAILABLE', 'Another import is running.', { rule: 'IMPORT_RUNNING', details: {} });
    expect(describeError(running)).toBe('Another import is running. Try again when it has finished.');
    expect(describeError(errorOf('UNAVAILABLE', 'The service is overloaded.'))).toContain('busy or restarting');
  });

  it('of a later service, with a rule that has no text here, has the message of the service', () => {
    const error = errorOf('CONFLICT', 'The moon is full.', { rule: 'FULL_MOON', details: {} });
    expect(describeError(error)).toBe('The moon is full.');
  });

  it('of a missing program or branch is one of the record, and of a missing user is not', () => {
    const missing = (kind: string) => errorOf('NOT_FOUND', 'Missing.', { rule: 'MISSING', details: { kind, id: '7' } });
    expect(['Program', 'Branch', 'User'].map((kind) => isRecordMissing(missing(kind)))).toEqual([true, true, false]);
  });

  it('of a missing permission names it', () => {
    const rule = { rule: 'NOT_PERMITTED', details: { permission: 'programs:write' } };
    const error = errorOf('FORBIDDEN', 'You need the permission programs:write.', rule);

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
