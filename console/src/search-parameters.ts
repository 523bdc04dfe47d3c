import * as z from 'zod/mini';

/** An invalid parameter is ignored. */
export const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined);

/** The router parses `q=2024` as a number and `q=true` as a boolean; both are text here. */
export const text = optional(z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String)));

/** Whether a text is a day that there is: `2026-11-22`, not `2026-02-31`. */
export const isDay = (text: string): boolean =>
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && dayOf(new Date(`${text}T00:00`)) === text;

/** A day: `2026-11-22`. */
export const day = optional(z.string().check(z.refine(isDay)));

/** Whether a number can be the id of a record: they have 31 bits. */
export const isId = (id: number): boolean => Number.isInteger(id) && id > 0 && id < 2 ** 31;

export const id = optional(z.number().check(z.refine(isId)));

export const idsIn = (list: string): number[] => list.split(',').map(Number);

/** Ids: `4,8,15`. The router parses a single one as a number. */
export const ids = optional(
  z
    .pipe(z.union([z.string(), z.number()]), z.transform(String))
    .check(z.refine((list) => /^[\d,]+$/.test(list) && idsIn(list).every(isId))),
);

export type SearchOf<Schema extends z.ZodMiniType> = {
  readonly [Name in keyof z.infer<Schema>]?: z.infer<Schema>[Name] | undefined;
};

/** Drops empty parameters. Keys stay, as `undefined`: the router keeps the URL's value for missing keys. */
export const dropEmpty = (parsed: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, value === '' ? undefined : value]));

interface DayOptions {
  /** Whether the time is in UTC instead of the browser's time zone. */
  readonly utc?: boolean | undefined;
  readonly daysLater?: number;
}

/** The first instant of a day, or of a day after it. */
export function startOfDay(day: string, { utc = false, daysLater = 0 }: DayOptions = {}): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const parts = [year, month - 1, date + daysLater] as const;
  const instant = (utc ? new Date(Date.UTC(...parts)) : new Date(...parts)).toISOString();
  // The service has years of four digits.
  return instant.startsWith('+') ? '9999-12-31T23:59:59.999Z' : instant;
}

/** The day of an instant in the browser's time zone: `2026-11-22`. */
export function dayOf(instant: Date): string {
  const parts = [instant.getFullYear(), instant.getMonth() + 1, instant.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

export const dayAgo = (days: number, now = new Date()): string =>
  dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));
