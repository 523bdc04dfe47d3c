import { GraphQLError } from 'graphql';
import { z } from 'zod';
import { builder } from './builder.ts';

const instant = z.iso.datetime({ offset: true });

builder.scalarType('DateTime', {
  description: 'An instant, as RFC 3339 writes it in UTC: `2026-11-21T09:30:00.000Z`. Any offset is accepted.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    const parsed = instant.safeParse(value);
    if (!parsed.success)
      throw new GraphQLError('DateTime must be an RFC 3339 date and time, such as 2026-11-21T09:30:00Z.');
    return new Date(parsed.data);
  },
});
