import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { cacheScopeOf } from '../../src/doors/graphql/cache-scope.ts';
import { schema } from '../../src/doors/graphql/schema.ts';

const scopeOf = (text: string, operationName?: string) => {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  return cacheScopeOf({ schema, document, operationName });
};

describe('the cache scope of a document', () => {
  it.each([
    ['nothing', '{ ping { status } }'],
    ['nothing', '{ __typename __schema { types { name fields { name } } } }'],
    ['records', '{ program(id: 1) { name branches { name years { code } program { name } } } }'],
    ['records', 'query ($id: Int!) { one: branch(id: $id) { name } two: branch(id: 2) { name } ping { status } }'],
    ['records', '{ programs { count } }'],
    ['catalog', '{ catalogStats { programs } }'],
    ['catalog', '{ program(id: 1) { name } catalogStats { programs } }'],
    ['catalog', '{ ...both } fragment both on Query { ... on Query { catalogStats { programs } } }'],
    ['uncacheable', '{ users { name } }'],
    ['uncacheable', '{ program(id: 1) { name history { nodes { action } } } }'],
    ['uncacheable', '{ catalogStats { changesPerDay { count } } }'],
    ['uncacheable', '{ ping { status } viewer { name } }'],
    ['uncacheable', 'mutation { deleteProgram(id: 1) { name } }'],
  ])('is %s for %s', (expected, text) => {
    expect(scopeOf(text)).toBe(expected);
  });

  it('is that of the operation that is executed, not of others in its document', () => {
    const text = 'query A { ping { status } } query B { users { name } } mutation C { deleteProgram(id: 1) { name } }';
    expect(scopeOf(text, 'A')).toBe('nothing');
    expect(scopeOf(text, 'B')).toBe('uncacheable');
    expect(scopeOf(text, 'C')).toBe('uncacheable');

    const fragments = 'query A { programs { count } } query B { ...b } fragment b on Query { users { name } }';
    expect(scopeOf(fragments, 'A')).toBe('records');
    expect(scopeOf(fragments, 'B')).toBe('uncacheable');
  });

  it('is declared by every operation of Query', () => {
    const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
    const undeclared = fields.filter(({ extensions }) => extensions.operation?.scope === undefined);
    expect(undeclared.map(({ name }) => name)).toEqual([]);
  });

  it('is uncacheable for every operation of administrators', () => {
    const operations = Object.values(schema.getQueryType()?.getFields() ?? {}).map(
      (field) => field.extensions.operation,
    );
    const admin = operations.filter((operation) => operation?.access === 'admin');
    expect(admin.filter((operation) => operation?.scope !== 'uncacheable')).toEqual([]);
  });
});
