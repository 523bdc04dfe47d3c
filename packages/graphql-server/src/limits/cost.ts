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
import { type Fragments, fragmentsOf } from './document.ts';
import { costMax, limitExceeded } from './limits.ts';
import type { Variables } from './variables.ts';

/** How a schema asks for lists, which its resolvers know. */
export interface ListRules {
  readonly sizeArguments: readonly string[];
  readonly pageSizeDefault: number;
  /** Larger sizes are clamped to it. */
  readonly pageSizeMax: number;
  /** The same of fields with longer pages, by name. */
  readonly longerPages: ReadonlyMap<string, number>;
  /** Values in the variables of an operation that is one of these fields alone, by its name: those that take long lists. */
  readonly longerVariables: ReadonlyMap<string, number>;
  /** Length of a list without pagination. */
  readonly assumedLength: number;
  readonly counts: {
    /** An argument with which a list is counted in any case; else it is when the field is selected. */
    readonly argument: string;
    readonly field: string;
    readonly filterArgument: string;
    /** Price of a count with a filter, which looks at all records that match. */
    readonly filteredCost: number;
    /** Price of each object within a filter. */
    readonly conditionCost: number;
  };
}

interface Request {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Variables;
  readonly lists: ListRules;
}

/**
 * Limits the query cost: a field costs 1 and what its extension `itemCost` says for each given item, a count with a
 * filter and each object within a filter their prices more, and a list multiplies the cost of its selections by its length.
 * @throws GraphQLError naming the limit; or that of GraphQL.js when a non-null argument is `null`.
 */
export function limitCost({ schema, document, operation, variables, lists }: Request): void {
  const scope = { schema, fragments: fragmentsOf(document), variables, lists, ofPage: false, ofAllTypes: false };
  const type = schema.getRootType(operation.operation) ?? undefined;
  const cost = Math.ceil(costOfSelections(operation.selectionSet, { ...scope, type }));
  if (cost > costMax) {
    throw limitExceeded(
      `The request costs ${cost}, more than ${costMax}: each list multiplies the cost of its fields. Request smaller pages or fewer levels.`,
      operation,
    );
  }
}

interface Scope {
  readonly type: GraphQLNamedType | undefined;
  /** Whether the type is a page or connection, whose length its field's arguments determine. */
  readonly ofPage: boolean;
  /** Whether these are selections of `__schema.types`. */
  readonly ofAllTypes: boolean;
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly variables: Variables;
  readonly lists: ListRules;
}

function costOfSelections({ selections }: SelectionSetNode, scope: Scope): number {
  let cost = 0;
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      cost += costOfField(selection, scope);
      continue;
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : scope.fragments.get(selection.name.value);
    if (fragment === undefined) continue;
    const type = fragment.typeCondition ? scope.schema.getType(fragment.typeCondition.name.value) : scope.type;
    cost += costOfSelections(fragment.selectionSet, { ...scope, type });
  }
  return cost;
}

function costOfField(node: FieldNode, scope: Scope): number {
  const field = fieldOf(scope.type, node.name.value);
  if (field === undefined || node.selectionSet === undefined) return 1;
  const values = getArgumentValues(field, node, scope.variables);
  const pageSize = pageSizeOf(field, values, scope.lists);
  const isList = isListType(getNullableType(field.type)) && !scope.ofPage;
  const length = pageSize ?? (isList ? (givenLength(values) ?? lengthOf(field, scope)) : 1);
  const inner = {
    ...scope,
    type: getNamedType(field.type),
    ofPage: pageSize !== undefined,
    ofAllTypes: scope.type?.name === '__Schema' && field.name === 'types',
  };
  const { counts } = scope.lists;
  const isCounted = counts.argument in values || selects(counts.field, node.selectionSet, scope.fragments);
  const filter = values[counts.filterArgument];
  const filterCost =
    counts.conditionCost * objectsIn(filter) + (isCounted && hasConditions(filter) ? counts.filteredCost : 0);
  return (
    1 +
    filterCost +
    itemCostOf(field) * (givenLength(values) ?? 1) +
    length * costOfSelections(node.selectionSet, inner)
  );
}

