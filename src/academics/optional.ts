import type { z } from 'zod';

/** An optional field: `null` is as if it were absent (`docs/contract.md` 5). */
export function orAbsent<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** An optional field with a value for when it is absent or `null` (`docs/contract.md` 5). */
export function orDefault<Schema extends z.ZodType>(schema: Schema, fallback: z.output<Schema>) {
  return schema.nullish().transform((value) => value ?? fallback);
}

/** Of the fields that were given, those that differ from a record's: what is there already is no change. */
export function differing<Row extends object>(
  record: Row,
  fields: { readonly [Name in keyof Row]?: Row[Name] | undefined },
): Partial<Row> {
  const changed: Partial<Row> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined && value !== record[name]) changed[name] = value;
  }
  return changed;
}
