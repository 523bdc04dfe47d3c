import {
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
  separateOperations,
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
  const known = scopes.get(operation);
  if (known !== undefined) return known;
  const withItsFragments = separateOperations(document)[operation.name?.value ?? ''] ?? document;
  const scope = computeScope(schema, withItsFragments);
  scopes.set(operation, scope);
  return scope;
}

function computeScope(schema: GraphQLSchema, document: DocumentNode): CacheScope {
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
  visit(document, visitWithTypeInfo(types, { Field }));
  return broadest;
}

function broader(left: CacheScope, right: CacheScope): CacheScope {
  return byBreadth.indexOf(left) > byBreadth.indexOf(right) ? left : right;
}
