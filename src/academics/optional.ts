import type { z } from 'zod';

/** An optional field: `null` is as if it were absent (`contract.md` 5). */
export function orAbsent<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** An optional field with a value for when it is absent or `null` (`contract.md` 5). */
export function orDefault<Schema extends z.ZodType>(schema: Schema, fallback: z.output<Schema>) {
  return schema.nullish().transform((value) => value ?? fallback);
}

/** A record without the fields that are `undefined`: only what was given. */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  // Object.fromEntries forgets which value belongs to which name; nothing but `undefined` is taken away.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof given<Fields>
  >;
}
