import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { jitEligibleOperation } from '../../src/graphql/execution/jit-eligibility.ts';

const isCompilable = (text: string): boolean => jitEligibleOperation(parse(text)) !== undefined;

describe('code is made', () => {
  it.each([
    '{ ping { status } }',
    'query Program($id: Int!) { program(id: $id) { id branches { id ...Rest } } } fragment Rest on Branch { name }',
    '{ programs(page: 2, filter: { hasBranches: true, ids: [1, 2] }, orderBy: NAME_ASC) { __typename count } }',
    'query ($search: String, $size: Int = 5) { programs(size: $size, filter: { search: $search }) { count } }',
  ])('of %s', (text) => {
    expect(isCompilable(text)).toBe(true);
  });
});

describe('nothing that its author is free to write gets into code:', () => {
  const magic = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';
  it.each([
    ['a text', '{ programs(filter: { search: "x" }) { count } }'],
    ['a text that would be run', `{ programs(filter: { search: "${magic}process.exit()" }) { count } }`],
    ['a text over several lines', '{ programs(filter: { search: """x""" }) { count } }'],
    ['a text that is a default', 'query ($search: String = "x") { programs(filter: { search: $search }) { count } }'],
    ['a text in a list', '{ programs(filter: { ids: [1, "2"] }) { count } }'],
    ['a name for a result', '{ mine: ping { status } }'],
    ['a name for a result, in a fragment', '{ ...F } fragment F on Query { mine: ping { status } }'],
    ['the name of a prototype', 'query ($__proto__: Int!) { program(id: $__proto__) { id } }'],
    ['a directive', 'query ($v: Boolean!) { ping @include(if: $v) { status } }'],
    ['a question about the schema', '{ __schema { types { name } } }'],
    ['a change', 'mutation { deleteProgram(id: 1) { id } }'],
    ['one of two operations', 'query A { ping { status } } query B { ping { status } }'],
    ['no operation', 'fragment F on Query { ping { status } }'],
    ['too much', `{ ${'ping { status } '.repeat(500)} }`],
  ])('not %s', (_what, text) => {
    expect(isCompilable(text)).toBe(false);
  });
});
