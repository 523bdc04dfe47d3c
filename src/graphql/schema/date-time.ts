import { GraphQLError } from 'graphql';
import { z } from 'zod';
import { builder } from './builder.ts';

/** Longer ones have more fractional digits than any clock provides. */
const instant = z
  .string()
  .max(64)
  .pipe(z.iso.datetime({ offset: true }));
/** A non-zero fraction beyond milliseconds. */
const beyondMilliseconds = /\.\d{3}\d*[1-9]/;

builder.scalarType('DateTime', {
  description:
    'An instant in RFC 3339 format, in UTC: `2026-11-21T09:30:00.000Z`. As input, any offset is accepted, and fractions of a millisecond are rounded up.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    const parsed = instant.safeParse(value);
    if (!parsed.success)
      throw new GraphQLError('DateTime must be an RFC 3339 date and time, such as 2026-11-21T09:30:00Z.');
    // Records have milliseconds: rounding up keeps earlier ones out of `createdSince` and `updatedSince`.
    return new Date(Date.parse(parsed.data) + (beyondMilliseconds.test(parsed.data) ? 1 : 0));
  },
});
