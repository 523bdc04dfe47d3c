import { CombinedError } from '@urql/core';
import { describe, expect, it } from 'vitest';
import { codeOf, describeError, isTemporary, problemsOf } from './errors.ts';

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
