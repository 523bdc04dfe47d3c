import { describe, expect, it } from 'vitest';
import { parseDuration, parseLifetime } from '../../src/accounts/keys/duration.ts';

describe('parseDuration', () => {
  it.each([
    ['0s', 0],
    ['45s', 45_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['90d', 7_776_000_000],
    ['1.5h', 5_400_000],
    ['36525d', 3_155_760_000_000],
  ])('parses %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  const wrong = ['', '90', 'd', '-1d', '+1d', '1 d', '1w', '1D', '1e3s', '1.d', '.5d', '1d2h', '36526d', '١d'];
  it.each(wrong)('rejects %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('parseLifetime', () => {
  it('takes a second at least, or never', () => {
    expect(['1s', '90d', 'never'].map(parseLifetime)).toEqual([1_000, 7_776_000_000, Number.POSITIVE_INFINITY]);
    for (const text of ['', '0s', '0.5s', '0.000d', 'soon', 'Never']) expect(parseLifetime(text)).toBeUndefined();
  });
});
