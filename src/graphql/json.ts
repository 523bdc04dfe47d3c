import { GraphQLError } from 'graphql';
import { builder } from './builder.ts';

builder.scalarType('JSON', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  description: 'Any JSON value. Output only.',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('JSON is an output type.');
  },
});
