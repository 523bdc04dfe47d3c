import { type GraphQLField, getNamedType, isInputObjectType } from 'graphql';
import { z } from 'zod';
import type { Schema } from './types.ts';

/** The input of an operation as JSON Schema. */
export interface InputSchema {
  /** The name of its GraphQL type, when it has one. */
  readonly name: string | undefined;
  readonly description: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Schema>>;
}

/**
 * Describes what an operation accepts: types, bounds and what is required by the very schema that checks requests,
 * defaults by asking it, descriptions as GraphQL gives them.
 *
 * @param variables the names of the operation's variables: what REST can say; the field itself may accept more.
 */
export function inputSchemaOf(field: InputField, inputSchema: z.ZodType, variables: readonly string[]): InputSchema {
  const { name, description, descriptions } = spoken(field);
  const shape = Object.entries(shapeOf(inputSchema)).filter(([key]) => name !== undefined || variables.includes(key));
  const { properties = {}, required = [] } = z.toJSONSchema(z.object(Object.fromEntries(shape)), { io: 'input' });
  return {
    name,
    description,
    required,
    properties: Object.fromEntries(
      shape.map(([key, schema]) => [
        key,
        { ...plain(properties[key]), ...descriptions.get(key), ...defaultOf(schema) },
      ]),
    ),
  };
}

type InputField = Pick<GraphQLField<unknown, unknown>, 'args' | 'description'>;

/** The fields of a record, or of several that must all hold. */
function shapeOf(schema: unknown): Readonly<Record<string, z.ZodType>> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodIntersection) return { ...shapeOf(schema.def.left), ...shapeOf(schema.def.right) };
  throw new Error('An operation accepts a record of fields.');
}

/** What GraphQL says about the input: the fields of `input`, or the arguments themselves. */
function spoken({ args, description }: InputField) {
  const type = getNamedType(args.find((argument) => argument.name === 'input')?.type);
  const inputs = isInputObjectType(type) ? Object.values(type.getFields()) : args;
  return {
    name: isInputObjectType(type) ? type.name : undefined,
    description: (isInputObjectType(type) ? type.description : description) ?? '',
    descriptions: new Map(inputs.map((input) => [input.name, { description: input.description ?? '' }])),
  };
}

const readable = z.looseObject({ type: z.string() });

/** A schema in the form that people read: `null` as one more type, no bound that only says what an integer can be. */
function plain(property: unknown): Schema {
  const { anyOf, ...rest } = z.looseObject({ anyOf: z.array(z.unknown()).optional() }).parse(property);
  if (anyOf === undefined) return withoutSafeBounds(rest);
  const [schema, nothing, ...others] = anyOf.map((part) => readable.parse(part));
  if (schema === undefined || nothing?.type !== 'null' || others.length > 0) throw new Error('Not a nullable field.');
  return { ...rest, ...withoutSafeBounds(schema), type: [schema.type, 'null'] };
}

function withoutSafeBounds({ maximum, ...schema }: Schema): Schema {
  return { ...schema, ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }) };
}

/** What a field becomes when it is absent: its default, told by the schema itself. */
function defaultOf(schema: z.ZodType): Schema {
  const { success, data } = schema.safeParse(undefined);
  return success && data !== undefined ? { default: data } : {};
}
