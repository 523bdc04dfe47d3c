import { z } from 'zod';
import { orDefault } from './optional.ts';
import { identifierMax } from './validate.ts';

export const pageSizeDefault = 20;
/** Larger sizes are clamped to this (`docs/contract.md` 6). */
export const pageSizeMax = 100;

const positive = (field: string) =>
  z
    .number(`${field} must be a positive integer.`)
    .refine((value) => Number.isInteger(value) && value >= 1, `${field} must be a positive integer.`)
    .meta({ type: 'integer', minimum: 1 });

/** The requested page of a list (`docs/contract.md` 6). A larger size is clamped to 100; `null` means absent. */
export const pageRequest = z.object({
  page: orDefault(
    positive('page')
      .refine((value) => value <= identifierMax, `page must be at most ${identifierMax}.`)
      .meta({ maximum: identifierMax }),
    1,
  ),
  size: positive('size')
    .nullish()
    .transform((value) => Math.min(value ?? pageSizeDefault, pageSizeMax)),
});

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageNumber: number;
  readonly pageSize: number;
  readonly totalPages: number;
  readonly count: number;
  readonly hasPreviousPage: boolean;
  readonly hasNextPage: boolean;
}

/** A page past the end has no items and no next page. */
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
