import { z } from 'zod';
import type { Branch, BranchYear, Program } from '../../generated/prisma/client.ts';
import { storedAttributes } from '../rules/attributes.ts';

/*
 * Each column, listed once for raw SQL, change log, audit log, import and export: the name of its field in snake case,
 * and the type of its value in JSON.
 */
export const integer = z.number();
export const text = z.string();
export const boolean = z.boolean();
export const time = z.string().transform((value) => new Date(value));

const setByService = {
  id: integer,
  version: integer,
  createdAt: time,
  updatedAt: time,
  deletedAt: time.nullable(),
};

/** Set by clients, and shown in the audit log. */
export const programFields = z.object({
  name: text,
  duration: text,
  code: text.nullable(),
  attributes: storedAttributes,
});

export const programRow = z.object({ ...programFields.shape, ...setByService }) satisfies z.ZodType<Program>;

/** Set by clients, and shown in the audit log, together with the number of years. */
export const branchFields = z.object({
  programId: integer,
  code: text.nullable(),
  name: text,
  description: text,
  codePrefix: text,
  codeIsNumeric: boolean,
  attributes: storedAttributes,
});

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

/** The column of a field: `codePrefix` is `code_prefix`. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Renames fields to the names of their columns. */
export const asStored = (row: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([field, value]) => [columnOf(field), value]));

export const columnsOf = ({ shape }: z.ZodObject): string[] => Object.keys(shape).map(columnOf);

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
