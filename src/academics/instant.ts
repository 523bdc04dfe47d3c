import { z } from 'zod';

/** Longer ones have more fractional digits than any clock provides. */
const rfc3339 = z
  .string()
  .max(64)
  .pipe(z.iso.datetime({ offset: true }));
const beyondMilliseconds = /\.\d{3}\d*[1-9]/;

/** Parses an RFC 3339 date and time. Rounding up to milliseconds keeps earlier records out of `createdSince`. */
export function parseInstant(value: unknown): Date | undefined {
  const parsed = rfc3339.safeParse(value);
  if (!parsed.success) return undefined;
  return new Date(Date.parse(parsed.data) + (beyondMilliseconds.test(parsed.data) ? 1 : 0));
}
