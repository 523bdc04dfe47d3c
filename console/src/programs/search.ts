import * as z from 'zod/mini';
import type { ProgramFilter, ProgramOrder } from './documents.generated.ts';

/** The orders that are offered, with the words for them. */
export const orders = [
  { value: 'NAME_ASC', text: 'Name, A to Z' },
  { value: 'NAME_DESC', text: 'Name, Z to A' },
  { value: 'UPDATED_DESC', text: 'Last changed first' },
  { value: 'UPDATED_ASC', text: 'Last changed last' },
  { value: 'CREATED_DESC', text: 'Newest first' },
  { value: 'CREATED_ASC', text: 'Oldest first' },
] as const satisfies readonly { value: ProgramOrder; text: string }[];

export type Order = (typeof orders)[number]['value'];

const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined);
const text = optional(z.string().check(z.minLength(1), z.maxLength(300)));

/** A URL has `true` or `2024` without quotes: words, too. */
const words = optional(z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String)));

const programsSearch = z.object({
  /** Words in the name or the code. */
  q: words,
  /** Whether the names of branches are searched, too. */
  inBranches: optional(z.boolean()),
  duration: text,
  branches: optional(z.enum(['with', 'without'])),
  /** A day, `2026-11-22`: changed since. */
  since: optional(z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))),
  sort: optional(z.enum(orders.map(({ value }) => value))),
});

/** The state of the list, all of which is in its URL. */
export type ProgramsSearch = {
  readonly [Name in keyof z.infer<typeof programsSearch>]?: z.infer<typeof programsSearch>[Name] | undefined;
};

/** Reads the state from a URL; what is not understood is left out. */
export function parseProgramsSearch(search: Record<string, unknown>): ProgramsSearch {
  const parsed = programsSearch.parse(search);
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined && value !== ''));
}

/** The state as the service takes it. */
export function filterOf({ q, inBranches, duration, branches, since }: ProgramsSearch): ProgramFilter {
  return {
    ...(q !== undefined && { search: q }),
    ...(q !== undefined && inBranches === true && { searchBranches: true }),
    ...(duration !== undefined && { duration }),
    ...(branches !== undefined && { hasBranches: branches === 'with' }),
    ...(since !== undefined && { updatedSince: startOfDay(since) }),
  };
}

/** The first instant of a day where the reader is. */
function startOfDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date).toISOString();
}

/** Whether anything but the order is chosen. */
export const isFiltered = ({ q, duration, branches, since }: ProgramsSearch): boolean =>
  [q, duration, branches, since].some((value) => value !== undefined);

/** Reads the words that a simple list is searched for. */
export function parseWords(search: Record<string, unknown>): { readonly q?: string } {
  const q = words.parse(search['q']);
  return q === undefined || q === '' ? {} : { q };
}
