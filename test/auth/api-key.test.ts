import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayPrefixOf, hashApiKey, isWellFormedApiKey, makeApiKey } from '../../src/auth/api-key.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'uas_';

describe('a key that is made', () => {
  it('is uas_, 32 random characters and a checksum of 6, in base62', () => {
    for (let count = 0; count < 100; count += 1) expect(makeApiKey()).toMatch(/^uas_[0-9A-Za-z]{38}$/);
  });

  it('is never made twice, and uses every character', () => {
    const keys = Array.from({ length: 500 }, () => makeApiKey());
    expect(new Set(keys).size).toBe(500);
    const used = new Set(keys.flatMap((key) => [...key.slice(prefix.length, -6)]));
    expect([...used].sort()).toEqual([...base62]);
  });

  it('can be a key', () => {
    for (let count = 0; count < 100; count += 1) expect(isWellFormedApiKey(makeApiKey())).toBe(true);
  });
});

describe('a key with a slip of the pen', () => {
  it('is refused when any one character after the prefix is another', () => {
    const key = makeApiKey();
    for (let at = prefix.length; at < key.length; at += 1) {
      for (const character of `${base62}_-. é\n\u0000`) {
        if (character === key[at]) continue;
        const other = key.slice(0, at) + character + key.slice(at + 1);
        expect([other, isWellFormedApiKey(other)]).toEqual([other, false]);
      }
    }
  });

  it('is refused when characters are lost, doubled or exchanged', () => {
    const place = fc.integer({ min: prefix.length, max: prefix.length + 37 });
    fc.assert(
      fc.property(place, place, (first, second) => {
        const key = makeApiKey();
        const [a = '', b = ''] = [key[first], key[second]];
        expect(isWellFormedApiKey(key.slice(0, first))).toBe(false);
        expect(isWellFormedApiKey(key.slice(0, first) + a + key.slice(first))).toBe(false);
        expect(isWellFormedApiKey(key.slice(0, first) + key.slice(first + 1))).toBe(false);
        const exchanged = [...key];
        [exchanged[first], exchanged[second]] = [b, a];
        expect(isWellFormedApiKey(exchanged.join(''))).toBe(a === b);
      }),
    );
  });

  it('is refused when it is the prefix alone, or has something around it', () => {
    const key = makeApiKey();
    for (const other of [prefix, `${key}\n`, `${key} `, `${key}${key}`, `${prefix}${key}`]) {
      expect(isWellFormedApiKey(other)).toBe(false);
    }
  });
});

describe('the checksum of a key', () => {
  it('stays what it is, or the keys that are out there would stop working', () => {
    expect(isWellFormedApiKey('uas_0000000000000000000000000000000023fFwL')).toBe(true);
  });

  it('does not make a key of what is too short, or has other characters', () => {
    for (const text of ['uas_00000000000000000000000000000000NsUvD', 'uas_3j0oFR', `uas_${'-'.repeat(32)}2ajnrD`]) {
      expect(isWellFormedApiKey(text)).toBe(false);
    }
  });
});

describe('a key without the prefix', () => {
  it('can be any text: an operator may bring a key of their own', () => {
    for (const key of ['x', 'UAS_x', 'uas-x', ' uas_', 'a'.repeat(200), 'é', ''])
      expect(isWellFormedApiKey(key)).toBe(true);
  });
});

describe('what is kept of a key', () => {
  it('is its SHA-256', () => {
    const key = makeApiKey();
    expect(hashApiKey(key)).toEqual(createHash('sha256').update(key, 'utf8').digest());
    expect(hashApiKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('is its first ten characters, for lists', () => {
    const key = makeApiKey();
    expect(displayPrefixOf(key)).toBe(key.slice(0, 10));
    expect(displayPrefixOf(key)).toHaveLength(10);
  });
});
