import { z } from 'zod';
import { withoutNeedless } from '../../validation/invisible.ts';
import { orAbsent } from '../../validation/optional.ts';
import { codeLine, multiLine } from '../../validation/text.ts';
import { attributesFilter } from './attributes.ts';
import { durationMax } from './program.ts';
import { codeMax } from './records.ts';

/** Orders of all lists of programs and of branches; the id breaks ties, so that every position is unique. */
export const recordOrders = [
  'ID_ASC',
  'ID_DESC',
  'NAME_ASC',
  'NAME_DESC',
  'CREATED_ASC',
  'CREATED_DESC',
  'UPDATED_ASC',
  'UPDATED_DESC',
] as const;

/** Orders of lists of deleted records only, since no other record has a time of deletion. */
const deletedOrders = ['DELETED_ASC', 'DELETED_DESC'] as const;

export const listOrders = [...recordOrders, ...deletedOrders, 'RELEVANCE'] as const;
export type ListOrder = (typeof listOrders)[number];

/** A longer list is a mistake or better split into several requests. */
const idsMax = 1_000;
const ids = z
  .array(z.int())
  .max(idsMax, `ids must be at most ${idsMax}.`)
  .refine((list) => list.every((id) => id >= 0), 'ids must not be negative.');

/** Exactly; of codes of years too. A code is stored normalized and trimmed, so it is compared so. */
const codes = (name: string) =>
  orAbsent(z.array(codeLine(name, { max: codeMax })).max(idsMax, `${name} must be at most ${idsMax}.`));

const searchMax = 255;

const branchCount = (name: string) => orAbsent(z.int().min(0, `${name} must not be negative.`));

export const programFilter = z.object({
  search: orAbsent(multiLine('search', { max: searchMax })),
  searchBranches: orAbsent(z.boolean()),
  searchAttributes: orAbsent(z.boolean()),
  duration: orAbsent(multiLine('duration', { max: durationMax }).transform(withoutNeedless)),
  codes: codes('codes'),
  hasCode: orAbsent(z.boolean()),
  attributes: attributesFilter,
  ids: orAbsent(ids),
  hasBranches: orAbsent(z.boolean()),
  minBranches: branchCount('minBranches'),
  maxBranches: branchCount('maxBranches'),
  deleted: orAbsent(z.boolean()),
  createdSince: orAbsent(z.date()),
  updatedSince: orAbsent(z.date()),
});
export type ProgramFilter = z.output<typeof programFilter>;

const branchFilter = z.object({
  search: orAbsent(multiLine('search', { max: searchMax })),
  searchAttributes: orAbsent(z.boolean()),
  programId: orAbsent(z.int().min(0, 'programId must not be negative.')),
  codes: codes('codes'),
  hasCode: orAbsent(z.boolean()),
  hasDescription: orAbsent(z.boolean()),
  hasCodePrefix: orAbsent(z.boolean()),
  years: orAbsent(z.int().min(1, 'years must be at least 1.')),
  yearCodes: codes('yearCodes'),
  attributes: attributesFilter,
  deleted: orAbsent(z.boolean()),
  ids: orAbsent(ids),
  updatedSince: orAbsent(z.date()),
});
export type BranchFilter = z.output<typeof branchFilter>;

const noBranchFilter: BranchFilter = branchFilter.parse({});
export const noProgramFilter: ProgramFilter = programFilter.parse({});

const orderBy = z.enum(listOrders).nullish();

interface ListRequest {
  readonly filter: { readonly deleted?: boolean | undefined; readonly search?: string | undefined };
  readonly orderBy?: ListOrder | null | undefined;
}

function requireDeleted({ filter, orderBy }: ListRequest, context: z.RefinementCtx): void {
  if (filter.deleted === true || deletedOrders.every((order) => order !== orderBy)) return;
  context.addIssue({ code: 'custom', path: ['orderBy'], message: `${orderBy} requires the filter deleted: true.` });
}

/** A search is ordered by relevance, unless the caller says otherwise; without words, nothing is more relevant. */
export function orderOf({ filter, orderBy }: ListRequest): ListOrder {
  const order = orderBy ?? 'RELEVANCE';
  return order === 'RELEVANCE' && searchedWords(filter.search).length === 0 ? 'ID_ASC' : order;
}

export const programListRequest = z
  .object({ filter: programFilter.nullish().transform((filter) => filter ?? noProgramFilter), orderBy })
  .superRefine(requireDeleted);

export const branchListRequest = z
  .object({ filter: branchFilter.nullish().transform((filter) => filter ?? noBranchFilter), orderBy })
  .superRefine(requireDeleted);

/** The words of a search, which must all match; none matches everything. */
export function searchedWords(search = ''): string[] {
  return search.split(/\s+/).filter((word) => word !== '');
}
