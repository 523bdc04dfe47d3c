import { z } from 'zod';
import type { Branch, BranchYear, Program } from '../../generated/prisma/client.ts';
import { boolean, branchFields, columnOf, integer, programFields, text } from '../kinds.ts';

/*
 * The columns of each table, from the fields of its records: for raw SQL and the change log.
 */
export const time = z.string().transform((value) => new Date(value));

const setByService = {
  id: integer,
  version: integer,
  createdAt: time,
  updatedAt: time,
  deletedAt: time.nullable(),
};

export const programRow = z.object({ ...programFields.shape, ...setByService }) satisfies z.ZodType<Program>;

export const branchRow = z.object({
  ...branchFields.shape,
  ...setByService,
  deletedWithProgram: boolean,
}) satisfies z.ZodType<Branch>;

export const yearRow = z.object({
  id: integer,
  branchId: integer,
  year: integer,
  code: text,
}) satisfies z.ZodType<BranchYear>;

/** Renames fields to the names of their columns. */
export const asStored = (row: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([field, value]) => [columnOf(field), value]));

/** The list of a SELECT, with the names of the fields. */
export const selectList = ({ shape }: z.ZodObject): string =>
  Object.keys(shape)
    .map((field) => `${columnOf(field)} AS "${field}"`)
    .join(', ');

/** A row as PostgreSQL's `to_jsonb` gives it, or gave it before the table had a further column. */
export const storedRow = <Row extends z.ZodObject>(row: Row) => {
  const fields = Object.keys(row.shape);
  return z
    .record(z.string(), z.unknown())
    .transform(
      (stored): Record<string, unknown> =>
        Object.fromEntries(fields.map((field) => [field, stored[columnOf(field)] ?? null])),
    )
    .pipe(row);
};
