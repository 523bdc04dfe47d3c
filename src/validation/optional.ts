import type { z } from 'zod';

/** An optional field; `null` means absent (`docs/contract.md` 5). */
export function orAbsent<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

export function orDefault<Schema extends z.ZodType>(schema: Schema, fallback: z.output<Schema>) {
  return schema.nullish().transform((value) => value ?? fallback);
}

/** An optional text of a change: `null` clears it, as `""` does; absent leaves it as it is. */
export function orCleared<Schema extends z.ZodType<string>>(schema: Schema) {
  return schema
    .nullable()
    .transform((value) => value ?? '')
    .optional();
}
