import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayPrefixOf, hashApiKey } from '../../../src/accounts/keys/api-key.ts';
import { isWellFormedApiKey, makeApiKey } from '../../../src/validation/api-key-form.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'uas_';

describe('makeApiKey', () => {
  it('returns uas_ followed by 38 base62 characters', () => {
    for (let count = 0; count < 100; count += 1) expect(makeApiKey()).toMatch(/^uas_[0-9A-Za-z]{38}$/);
  });

  it('returns unique keys that use the whole alphabet', () => {
    const keys = Array.from({ length: 500 }, () => makeApiKey());
    expect(new Set(keys).size).toBe(500);
    const used = new Set(keys.flatMap((key) => [...key.slice(prefix.length, -6)]));
    expect([...used].sort()).toEqual([...base62]);
  });

  it('returns well-formed keys', () => {
    for (let count = 0; count < 100; count += 1) expect(isWellFormedApiKey(makeApiKey())).toBe(true);
  });
});

describe('a mistyped key', () => {
  it('is rejected when any one character after the prefix differs', () => {
    const key = makeApiKey();
    for (let at = prefix.length; at < key.length; at += 1) {
      for (const character of `${base62}_-. é\n\u0000`) {
        if (character === key[at]) continue;
        const other = key.slice(0, at) + character + key.slice(at + 1);
        expect([other, isWellFormedApiKey(other)]).toEqual([other, false]);
      }
    }
  });

  it('is rejected when characters are lost, doubled or swapped', () => {
    const index = fc.integer({ min: prefix.length, max: prefix.length + 37 });
    fc.assert(
      fc.property(index, index, (first, second) => {
        const key = makeApiKey();
        const [a = '', b = ''] = [key[first], key[second]];
        expect(isWellFormedApiKey(key.slice(0, first))).toBe(false);
        expect(isWellFormedApiKey(key.slice(0, first) + a + key.slice(first))).toBe(false);
        expect(isWellFormedApiKey(key.slice(0, first) + key.slice(first + 1))).toBe(false);
        const swapped = [...key];
        [swapped[first], swapped[second]] = [b, a];
        expect(isWellFormedApiKey(swapped.join(''))).toBe(a === b);
      }),
    );
  });

  it('is rejected when it is the prefix alone, or has extra characters', () => {
    const key = makeApiKey();
    for (const other of [prefix, `${key}\n`, `${key} `, `${key}${key}`, `${prefix}${key}`]) {
      expect(isWellFormedApiKey(other)).toBe(false);
    }
  });
});

describe('the checksum of a key', () => {
  it('is stable, so that issued keys keep working', () => {
    expect(isWellFormedApiKey('uas_0000000000000000000000000000000023fFwL')).toBe(true);
  });

  it('does not validate keys that are too short or have other characters', () => {
    for (const text of ['uas_00000000000000000000000000000000NsUvD', 'uas_3j0oFR', `uas_${'-'.repeat(32)}2ajnrD`]) {
      expect(isWellFormedApiKey(text)).toBe(false);
    }
  });
});

describe('a key without the prefix', () => {
  it('can be any text, so that operators can choose their own', () => {
    for (const key of ['x', 'UAS_x', 'uas-x', ' uas_', 'a'.repeat(200), 'é', ''])
      expect(isWellFormedApiKey(key)).toBe(true);
  });
});

describe('what is stored of a key', () => {
  it('is its SHA-256', () => {
    const key = makeApiKey();
    expect(hashApiKey(key)).toEqual(createHash('sha256').update(key, 'utf8').digest());
    expect(hashApiKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('is its first ten characters, for display', () => {
    const key = makeApiKey();
    expect(displayPrefixOf(key)).toBe(key.slice(0, 10));
    expect(displayPrefixOf(key)).toHaveLength(10);
  });
});