/** The cost per item of a field that works on many records without listing them. */
function itemCostOf({ extensions: { itemCost } }: GraphQLField<unknown, unknown>): number {
  return typeof itemCost === 'number' ? itemCost : 0;
}

function selects(name: string, { selections }: SelectionSetNode, fragments: Fragments): boolean {
  return selections.some((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value === name;
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    return fragment !== undefined && selects(name, fragment.selectionSet, fragments);
  });
}

function hasConditions(filter: unknown): boolean {
  return typeof filter === 'object' && filter !== null && Object.values(filter).some((value) => value !== null);
}

/** Objects within a value, nested ones included. */
function objectsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: readonly unknown[] = Object.values(value);
  const isObject = (member: unknown): boolean =>
    typeof member === 'object' && member !== null && !Array.isArray(member);
  return members.reduce<number>((sum, member) => sum + (isObject(member) ? 1 : 0) + objectsIn(member), 0);
}

/** The assumed length of a list without pagination; for introspection, computed from the schema. */
function lengthOf({ name }: GraphQLField<unknown, unknown>, { type, schema, lists, ofAllTypes }: Scope): number {
  if (type === undefined || !isIntrospectionType(type)) return lists.assumedLength;
  const lengths = introspectionLengths(schema);
  return (ofAllTypes ? lengths.get(`types.${name}`) : undefined) ?? lengths.get(name) ?? 1;
}

const lengthsBySchema = new WeakMap<GraphQLSchema, ReadonlyMap<string, number>>();

/** The number of types, the average number of fields per object type, and per type of any kind, and so on. */
function introspectionLengths(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const cached = lengthsBySchema.get(schema);
  if (cached !== undefined) return cached;
  const types = Object.values(schema.getTypeMap());
  const fields = types.filter((type) => isObjectType(type)).map((type) => Object.values(type.getFields()));
  const inputFields = types.filter(isInputObjectType).map((type) => Object.values(type.getFields()));
  const enumValues = types.filter(isEnumType).map((type) => type.getValues());
  const ofTypes = Object.entries({ fields, inputFields, enumValues });
  const lengths = new Map([
    ['types', types.length],
    ['args', average(fields.flat().map(({ args }) => args))],
    ['directives', schema.getDirectives().length],
    ...ofTypes.map(([name, lists]): [string, number] => [name, average(lists)]),
    // A type has fields, or input fields, or values: summed up over all, each counts once.
    ...ofTypes.map(([name, lists]): [string, number] => [`types.${name}`, lists.flat().length / types.length]),
  ]);
  lengthsBySchema.set(schema, lengths);
  return lengths;
}

function average(lists: readonly (readonly unknown[])[]): number {
  return lists.flat().length / Math.max(1, lists.length);
}

function fieldOf(type: GraphQLNamedType | undefined, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/** The length of a list that has one item for each of an argument; `undefined` without such an argument. */
function givenLength(values: Record<string, unknown>): number | undefined {
  return Object.values(values).find((value) => Array.isArray(value))?.length;
}

/** The page size that a field's arguments request; `undefined` for a field without pagination. */
function pageSizeOf(
  { name: field, args }: GraphQLField<unknown, unknown>,
  values: Record<string, unknown>,
  { sizeArguments, pageSizeDefault, pageSizeMax, longerPages }: ListRules,
): number | undefined {
  const names = sizeArguments.filter((name) => args.some((argument) => argument.name === name));
  if (names.length === 0) return undefined;
  const sizes = names.map((name) => values[name]).filter((value) => typeof value === 'number');
  const size = sizes.length === 0 ? pageSizeDefault : Math.max(...sizes);
  // A size below 1 is rejected by the resolver; here it must not lower the total.
  return Math.min(Math.max(size, 1), longerPages.get(field) ?? pageSizeMax);
}
