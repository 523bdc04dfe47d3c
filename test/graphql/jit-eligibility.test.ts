import { jitEligibleOperation } from '@service/graphql-server/execution/jit-eligibility';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';

const isEligible = (text: string): boolean => jitEligibleOperation(parse(text)) !== undefined;

describe('an operation is eligible for the JIT', () => {
  it.each([
    '{ ping { status } }',
    'query Program($id: Int!) { program(id: $id) { id branches { id ...Rest } } } fragment Rest on Branch { name }',
    '{ programs(page: 2, filter: { hasBranches: true, ids: [1, 2] }, orderBy: NAME_ASC) { __typename count } }',
    'query ($search: String, $size: Int = 5) { programs(size: $size, filter: { search: $search }) { count } }',
  ])('when it is %s', (text) => {
    expect(isEligible(text)).toBe(true);
  });
});

describe('an operation is not eligible for the JIT with', () => {
  const magic = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';
  it.each([
    ['a string literal', '{ programs(filter: { search: "x" }) { count } }'],
    [
      'a string literal that would be run as code',
      `{ programs(filter: { search: "${magic}process.exit()" }) { count } }`,
    ],
    ['a block string', '{ programs(filter: { search: """x""" }) { count } }'],
    [
      'a string literal as a default',
      'query ($search: String = "x") { programs(filter: { search: $search }) { count } }',
    ],
    ['a string literal in a list', '{ programs(filter: { ids: [1, "2"] }) { count } }'],
    ['an alias', '{ mine: ping { status } }'],
    ['an alias in a fragment', '{ ...F } fragment F on Query { mine: ping { status } }'],
    ['a variable named __proto__', 'query ($__proto__: Int!) { program(id: $__proto__) { id } }'],
    ['a directive', 'query ($v: Boolean!) { ping @include(if: $v) { status } }'],
    ['introspection', '{ __schema { types { name } } }'],
    ['a mutation', 'mutation { deleteProgram(id: 1) { id } }'],
    ['two operations in its document', 'query A { ping { status } } query B { ping { status } }'],
    ['no operation', 'fragment F on Query { ping { status } }'],
    ['1,000 fields', `{ ${'ping { status } '.repeat(500)} }`],
  ])('%s', (_what, text) => {
    expect(isEligible(text)).toBe(false);
  });
});
