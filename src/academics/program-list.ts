import { z } from 'zod';
import { orAbsent } from './optional.ts';
import { multiLine } from './text.ts';

/** What lists of programs, and of branches, can be ordered by; the id comes last in each, so that no two places are the same. */
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
const idsMax = 1_000;
/** As long as the longest name. */
const searchMax = 255;

/** As long as the longest duration. */
const durationMax = 100;

/** Which programs, by field name. */
export const programFilter = z.object({
  search: orAbsent(multiLine('search', { most: searchMax })),
  searchBranches: orAbsent(z.boolean()),
  duration: orAbsent(multiLine('duration', { most: durationMax })),
  ids: orAbsent(z.array(z.int()).max(idsMax, `ids must be at most ${idsMax}.`)),
  hasBranches: orAbsent(z.boolean()),
  createdSince: orAbsent(z.date()),
  updatedSince: orAbsent(z.date()),
});
export type ProgramFilter = z.output<typeof programFilter>;

/** Which branches, by field name. */
const branchFilter = z.object({
  search: orAbsent(multiLine('search', { most: searchMax })),
  programId: orAbsent(z.int().min(0, 'programId must not be negative.')),
  ids: orAbsent(z.array(z.int()).max(idsMax, `ids must be at most ${idsMax}.`)),
  updatedSince: orAbsent(z.date()),
});
export type BranchFilter = z.output<typeof branchFilter>;

/** The filters that let everything through. */
const everyBranch: BranchFilter = branchFilter.parse({});
const everyProgram: ProgramFilter = programFilter.parse({});

const orderBy = z
  .enum(programOrders)
  .nullish()
  .transform((order): ProgramOrder => order ?? 'ID_ASC');

/** Which programs, and in which order: the arguments that all lists of programs share. */
export const programListRequest = z.object({
  filter: programFilter.nullish().transform((filter) => filter ?? everyProgram),
  orderBy,
});

/** Which branches, and in which order. */
export const branchListRequest = z.object({
  filter: branchFilter.nullish().transform((filter) => filter ?? everyBranch),
  orderBy,
});

/** The words of a search: all of them must be found. Text without a word finds everything. */
export function searchedWords(search: string): string[] {
  return search.split(/\s+/).filter((word) => word !== '');
}
