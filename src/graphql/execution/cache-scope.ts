import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { RequestContext } from '../../context.ts';
import type { Programs } from '../../database/change-log/epochs.ts';

/**
 * What the result of a Query field depends on, and so which changes invalidate it:
 *
 * - `nothing` of the catalog: it never changes;
 * - `records`: only those that it reads by identifier through the loaders;
 * - `catalog`: any record, as lists and counts do.
 */
export type CacheScope = 'nothing' | 'records' | 'catalog';

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    cacheScope?: CacheScope;
  }
}

const byBreadth: readonly CacheScope[] = ['nothing', 'records', 'catalog'];

/** Scopes by document, since documents are parsed once and executed often. */
const scopes = new WeakMap<DocumentNode, CacheScope | 'unknown'>();

/**
 * The cache scope of a document: the broadest of its fields.
 *
 * @returns `unknown`, so not cacheable, when it is no query, or a field has no scope or is for administrators, since
 *   their data is not part of the catalog.
 */
export function cacheScopeOf(schema: GraphQLSchema, document: DocumentNode): CacheScope | 'unknown' {
  const scope = scopes.get(document) ?? computeScope(schema, document);
  scopes.set(document, scope);
  return scope;
}

function computeScope(schema: GraphQLSchema, document: DocumentNode): CacheScope | 'unknown' {
  const types = new TypeInfo(schema);
  let broadest: CacheScope | 'unknown' = 'nothing';
  const Field = (): void => {
    const field = types.getFieldDef();
    const isRoot = types.getParentType() === schema.getQueryType();
    // Introspection: the schema does not change.
    if (field?.name.startsWith('__')) return;
    const scope = isRoot ? field?.extensions.cacheScope : 'nothing';
    if (scope === undefined || field?.extensions.access === 'admin') broadest = 'unknown';
    else if (broadest !== 'unknown') broadest = broader(broadest, scope);
  };
  const OperationDefinition = ({ operation }: { readonly operation: string }): void => {
    if (operation !== 'query') broadest = 'unknown';
  };
  visit(document, visitWithTypeInfo(types, { Field, OperationDefinition }));
  return broadest;
}

function broader(left: CacheScope, right: CacheScope): CacheScope {
  return byBreadth.indexOf(left) > byBreadth.indexOf(right) ? left : right;
}

/** The programs that a result depends on, after its execution. */
export function dependenciesOf(scope: CacheScope, { loaders }: Pick<RequestContext, 'loaders'>): Programs {
  switch (scope) {
    case 'nothing':
      return new Set();
    case 'records':
      return loaders.programs;
    case 'catalog':
      return 'all';
  }
}
