import type { ExecutionPlugin } from '@service/graphql-server/context';
import { representationOf } from '@service/http/send';
import type { ExecutionResult } from 'graphql';
import type { ResponseCache } from '../../cache/response-cache.ts';
import type { RequestContext } from '../../context.ts';
import { cacheScopeOf, dependenciesOf } from './cache-scope.ts';

/** An execution result; Yoga calls `stringify`, if present, for the body of the response. */
type CachedResult = ExecutionResult & { readonly stringify?: () => string };

/** Caches the results of queries without errors; identical queries in flight share one execution. */
export function useResponseCache(responseCache: ResponseCache): ExecutionPlugin<RequestContext> {
  const readThrough = responseCache.readThrough<CachedResult>(({ text }) => ({ data: null, stringify: () => text }));
  return {
    onExecute: ({ args: { schema, document, contextValue }, executeFn, setExecuteFn }) => {
      const scope = cacheScopeOf(schema, document);
      if (scope === 'uncacheable') return;
      setExecuteFn((args) =>
        readThrough(contextValue.cacheKey, async () => {
          const result: CachedResult = await executeFn(args);
          if (result.errors !== undefined) return { result };
          const text = JSON.stringify(result);
          const content = representationOf(text);
          const dependencies = dependenciesOf(scope, contextValue);
          return { result: { ...result, stringify: () => text }, cacheable: { content, dependencies } };
        }),
      );
    },
  };
}
