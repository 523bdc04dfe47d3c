import { z } from 'zod';
import { orAbsent } from './optional.ts';
import { lines } from './text.ts';

/** What lists of programs can be ordered by; the id comes last in each, so that no two places are the same. */
export const programOrders = [
  'ID_ASC',
  'ID_DESC',
  'NAME_ASC',
  'NAME_DESC',
  'CREATED_ASC',
  'CREATED_DESC',
  'UPDATED_ASC',
  'UPDATED_DESC',
] as const;
export type ProgramOrder = (typeof programOrders)[number];

/** As many as fit a request; a longer list is a mistake, or better asked in parts. */
const idsMost = 1_000;
/** As long as the longest name. */
const searchMost = 255;

/** As long as the longest duration. */
const durationMost = 100;

/** Which programs, by field name. */
export const programFilter = z.object({
  search: orAbsent(lines('search', { most: searchMost })),
  duration: orAbsent(lines('duration', { most: durationMost })),
  ids: orAbsent(z.array(z.int()).max(idsMost, `ids must be at most ${idsMost}.`)),
  hasBranches: orAbsent(z.boolean()),
  createdSince: orAbsent(z.date()),
  updatedSince: orAbsent(z.date()),
});
export type ProgramFilter = z.output<typeof programFilter>;

/** The filter that lets every program through. */
const everyProgram: ProgramFilter = programFilter.parse({});

/** Which programs, and in which order: the arguments that all lists of programs share. */
export const programListRequest = z.object({
  filter: programFilter.nullish().transform((filter) => filter ?? everyProgram),
  orderBy: z
    .enum(programOrders)
    .nullish()
    .transform((order): ProgramOrder => order ?? 'ID_ASC'),
});

/** The words of a search: all of them must be found. Text without a word finds everything. */
export function searchedWords(search: string): string[] {
  return search.split(/\s+/).filter((word) => word !== '');
}
