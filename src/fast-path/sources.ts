import type { IncomingMessage } from 'node:http';
import type { AuthenticateCached, AuthenticateStale } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { StaleIfError } from '../cache/stale-if-error.ts';
import type { Representation } from '../http/representation.ts';
import { type Headers, securityHeaders } from '../http/security-headers.ts';

/** Where callers and responses are looked up, and the headers of all responses from there. */
export interface Source {
  callerOf(request: IncomingMessage): Caller | undefined;
  contentOf(key: string): Representation | undefined;
  readonly headers: readonly string[];
}

export interface SourcesOptions {
  readonly authenticateCached: AuthenticateCached;
  readonly authenticateStale: AuthenticateStale;
  readonly responseCache: ResponseCache;
  readonly privateHeaders: Headers;
  readonly staleIfError: StaleIfError;
  readonly staleIfErrorSeconds: number;
}

interface Sources {
  readonly fresh: Source;
  /** What was known before the database became unavailable, while that may be served (`docs/contract.md` 2). */
  stale(): Source | undefined;
  /** While it is not known whether that may be served: resolves when it is. */
  availabilityKnown(): Promise<void> | undefined;
}

export function createSources(options: SourcesOptions): Sources {
  const { authenticateCached, authenticateStale, responseCache, privateHeaders, staleIfError, staleIfErrorSeconds } =
    options;
  const headersWith = (fields: Headers): string[] => [...securityHeaders, ...fields].flat();
  const staleHeaders = headersWith(
    privateHeaders.map(([name, value]): [string, string] =>
      name === 'Cache-Control' ? [name, `${value}, stale-if-error=${staleIfErrorSeconds}`] : [name, value],
    ),
  );
  const fresh: Source = {
    callerOf: ({ headers, socket }) => {
      const apiKey = headers['x-api-key'];
      return Array.isArray(apiKey) ? undefined : authenticateCached(socket, apiKey, headers.authorization);
    },
    contentOf: responseCache.get,
    headers: headersWith(privateHeaders),
  };
  const staleCallerOf: Source['callerOf'] = ({ headers }) => {
    const apiKey = headers['x-api-key'];
    return Array.isArray(apiKey) ? undefined : authenticateStale(apiKey, headers.authorization);
  };

  return {
    fresh,
    stale: () => {
      const seconds = staleIfError.age();
      if (seconds === undefined) return undefined;
      const headers = [...staleHeaders, 'Age', String(Math.floor(seconds))];
      return { callerOf: staleCallerOf, contentOf: responseCache.getStale, headers };
    },
    availabilityKnown: staleIfError.availabilityKnown,
  };
}
