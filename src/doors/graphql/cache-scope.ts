import {
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { CacheScope } from '../../cache/response-cache.ts';

const byBreadth: readonly CacheScope[] = ['nothing', 'records', 'catalog', 'uncacheable'];

/** Scopes by operation, since documents are parsed once and executed often. */
const scopes = new WeakMap<OperationDefinitionNode, CacheScope>();

/**
 * The broadest scope of the fields of a query, whatever other operations its document has; `uncacheable` for other
 * operations, and with fields without a scope or for administrators, whose data is not part of the catalog.
 */
export function cacheScopeOf({ schema, document, operationName }: ExecutionArgs): CacheScope {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== OperationTypeNode.QUERY) return 'uncacheable';
  const scope = scopes.get(operation) ?? computeScope(schema, operation, document);
  scopes.set(operation, scope);
  return scope;
}

function computeScope(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  { definitions }: DocumentNode,
): CacheScope {
  const types = new TypeInfo(schema);
  let broadest: CacheScope = 'nothing';
  const Field = (): void => {
    const field = types.getFieldDef();
    const isRoot = types.getParentType() === schema.getQueryType();
    // Introspection: the schema does not change.
    if (field?.name.startsWith('__')) return;
    const { operation, cacheScope = isRoot ? operation?.scope : 'nothing' } = field?.extensions ?? {};
    broadest = broader(broadest, cacheScope ?? 'uncacheable');
  };
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  for (const definition of [operation, ...fragments]) visit(definition, visitWithTypeInfo(types, { Field }));
  return broadest;
}

function broader(left: CacheScope, right: CacheScope): CacheScope {
  return byBreadth.indexOf(left) > byBreadth.indexOf(right) ? left : right;
}
