import { describe, expect, it } from 'vitest';
import { readIdempotencyKey } from '../../src/requests/idempotency-key.ts';

const problem = 'Idempotency-Key must be 1 to 255 visible ASCII characters, quoted or bare.';

describe('the header Idempotency-Key', () => {
  it.each([
    ['a bare key', 'abc', 'abc'],
    ['the same key in quotes', '"abc"', 'abc'],
    ['one character', '!', '!'],
    ['the last visible character', '~', '~'],
    ['a UUID', '8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['255 characters', 'k'.repeat(255), 'k'.repeat(255)],
    ['255 characters in quotes', `"${'k'.repeat(255)}"`, 'k'.repeat(255)],
    ['255 quotes in quotes', `"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
    ['an escaped quote and an escaped backslash', String.raw`"a\"b\\c"`, String.raw`a"b\c`],
    ['quotes and backslashes in a bare key', String.raw`a"b\c"`, String.raw`a"b\c"`],
    ['commas, colons, semicolons and equals signs', 'a,b:c;d=e', 'a,b:c;d=e'],
  ])('is parsed from %s', (_what, header, key) => {
    expect(readIdempotencyKey(header)).toEqual({ key, problems: {} });
  });

  it.each([
    ['nothing', ''],
    ['nothing in quotes', '""'],
    ['a space', 'a b'],
    ['a space in quotes', '"a b"'],
    ['a tab', 'a\tb'],
    ['a delete character', 'a\x7f'],
    ['a letter beyond ASCII', 'clé'],
    ['256 characters', 'k'.repeat(256)],
    ['256 characters in quotes', `"${'k'.repeat(256)}"`],
    ['an unclosed quote', '"abc'],
    ['a quote alone', '"'],
    ['a quote that is only closed by an escaped one', String.raw`"abc\"`],
    ['an escape of another character', String.raw`"a\bc"`],
    ['a quote inside quotes', '"a"b"'],
    ['parameters', '"abc";a=1'],
    ['two headers, as Node joins them', 'abc, abd'],
    ['two quoted headers', '"abc", "abd"'],
  ])('is rejected with %s', (_what, header) => {
    expect(readIdempotencyKey(header)).toEqual({ problems: { 'Idempotency-Key': [problem] } });
  });

  it.each([[undefined], [null]])('is optional (%s)', (header) => {
    expect(readIdempotencyKey(header)).toEqual({ problems: {} });
  });
});
