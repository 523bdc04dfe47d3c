import { z } from 'zod';

/** The schema of what a client sends: before transformations, and without what makes it optional. */
export function givenSchema(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return givenSchema(schema.def.innerType);
  if (!(schema instanceof z.ZodPipe)) return schema;
  return givenSchema(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in);
}
