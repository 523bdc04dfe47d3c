import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { pageSizeDefault, pageSizeMax } from '../../academics/page.ts';
import type { Variables } from '../variables.ts';
import { type Fragments, fragmentsOf } from './document.ts';
import { costMax, limitExceeded } from './limits.ts';

/** Items that a list is taken to have when it has no pages: the branches of a program, the years of a branch. */
const listLength = 10;

/** A valid document, the operation of it to execute, and its variables after coercion. */
interface Request {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Variables;
}

/**
 * Holds a request against the limit of what its answer may cost: a field costs 1, and a list as many times what is
 * below it as it has items.
 *
 * @throws GraphQLError naming the limit; or GraphQL's own when an argument is `null` that must not be.
 */
export function limitCost({ schema, document, operation, variables }: Request): void {
  const cost = costOfSelections(operation.selectionSet, {
    type: schema.getRootType(operation.operation) ?? undefined,
    ofPage: false,
    schema,
    fragments: fragmentsOf(document),
    variables,
  });
  if (cost > costMax) {
    throw limitExceeded(
      `The request costs ${cost}, more than ${costMax}: each list multiplies what is below it. Ask for smaller pages or fewer levels.`,
      operation,
    );
  }
}

/** Where in a request a selection stands. */
interface Place {
  readonly type: GraphQLNamedType | undefined;
  /** Whether the type is a page: the lists in it have the length that was asked of the field that it answers. */
  readonly ofPage: boolean;
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly variables: Variables;
}

function costOfSelections({ selections }: SelectionSetNode, place: Place): number {
  let cost = 0;
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      cost += costOfField(selection, place);
      continue;
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : place.fragments.get(selection.name.value);
    if (fragment === undefined) continue;
    const type = fragment.typeCondition ? place.schema.getType(fragment.typeCondition.name.value) : place.type;
    cost += costOfSelections(fragment.selectionSet, { ...place, type });
  }
  return cost;
}

function costOfField(node: FieldNode, place: Place): number {
  const field = fieldOf(place.type, node.name.value);
  if (field === undefined || node.selectionSet === undefined) return 1;
  const pageSize = pageSizeOf(field, getArgumentValues(field, node, place.variables));
  const isList = isListType(getNullableType(field.type)) && !place.ofPage;
  const length = pageSize ?? (isList ? lengthOf(field, place) : 1);
  const below = { ...place, type: getNamedType(field.type), ofPage: pageSize !== undefined };
  return 1 + length * costOfSelections(node.selectionSet, below);
}

/** The length that a list without pages is taken to have; those of introspection are known. */
function lengthOf({ name }: GraphQLField<unknown, unknown>, { type, schema }: Place): number {
  return type && isIntrospectionType(type) ? (introspectionLengths(schema).get(name) ?? 1) : listLength;
}

const lengthsBySchema = new WeakMap<GraphQLSchema, ReadonlyMap<string, number>>();

/** The number of types, of the fields that a type with fields has on average, and so on, rounded up. */
function introspectionLengths(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const known = lengthsBySchema.get(schema);
  if (known !== undefined) return known;
  const types = Object.values(schema.getTypeMap());
  const fields = types.filter((type) => isObjectType(type)).map((type) => Object.values(type.getFields()));
  const lengths = new Map([
    ['types', types.length],
    ['fields', average(fields)],
    ['args', average(fields.flat().map(({ args }) => args))],
    ['inputFields', average(types.filter(isInputObjectType).map((type) => Object.values(type.getFields())))],
    ['enumValues', average(types.filter(isEnumType).map((type) => type.getValues()))],
    ['directives', schema.getDirectives().length],
  ]);
  lengthsBySchema.set(schema, lengths);
  return lengths;
}

function average(lists: readonly (readonly unknown[])[]): number {
  return Math.ceil(lists.flat().length / Math.max(1, lists.length));
}

function fieldOf(type: GraphQLNamedType | undefined, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/** The length that a field's arguments ask of a page; `undefined` for a field without pages. */
function pageSizeOf({ args }: GraphQLField<unknown, unknown>, values: Record<string, unknown>): number | undefined {
  const names = ['size', 'first', 'last'].filter((name) => args.some((argument) => argument.name === name));
  if (names.length === 0) return undefined;
  const sizes = names.map((name) => values[name]).filter((value) => typeof value === 'number');
  const size = sizes.length === 0 ? pageSizeDefault : Math.max(...sizes);
  // One below 1 is refused by its field; here it must not make up for what the others cost.
  return Math.min(Math.max(size, 1), pageSizeMax);
}
