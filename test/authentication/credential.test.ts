import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentialOf } from '../../src/accounts/authentication/authenticate.ts';

describe('credentialOf', () => {
  it.each([
    ['K', undefined],
    ['  K\t', undefined],
    ['Bearer K', undefined],
    ['bearer K', undefined],
    ['BEARER \t K  ', undefined],
    [' Bearer K', undefined],
    [undefined, 'Bearer K'],
    [undefined, '  bEARER   K '],
    ['K', 'Bearer other'],
    ['Bearer K', 'Bearer other'],
    ['K', 'Basic other'],
    ['', 'Bearer K'],
    [' \t ', 'Bearer K'],
  ])('returns K for x-api-key %j and Authorization %j', (apiKey, authorization) => {
    expect(credentialOf(apiKey, authorization)).toBe('K');
  });

  it.each([
    [undefined, undefined],
    ['', ''],
    [' ', ' '],
    ['Bearer', undefined],
    ['bearer \t ', undefined],
    ['Bearer', 'Bearer K'],
    [undefined, 'Bearer'],
    [undefined, 'Bearer  '],
    [undefined, 'K'],
    [undefined, 'Basic K'],
    [undefined, 'BearerK'],
    [undefined, 'Bearer: K'],
    [undefined, 'Token K'],
    ['', 'Digest K'],
  ])('returns nothing for x-api-key %j and Authorization %j', (apiKey, authorization) => {
    expect(credentialOf(apiKey, authorization)).toBeUndefined();
  });

  it.each([
    ['BearerK', 'BearerK'],
    ['Basic K', 'Basic K'],
    ['Bearer Bearer K', 'Bearer K'],
    ['Bearer a b', 'a b'],
    ['K, K', 'K, K'],
    ['Bearer: K', 'Bearer: K'],
  ])('returns x-api-key %j as %j, which no caller has', (apiKey, credential) => {
    expect(credentialOf(apiKey, undefined)).toBe(credential);
  });

  it('returns trimmed, non-empty text or nothing for any headers', () => {
    const text = fc.string({ unit: 'binary' });
    const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u2028') });
    const afterScheme = fc.tuple(blanks, fc.mixedCase(fc.constant('bearer')), blanks, text);
    const header = fc.option(
      fc.oneof(
        text,
        afterScheme.map((parts) => parts.join('')),
      ),
      { nil: undefined },
    );
    fc.assert(
      fc.property(header, header, (apiKey, authorization) => {
        const credential = credentialOf(apiKey, authorization);
        if (credential === undefined) return;
        expect(credential).not.toBe('');
        expect(credential).toBe(credential.trim());
        expect(`${apiKey}${authorization}`).toContain(credential);
      }),
    );
  });
});
