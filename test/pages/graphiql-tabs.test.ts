import { getOperationAST, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema/schema.ts';
import { tabs } from '../../src/pages/graphiql/tabs.ts';

describe('the tabs of GraphiQL', () => {
  it('show a list, something nested, a create, a page by cursor and changes as they happen', () => {
    const names = tabs.map(({ query }) => getOperationAST(parse(query))?.name?.value);

    expect(names).toEqual(['ListPrograms', 'Nested', 'CreateProgram', 'PageByCursor', 'CatalogChanged']);
  });

  it.each(tabs)('fit the schema', ({ query, variables = '{}' }) => {
    const document = parse(query);
    const declared = getOperationAST(document)?.variableDefinitions?.map(({ variable }) => variable.name.value);

    expect(validate(schema, document)).toEqual([]);
    expect(Object.keys(JSON.parse(variables))).toEqual(declared);
  });
});
