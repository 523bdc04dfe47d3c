import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import type { Access } from '../../operations/access.ts';
import type { Selection } from '../../operations/selection.ts';

/** A field with all its nodes: those of one key are one field. */
export interface SelectedField extends Selection {
  readonly nodes: readonly FieldNode[];
  /** `undefined` for `__typename` and introspection. */
  readonly field: GraphQLField<unknown, unknown> | undefined;
}

interface Request {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Selected {
  readonly fields: readonly SelectedField[];
  /** What fields need beyond the access of their root field. */
  readonly accesses: ReadonlySet<Access>;
}

/** The fields that the operation of a valid document selects. @throws GraphQLError for an invalid argument. */
export function selectedFields(type: GraphQLObjectType, { schema, document, operation, variables }: Request): Selected {
  const fragments = fragmentsIn(document);
  const accesses = new Set<Access>();
  const fieldsOf = (parent: GraphQLObjectType, collected: ReadonlyMap<string, readonly FieldNode[]>): SelectedField[] =>
    [...collected].map(([key, nodes]) => {
      const [node] = nodes;
      const name = node?.name.value ?? key;
      const field = parent.getFields()[name];
      const { access } = field?.extensions ?? {};
      if (access !== undefined) accesses.add(access);
      const isNested = parent !== type;
      const args = isNested && field && node ? getArgumentValues(field, node, variables) : {};
      const inner = field && getNamedType(field.type);
      // Fields of an interface are those of no root field that has JSON.
      const fields = isObjectType(inner)
        ? fieldsOf(inner, collectSubfields(schema, fragments, variables, inner, nodes))
        : [];
      return { key, name, args, nodes, field, fields };
    });
  const collected = collectFields(schema, fragments, variables, type, operation.selectionSet);
  return { fields: fieldsOf(type, collected), accesses };
}

export const fragmentsIn = ({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> =>
  Object.fromEntries(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((definition) => [definition.name.value, definition]),
  );
