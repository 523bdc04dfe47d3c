import { z } from 'zod';

/** Longer ones have more fractional digits than any clock provides. */
const rfc3339 = z
  .string()
  .max(64)
  .pipe(z.iso.datetime({ offset: true }));
/** A non-zero fraction beyond milliseconds. */
const beyondMilliseconds = /\.\d{3}\d*[1-9]/;

/**
 * Parses an RFC 3339 date and time, with any offset. Records have milliseconds: rounding up keeps earlier ones out of
 * `createdSince` and `updatedSince`.
 *
 * @returns `undefined` for anything else.
 */
export function parseInstant(value: unknown): Date | undefined {
  const parsed = rfc3339.safeParse(value);
  if (!parsed.success) return undefined;
  return new Date(Date.parse(parsed.data) + (beyondMilliseconds.test(parsed.data) ? 1 : 0));
}
