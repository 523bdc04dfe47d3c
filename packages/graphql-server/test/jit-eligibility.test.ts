import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { jitEligibleOperation } from '../src/jit.ts';

const isEligible = (text: string): boolean => jitEligibleOperation(parse(text)) !== undefined;

describe('an operation is eligible for the JIT', () => {
  it.each([
    '{ ping { status } }',
    'query Book($id: Int!) { book(id: $id) { id authors { id ...Rest } } } fragment Rest on Author { name }',
    '{ books(page: 2, filter: { hasAuthors: true, ids: [1, 2] }, orderBy: NAME_ASC) { __typename count } }',
    'query ($search: String, $size: Int = 5) { books(size: $size, filter: { search: $search }) { count } }',
  ])('when it is %s', (text) => {
    expect(isEligible(text)).toBe(true);
  });
});

describe('an operation is not eligible for the JIT with', () => {
  const magic = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';
  it.each([
    ['a string literal', '{ books(filter: { search: "x" }) { count } }'],
    ['a string literal that would be run as code', `{ books(filter: { search: "${magic}process.exit()" }) { count } }`],
    ['a block string', '{ books(filter: { search: """x""" }) { count } }'],
    ['a string literal as a default', 'query ($search: String = "x") { books(filter: { search: $search }) { count } }'],
    ['a string literal in a list', '{ books(filter: { ids: [1, "2"] }) { count } }'],
    ['an alias', '{ mine: ping { status } }'],
    ['an alias in a fragment', '{ ...F } fragment F on Query { mine: ping { status } }'],
    ['a variable named __proto__', 'query ($__proto__: Int!) { book(id: $__proto__) { id } }'],
    ['a directive', 'query ($v: Boolean!) { ping @include(if: $v) { status } }'],
    ['introspection', '{ __schema { types { name } } }'],
    ['a mutation', 'mutation { deleteBook(id: 1) { id } }'],
    ['two operations in its document', 'query A { ping { status } } query B { ping { status } }'],
    ['no operation', 'fragment F on Query { ping { status } }'],
    ['1,000 fields', `{ ${'ping { status } '.repeat(500)} }`],
  ])('%s', (_what, text) => {
    expect(isEligible(text)).toBe(false);
  });
});
