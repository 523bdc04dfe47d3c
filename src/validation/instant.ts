import { z } from 'zod';

/** Length limit: a longer text has more fractional digits than any clock provides. */
const rfc3339 = z
  .string()
  .max(64)
  // RFC 3339 takes `t` and `z` for `T` and `Z`.
  .toUpperCase()
  .pipe(z.iso.datetime({ offset: true }));
const beyondMilliseconds = /\.\d{3}\d*[1-9]/;

/** The years 1 to 9999 in UTC: PostgreSQL writes others differently, and nothing happened then. */
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** Parses an RFC 3339 date and time. Rounding up to milliseconds keeps earlier records out of `createdSince`. */
export function parseInstant(value: unknown): Date | undefined {
  const parsed = rfc3339.safeParse(value);
  if (!parsed.success) return undefined;
  const instant = Date.parse(parsed.data) + (beyondMilliseconds.test(parsed.data) ? 1 : 0);
  return new Date(Math.min(Math.max(instant, earliest), latest));
}
