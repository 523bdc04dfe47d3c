import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Access } from '../../operations/access.ts';
import type { Selection } from '../../operations/selection.ts';

/** A field with all its nodes: those of one key are one field. */
export interface SelectedField extends Selection {
  readonly nodes: readonly FieldNode[];
  /** `undefined` for `__typename`. */
  readonly field: GraphQLField<unknown, unknown> | undefined;
}

interface Scope {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Gets the access that fields need beyond that of their root field. */
  readonly accesses: Set<Access>;
}

/** The fields of an object that a valid document selects, as GraphQL executes them (its specification, 6.3.2). */
export function selectedFields(
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
  scope: Scope,
  isNested = false,
): SelectedField[] {
  const collected = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  for (const { selections } of selectionSets) collect(selections, type, { ...scope, collected, visited });
  return [...collected].map(([key, nodes]) => {
    const name = nodes[0]?.name.value ?? key;
    const field = type.getFields()[name];
    const { access } = field?.extensions ?? {};
    if (access !== undefined) scope.accesses.add(access);
    const inner = field && getNamedType(field.type);
    const [node] = nodes;
    const hasArguments = isNested && field !== undefined && node !== undefined && field.args.length > 0;
    const args = hasArguments ? getArgumentValues(field, node, scope.variables) : {};
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    // Fields of an interface are those of no root field that has JSON.
    return {
      key,
      name,
      args,
      nodes,
      field,
      fields: isObjectType(inner) ? selectedFields(inner, sets, scope, true) : [],
    };
  });
}

interface Collecting extends Scope {
  readonly collected: Map<string, FieldNode[]>;
  /** Names of fragments. */
  readonly visited: Set<string>;
}

function collect(selections: readonly SelectionNode[], type: GraphQLObjectType, scope: Collecting): void {
  const { schema, document, variables, collected, visited } = scope;
  for (const node of selections) {
    if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) continue;
    if (getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] === false) continue;
    if (node.kind === Kind.FIELD) {
      const key = (node.alias ?? node.name).value;
      collected.set(key, [...(collected.get(key) ?? []), node]);
      continue;
    }
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      if (visited.has(node.name.value)) continue;
      visited.add(node.name.value);
    }
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragmentNamed(node.name.value, document);
    if (fragment !== undefined && isOf(fragment.typeCondition?.name.value, type, schema))
      collect(fragment.selectionSet.selections, type, scope);
  }
}

const fragmentNamed = (name: string, { definitions }: DocumentNode): FragmentDefinitionNode | undefined =>
  definitions
    .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
    .find((definition) => definition.name.value === name);

function isOf(condition: string | undefined, type: GraphQLObjectType, schema: GraphQLSchema): boolean {
  const conditional = condition === undefined ? type : schema.getType(condition);
  return conditional === type || (isAbstractType(conditional) && schema.isSubType(conditional, type));
}
