import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql';
import type { Selection } from '../../src/operations/selection.ts';
import type { Schema } from './types.ts';

const scalars: Readonly<Record<string, Schema>> = {
  Int: { type: 'integer', format: 'int32' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
};

/** Fields that have one value whenever they are there. */
const constants: Readonly<Record<string, string>> = { 'PingResult.status': 'ok' };

/** Client generators name the result of the operation `ping` `PingResult`. */
const renamed: Readonly<Record<string, string>> = { PingResult: 'PingStatus' };

export interface ResponseSchemas {
  /** All schemas described so far, by name. */
  readonly named: Record<string, Schema>;
  /**
   * Describes the data of an operation's field, which is the body of the REST response: the selected fields, with their
   * descriptions in GraphQL. `null` is left out: REST responds 404 then.
   */
  describe(type: GraphQLOutputType, selection: readonly Selection[]): Schema;
}

export function createResponseSchemas(): ResponseSchemas {
  const named: Record<string, Schema> = {};

  const describe = (type: GraphQLOutputType, selection: readonly Selection[]): Schema => {
    const present = isNonNullType(type) ? type.ofType : type;
    if (isListType(present)) return { type: 'array', items: describe(present.ofType, selection) };
    if (isScalarType(present)) return scalarSchema(present.name);
    if (!isObjectType(present)) throw new Error(`${String(type)} has no schema in REST yet.`);
    const schema = objectSchema(present, selection);
    const name = nameFor(present, schema);
    named[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };

  const objectSchema = (type: GraphQLObjectType, selection: readonly Selection[]): Schema => {
    const properties: Record<string, Schema> = {};
    for (const { key, name, fields } of selection) {
      const field = type.getFields()[name];
      if (field === undefined) throw new Error(`${type.name} has no field ${name}.`);
      if (!isNonNullType(field.type)) throw new Error(`${type.name}.${field.name} may be null: describe it first.`);
      const constant = constants[`${type.name}.${field.name}`];
      const schema = { ...describe(field.type, fields), ...(constant && { const: constant }) };
      properties[key] = { ...schema, ...descriptionOf(field) };
    }
    return { type: 'object', ...descriptionOf(type), required: Object.keys(properties), properties };
  };

  /** The name of the type, with its nested lists where the same type also occurs without them. */
  const nameFor = (type: GraphQLObjectType, schema: Schema): string => {
    const nested = Object.entries(schema.properties ?? {}).filter(([, property]) => property.type === 'array');
    const short = renamed[type.name] ?? type.name;
    const longer = `${short}With${nested.map(([name]) => capitalized(name)).join('And')}`;
    const name = [short, longer].find((candidate) => isSame(named[candidate] ?? schema, schema));
    if (name === undefined) throw new Error(`${type.name} occurs in more forms than there are names for.`);
    return name;
  };

  return { named, describe };
}

function scalarSchema(name: string): Schema {
  const schema = scalars[name];
  if (schema === undefined) throw new Error(`The scalar ${name} has no schema in REST yet.`);
  return schema;
}

function descriptionOf({ description }: { readonly description?: string | null | undefined }): Schema {
  return description ? { description } : {};
}

function isSame(left: Schema, right: Schema): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The example response of an operation: of each object only the selected fields. */
export function selectFrom(example: unknown, selection: readonly Selection[]): unknown {
  if (Array.isArray(example)) return example.map((item) => selectFrom(item, selection));
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(
    selection.map(({ key, name, fields }) => [key, selectFrom(Reflect.get(example, name), fields)]),
  );
}
