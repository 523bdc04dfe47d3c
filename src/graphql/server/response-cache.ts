import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { ResponseCache } from '../../cache/response-cache.ts';
import { createSingleFlight } from '../../cache/single-flight.ts';
import type { RequestContext } from '../../context.ts';
import type { ChangeMonitor } from '../../database/change-log/change-monitor.ts';
import { representationOf } from '../../http/representation.ts';
import { cacheScopeOf, dependenciesOf } from '../execution/cache-scope.ts';

/** What Yoga writes: `stringify` gives the body when it is there already. */
type CachedResult = ExecutionResult & { readonly stringify?: () => string };

/** What the keeping of a request's answer needs beside its context. */
export interface WithCacheKey {
  /** The key of the answer, if it is a query's. */
  readonly cacheKey: string;
}

interface ResponseCacheOptions {
  readonly responseCache: ResponseCache;
  readonly changes: ChangeMonitor;
}

/**
 * Keeps the answers to queries that went well, and lets those who ask for the same at the same time share one
 * execution.
 */
export function useResponseCache({
  responseCache,
  changes,
}: ResponseCacheOptions): Plugin<RequestContext & WithCacheKey> {
  const share = createSingleFlight<CachedResult>(changes);
  return {
    onExecute: ({ args: { schema, document, contextValue }, executeFn, setExecuteFn }) => {
      const contents = cacheScopeOf(schema, document);
      if (contents === 'unknown') return;
      const { cacheKey: key } = contextValue;
      setExecuteFn(async (args) => {
        const found = responseCache.get(key);
        if (found !== undefined) return { data: null, stringify: () => found.text };
        return share(key, async () => {
          const epoch = responseCache.epoch();
          const result: CachedResult = await executeFn(args);
          if (result.errors !== undefined) return result;
          const text = JSON.stringify(result);
          responseCache.set(key, representationOf(text), { epoch, programs: dependenciesOf(contents, contextValue) });
          return { ...result, stringify: () => text };
        });
      });
    },
  };
}
