import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { ResponseCache } from '../../cache/response-cache.ts';
import { createSingleFlight } from '../../cache/single-flight.ts';
import type { RequestContext } from '../../context.ts';
import type { ChangeMonitor } from '../../database/change-log/change-monitor.ts';
import { representationOf } from '../../http/representation.ts';
import { cacheScopeOf, dependenciesOf } from '../execution/cache-scope.ts';

/** An execution result; Yoga calls `stringify`, if present, for the body of the response. */
type CachedResult = ExecutionResult & { readonly stringify?: () => string };

/** What the response cache needs beside the request's context. */
export interface WithCacheKey {
  readonly cacheKey: string;
}

interface ResponseCacheOptions {
  readonly responseCache: ResponseCache;
  readonly changes: ChangeMonitor;
}

/**
 * Response cache plugin: caches the results of queries without errors. Identical queries in flight share one execution
 * (single-flight).
 */
export function useResponseCache({
  responseCache,
  changes,
}: ResponseCacheOptions): Plugin<RequestContext & WithCacheKey> {
  const share = createSingleFlight<CachedResult>(changes);
  return {
    onExecute: ({ args: { schema, document, contextValue }, executeFn, setExecuteFn }) => {
      const scope = cacheScopeOf(schema, document);
      if (scope === 'unknown') return;
      const { cacheKey: key } = contextValue;
      setExecuteFn(async (args) => {
        const cached = responseCache.get(key);
        if (cached !== undefined) return { data: null, stringify: () => cached.text };
        return share(key, async () => {
          const epoch = responseCache.epoch();
          const result: CachedResult = await executeFn(args);
          if (result.errors !== undefined) return result;
          const text = JSON.stringify(result);
          responseCache.set(key, representationOf(text), { epoch, programs: dependenciesOf(scope, contextValue) });
          return { ...result, stringify: () => text };
        });
      });
    },
  };
}
