import type { z } from 'zod';

/** An optional field; `null` means absent (`docs/contract.md` 5). */
export function orAbsent<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** Absent or `null`: a default. */
export function orDefault<Schema extends z.ZodType>(schema: Schema, fallback: z.output<Schema>) {
  return schema.nullish().transform((value) => value ?? fallback);
}

/** The value of a new record: an empty one is none. */
export function orNone<Schema extends z.ZodType<string>>(schema: Schema) {
  return schema.nullish().transform((value) => value || null);
}

/** A change: an empty value and `null` clear the field, an absent one leaves it as it is. */
export function orCleared<Schema extends z.ZodType<string>>(schema: Schema) {
  return schema.nullish().transform((value) => (value === '' ? null : value));
}
