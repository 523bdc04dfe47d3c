import { GraphQLError } from 'graphql';
import { builder } from './builder.ts';

builder.scalarType('JSON', {
  description: 'Any JSON value. Only in answers.',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('JSON is only in answers.');
  },
});
