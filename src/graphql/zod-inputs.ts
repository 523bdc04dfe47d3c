import { z } from 'zod';
import type { builder } from './builder.ts';

export type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** The fields of an input, of the zod schemas that validate them (`rules`), with their descriptions: scalars and lists of them. */
export function inputFieldsOf(t: InputFields, shape: Readonly<Record<string, z.ZodType>>) {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const { description = '' } = schema;
      const base = baseOf(schema);
      const isList = base instanceof z.ZodArray;
      const scalar = scalarOf(name, isList ? baseOf(base.def.element) : base);
      return [name, isList ? t.field({ type: [scalar], description }) : t.field({ type: scalar, description })];
    }),
  );
}

/** What a client sends: before transformations, and without what makes it optional. */
function baseOf(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return baseOf(schema.def.innerType);
  if (!(schema instanceof z.ZodPipe)) return schema;
  return baseOf(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in);
}

function scalarOf(name: string, schema: z.core.$ZodType) {
  if (schema instanceof z.ZodString) return 'String';
  if (schema instanceof z.ZodBoolean) return 'Boolean';
  if (schema instanceof z.ZodDate) return 'DateTime';
  if (schema instanceof z.ZodNumber) return 'Int';
  throw new Error(`The field ${name} has no type of GraphQL.`);
}
