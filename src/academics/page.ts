import { z } from 'zod';
import { identifierMax } from './identifier.ts';

/** The size of a page that is asked for without one. */
export const pageSizeDefault = 20;
/** Larger sizes are taken as this: a page stays one that a database and a screen can hold. */
export const pageSizeMax = 100;

const positive = (field: string) =>
  z
    .number(`${field} must be a positive integer.`)
    .refine((value) => Number.isInteger(value) && value >= 1, `${field} must be a positive integer.`)
    .meta({ type: 'integer', minimum: 1 });

/** Which page of a list (`docs/contract.md` 6). A size however large is taken as 100; `null` is as if absent. */
export const pageRequest = z.object({
  page: positive('page')
    .refine((value) => value <= identifierMax, `page must be at most ${identifierMax}.`)
    .meta({ maximum: identifierMax })
    .nullish()
    .transform((value) => value ?? 1),
  size: positive('size')
    .nullish()
    .transform((value) => Math.min(value ?? pageSizeDefault, pageSizeMax)),
});

/** A page of a list, as `docs/contract.md` 6 shows it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageNumber: number;
  readonly pageSize: number;
  readonly totalPages: number;
  readonly count: number;
  readonly hasPreviousPage: boolean;
  readonly hasNextPage: boolean;
}

/** A page made of its items and the count of all. A page past the end has no items and no next (`docs/contract.md` 6). */
export function pageOf<Item>(items: readonly Item[], count: number, pageNumber: number, pageSize: number): Page<Item> {
  const totalPages = Math.ceil(count / pageSize);
  return {
    items,
    pageNumber,
    pageSize,
    totalPages,
    count,
    hasPreviousPage: pageNumber > 1,
    hasNextPage: pageNumber < totalPages,
  };
}
