import { getOperationAST, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { tabs } from '../../site/graphiql/tabs.ts';
import { schema } from '../../src/graphql/schema.ts';

describe('the tabs of GraphiQL', () => {
  it('are a list, a nested query, a create, a page by cursor and a subscription', () => {
    const names = tabs.map(({ query }) => getOperationAST(parse(query))?.name?.value);

    expect(names).toEqual(['ListPrograms', 'Nested', 'CreateProgram', 'PageByCursor', 'CatalogChanged']);
  });

  it.each(tabs)('are valid against the schema', ({ query, variables = '{}' }) => {
    const document = parse(query);
    const declared = getOperationAST(document)?.variableDefinitions?.map(({ variable }) => variable.name.value);

    expect(validate(schema, document)).toEqual([]);
    expect(Object.keys(JSON.parse(variables))).toEqual(declared);
  });
});
