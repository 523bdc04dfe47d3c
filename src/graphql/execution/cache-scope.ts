import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { RequestContext } from '../../context.ts';
import type { Programs } from '../../database/change-log/epochs.ts';

/**
 * What the answer of a field of Query can contain, and therefore which changes make it old:
 *
 * - `nothing` of the catalog, so that it always is the same;
 * - `records`: those that it reads through the loaders, by identifier, and no others;
 * - `catalog`: any record, as a list or a count does.
 */
export type CacheScope = 'nothing' | 'records' | 'catalog';

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    cacheScope?: CacheScope;
  }
}

const byBreadth: readonly CacheScope[] = ['nothing', 'records', 'catalog'];

/** Documents are parsed once and executed often: each is looked at once. */
const known = new WeakMap<DocumentNode, CacheScope | 'unknown'>();

/**
 * Finds out what the answers to a document can contain.
 *
 * @returns `unknown` when one of its fields does not say, or is for administrators, who look at what is not of the
 *   catalog: such answers are never kept.
 */
export function cacheScopeOf(schema: GraphQLSchema, document: DocumentNode): CacheScope | 'unknown' {
  const found = known.get(document) ?? examine(schema, document);
  known.set(document, found);
  return found;
}

function examine(schema: GraphQLSchema, document: DocumentNode): CacheScope | 'unknown' {
  const types = new TypeInfo(schema);
  let broadest: CacheScope | 'unknown' = 'nothing';
  const Field = (): void => {
    const field = types.getFieldDef();
    const isRoot = types.getParentType() === schema.getQueryType();
    // Introspection is of the schema, which does not change.
    if (field?.name.startsWith('__')) return;
    const contents = isRoot ? field?.extensions.cacheScope : 'nothing';
    if (contents === undefined || field?.extensions.access === 'admin') broadest = 'unknown';
    else if (broadest !== 'unknown') broadest = broader(broadest, contents);
  };
  const OperationDefinition = ({ operation }: { readonly operation: string }): void => {
    if (operation !== 'query') broadest = 'unknown';
  };
  visit(document, visitWithTypeInfo(types, { Field, OperationDefinition }));
  return broadest;
}

function broader(one: CacheScope, other: CacheScope): CacheScope {
  return byBreadth.indexOf(one) > byBreadth.indexOf(other) ? one : other;
}

/** The programs that an answer contains, when its execution has ended. */
export function dependenciesOf(contents: CacheScope, { loaders }: Pick<RequestContext, 'loaders'>): Programs {
  switch (contents) {
    case 'nothing':
      return new Set();
    case 'records':
      return loaders.programs;
    case 'catalog':
      return 'all';
  }
}
