import { type GraphQLField, getNamedType, isInputObjectType } from 'graphql';
import { z } from 'zod';
import type { Schema } from './types.ts';

export interface InputSchema {
  readonly name: string | undefined;
  readonly description: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Schema>>;
}

/**
 * Types, bounds and required fields come from the zod schema that validates requests, descriptions from GraphQL.
 * REST exposes only fields with these `names`; the field may accept more.
 */
export function inputSchemaOf(field: InputField, inputSchema: z.ZodType, names: readonly string[]): InputSchema {
  const { name, description, descriptions } = describeInput(field);
  const shape = Object.entries(shapeOf(inputSchema)).filter(([key]) => names.includes(key));
  const { properties = {}, required = [] } = z.toJSONSchema(z.object(Object.fromEntries(shape)), { io: 'input' });
  return {
    name,
    description,
    required,
    properties: Object.fromEntries(
      shape.map(([key, schema]) => [
        key,
        // Client generators make a field of a body required when it has a default; its description says what that is.
        { ...plain(properties[key]), ...descriptions.get(key), ...(name === undefined && defaultOf(schema)) },
      ]),
    ),
  };
}

type InputField = Pick<GraphQLField<unknown, unknown>, 'args' | 'description'>;

/** The fields of an object schema, or of an intersection of them. */
function shapeOf(schema: unknown): Readonly<Record<string, z.ZodType>> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodIntersection) return { ...shapeOf(schema.def.left), ...shapeOf(schema.def.right) };
  throw new Error('The input of an operation must be an object.');
}

function describeInput({ args, description }: InputField) {
  const type = getNamedType(args.find((argument) => argument.name === 'input')?.type);
  const inputs = isInputObjectType(type) ? Object.values(type.getFields()) : args;
  return {
    name: isInputObjectType(type) ? type.name : undefined,
    description: (isInputObjectType(type) ? type.description : description) ?? '',
    descriptions: new Map([...args, ...inputs].map((input) => [input.name, { description: input.description ?? '' }])),
  };
}

const readable = z.looseObject({ type: z.string() });

/** A readable schema: `null` as one more type, no bound that only says what a safe integer is. */
function plain(property: unknown): Schema {
  const { anyOf, ...rest } = z.looseObject({ anyOf: z.array(z.unknown()).optional() }).parse(property);
  if (anyOf === undefined) return withoutSafeBounds(rest);
  const [schema, nullable, ...others] = anyOf.map((part) => readable.parse(part));
  if (schema === undefined || nullable?.type !== 'null' || others.length > 0) throw new Error('Not a nullable field.');
  return { ...rest, ...withoutSafeBounds(schema), type: [schema.type, 'null'] };
}

function withoutSafeBounds({ maximum, ...schema }: Schema): Schema {
  return { ...schema, ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }) };
}

/** The default of a parameter: what its schema parses `undefined` to. */
function defaultOf(schema: z.ZodType): Schema {
  const { success, data } = schema.safeParse(undefined);
  return success && data !== undefined ? { default: data } : {};
}
