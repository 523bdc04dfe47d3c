import * as z from 'zod/mini';

/** A parameter that is left out when it is not understood. */
export const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined);

/** A URL has `true` or `2024` without quotes: words, too. */
export const words = optional(z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String)));

/** A day: `2026-11-22`. */
export const day = optional(z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/)));

/** The state of a screen, all of which is in its URL. */
export type SearchOf<Schema extends z.ZodMiniType> = {
  readonly [Name in keyof z.infer<Schema>]?: z.infer<Schema>[Name] | undefined;
};

/**
 * The parameters without empty ones. What is left out stays as `undefined`: for a name that is not there, the router
 * hands on what the URL has.
 */
export const understood = (parsed: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, value === '' ? undefined : value]));

interface DayOptions {
  /** Of the day in UTC, not of the day where the reader is. */
  readonly utc?: boolean | undefined;
  readonly daysLater?: number;
}

/** The first instant of a day, or of a day after it. */
export function startOfDay(text: string, { utc = false, daysLater = 0 }: DayOptions = {}): string {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  const parts = [year, month - 1, date + daysLater] as const;
  return (utc ? new Date(Date.UTC(...parts)) : new Date(...parts)).toISOString();
}

/** The day of an instant where the reader is: `2026-11-22`. */
export function dayOf(instant: Date): string {
  const parts = [instant.getFullYear(), instant.getMonth() + 1, instant.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
