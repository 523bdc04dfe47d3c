import { representationOf } from '@service/http/representation';
import type { Request, RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../accounts/caller.ts';
import { cacheMissOf } from '../cache/cache-miss.ts';
import { cacheKeyByCaller } from '../cache/key.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { cacheScopeOf, dependenciesOf } from '../graphql/server/cache-scope.ts';
import type { ContextOf } from './create-handler.ts';
import type { RestEndpoint } from './endpoints.ts';
import { pageLinks } from './page-links.ts';
import { type Address, type Input, inputOfAddress } from './request-input.ts';
import { sendRepresentation } from './respond.ts';
import { basePath } from './routes.ts';

/** A parsed GET: the operation's validated input, and the cache key for a caller. */
export interface ParsedRead {
  readonly input: Input;
  keyFor(caller: Caller): string;
}

/**
 * For the endpoint and the fast path.
 * @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for an id above the largest.
 */
export function parseRead(endpoint: RestEndpoint, address: Address): ParsedRead {
  const input = endpoint.operation.check(inputOfAddress(endpoint, address));
  return { input, keyFor: cacheKeyByCaller(endpoint.path, JSON.stringify(input)) };
}

interface ReadOptions {
  readonly schema: GraphQLSchema;
  readonly responseCache: ResponseCache;
  readonly contextOf: ContextOf;
}

/** Handler of a read: permission, validation, cache lookup (`docs/contract.md` 2), then the operation. */
export function readHandler(endpoint: RestEndpoint, { schema, responseCache, contextOf }: ReadOptions): RequestHandler {
  const { operation, document, path } = endpoint;
  const isList = endpoint.input === 'query';
  const scope = cacheScopeOf(schema, document);
  if (scope === 'uncacheable') throw new Error(`The results of ${path} cannot be cached.`);
  const readThrough = responseCache.readThrough((content) => content);

  /** Parsed by the fast path, else here. */
  const readOf = (request: Request, caller: Caller): { readonly key: string; readonly input: Input } => {
    const { key, input } = cacheMissOf(request, caller) ?? {};
    if (key !== undefined && input !== undefined) return { key, input };
    const id = request.params['id'];
    const query = request.originalUrl.split('?').slice(1).join('?');
    const parsed = parseRead(endpoint, { id: typeof id === 'string' ? id : '', query });
    return { key: parsed.keyFor(caller), input: parsed.input };
  };

  return async (request, response) => {
    const context = contextOf(response);
    operation.authorize(context.caller);
    const { key, input } = readOf(request, context.caller);
    const execute = async () => {
      const body = await operation.run(context, input);
      const result = representationOf(JSON.stringify(body), isList ? pageLinks(basePath + path, body) : undefined);
      return { result, cacheable: { content: result, dependencies: dependenciesOf(scope, context) } };
    };
    const content = await context.holdingSlot(() => readThrough(key, execute));
    sendRepresentation(request, response, content);
  };
}
