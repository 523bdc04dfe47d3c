import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../src/operations/idempotency.ts';

const of = (json: string): string => fingerprintOf(JSON.parse(json));

describe('the fingerprint of a request body', () => {
  it.each([
    ['whatever the order of members', '{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}'],
    ['whatever the blanks', '{"a":[1,2]}', ' { "a" : [ 1 , 2 ] } '],
    ['however a number is written', '[1,100,0]', '[1.0,1e2,-0]'],
    ['however a character is written', '"\u00e9"', '"\\u00e9"'],
  ])('is the same %s', (_what, first, second) => {
    expect(of(first)).toBe(of(second));
  });

  it.each([
    ['an order of items', '[1,2]', '[2,1]'],
    ['a number and its text', '{"a":1}', '{"a":"1"}'],
    ['null and absence', '{"a":null}', '{}'],
    ['null and its text', '[null]', '["null"]'],
    ['an object and a list', '{}', '[]'],
    ['where a list ends', '[[1],2]', '[[1,2]]'],
    ['where a list begins', '[1,[2]]', '[[1,2]]'],
    ['where a name ends', '{"a":"b"}', '{"a:b":""}'],
    ['text that looks like structure', '["1,","2"]', '["1","2"]'],
    ['a member named __proto__', '{"__proto__":1}', '{}'],
    ['a number beyond range and null', '[1e999]', '[null]'],
  ])('differs for %s', (_what, first, second) => {
    expect(of(first)).not.toBe(of(second));
  });

  it('handles a million nested brackets', () => {
    expect(of(`${'['.repeat(500_000)}${']'.repeat(500_000)}`)).toHaveLength(64);
  });
});
