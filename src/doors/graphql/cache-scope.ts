import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { CacheScope } from '../../cache/response-cache.ts';

const byBreadth: readonly CacheScope[] = ['nothing', 'records', 'catalog', 'uncacheable'];

/** Scopes by document, since documents are parsed once and executed often. */
const scopes = new WeakMap<DocumentNode, CacheScope>();

/**
 * The broadest scope of a query's fields; `uncacheable` for other operations, and with fields without a scope or for
 * administrators, whose data is not part of the catalog.
 */
export function cacheScopeOf(schema: GraphQLSchema, document: DocumentNode): CacheScope {
  const scope = scopes.get(document) ?? computeScope(schema, document);
  scopes.set(document, scope);
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
  const OperationDefinition = ({ operation }: { readonly operation: string }): void => {
    if (operation !== 'query') broadest = 'uncacheable';
  };
  visit(document, visitWithTypeInfo(types, { Field, OperationDefinition }));
  return broadest;
}

function broader(left: CacheScope, right: CacheScope): CacheScope {
  return byBreadth.indexOf(left) > byBreadth.indexOf(right) ? left : right;
}
