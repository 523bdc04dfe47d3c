import { getOperationAST, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { tabs } from '../../site/graphiql/tabs.ts';
import { schema } from '../../src/doors/graphql/schema.ts';

describe('the tabs of GraphiQL', () => {
  it.each(tabs)('are valid against the schema', ({ query, variables = '{}' }) => {
    const document = parse(query);
    const declared = getOperationAST(document)?.variableDefinitions?.map(({ variable }) => variable.name.value);

    expect(validate(schema, document)).toEqual([]);
    expect(Object.keys(JSON.parse(variables))).toEqual(declared);
  });
});
