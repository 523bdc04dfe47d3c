import { GraphQLError } from 'graphql';
import { builder } from './builder.ts';

builder.scalarType('JSON', {
  description: 'Any JSON value. Output only.',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('JSON is an output type.');
  },
});
