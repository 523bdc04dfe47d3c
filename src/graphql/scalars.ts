import { GraphQLError } from 'graphql';
import { parseInstant } from '../validation/instant.ts';
import { builder } from './builder.ts';

builder.scalarType('DateTime', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  description:
    'An instant in RFC 3339 format, in UTC: `2026-11-21T09:30:00.000Z`. As input, any offset is accepted, but no leap second, and fractions of a millisecond are rounded up.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    const instant = parseInstant(value);
    if (instant !== undefined) return instant;
    throw new GraphQLError('DateTime must be an RFC 3339 date and time, such as 2026-11-21T09:30:00Z.');
  },
});

builder.scalarType('JSON', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  description: 'Any JSON value. Output only.',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('JSON is an output type.');
  },
});
