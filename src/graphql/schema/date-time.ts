import { GraphQLError } from 'graphql';
import { z } from 'zod';
import { builder } from './builder.ts';

/** Longer ones have digits of the second that no clock gives. */
const instant = z
  .string()
  .max(64)
  .pipe(z.iso.datetime({ offset: true }));
/** What comes after the milliseconds of an instant, if it is more than nothing. */
const beyondMilliseconds = /\.\d{3}\d*[1-9]/;

builder.scalarType('DateTime', {
  description:
    'An instant, as RFC 3339 writes it in UTC: `2026-11-21T09:30:00.000Z`. Any offset is accepted; digits beyond the milliseconds are rounded up.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    const parsed = instant.safeParse(value);
    if (!parsed.success)
      throw new GraphQLError('DateTime must be an RFC 3339 date and time, such as 2026-11-21T09:30:00Z.');
    // Records carry milliseconds. What lies between two of them is after the first, so that nothing from before is found.
    return new Date(Date.parse(parsed.data) + (beyondMilliseconds.test(parsed.data) ? 1 : 0));
  },
});
