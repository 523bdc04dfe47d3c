import {
  type FieldNode,
  type GraphQLResolveInfo,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

type Selecting = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'schema' | 'returnType'>;

/** Fields completed of each object that a field gives, and of the objects within it that no list has; 1 of a value. */
export function fieldsOfEach({ fieldNodes, returnType, ...document }: Selecting): number {
  return fieldNodes.reduce((sum, { selectionSet }) => sum + fieldsIn(selectionSet, returnType, document), 0);
}

type Document = Pick<Selecting, 'fragments' | 'schema'>;

/** By selections: documents are parsed once and executed often. */
const known = new WeakMap<SelectionSetNode, number>();

function fieldsIn(
  selectionSet: SelectionSetNode | undefined,
  type: GraphQLType | undefined,
  document: Document,
): number {
  if (selectionSet === undefined) return 1;
  const counted = known.get(selectionSet);
  if (counted !== undefined) return counted;
  let fields = 0;
  for (const selection of selectionSet.selections) {
    if (selection.kind === Kind.FIELD) fields += fieldsOf(selection, type, document);
    else {
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : document.fragments[selection.name.value];
      const condition = fragment?.typeCondition?.name.value;
      const ofType = condition === undefined ? type : document.schema.getType(condition);
      fields += fieldsIn(fragment?.selectionSet, ofType, document);
    }
  }
  known.set(selectionSet, fields);
  return fields;
}

function fieldsOf({ name, selectionSet }: FieldNode, parent: GraphQLType | undefined, document: Document): number {
  const named = parent === undefined ? undefined : getNamedType(parent);
  const type = isObjectType(named) || isInterfaceType(named) ? named.getFields()[name.value]?.type : undefined;
  if (selectionSet === undefined || type === undefined || isListType(getNullableType(type))) return 1;
  return 1 + fieldsIn(selectionSet, type, document);
}
