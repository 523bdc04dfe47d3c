import { z } from 'zod';
import { givenSchema } from '../validation/given-schema.ts';
import type { builder } from './builder.ts';

export type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** The fields of an input, of the zod schemas that validate them (`rules`), with their descriptions: scalars and lists of them. */
export function inputFieldsOf(t: InputFields, shape: Readonly<Record<string, z.ZodType>>) {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const options = { description: schema.description ?? '', required: !schema.isOptional() };
      const given = givenSchema(schema);
      const isList = given instanceof z.ZodArray;
      const scalar = scalarOf(name, isList ? givenSchema(given.def.element) : given);
      return [name, isList ? t.field({ type: [scalar], ...options }) : t.field({ type: scalar, ...options })];
    }),
  );
}

function scalarOf(name: string, schema: z.core.$ZodType) {
  if (schema instanceof z.ZodString) return 'String';
  if (schema instanceof z.ZodBoolean) return 'Boolean';
  if (schema instanceof z.ZodDate) return 'DateTime';
  if (schema instanceof z.ZodNumber) return 'Int';
  throw new Error(`The field ${name} has no type of GraphQL.`);
}
