import { type Representation, representationOf } from '@service/http/representation';
import { dependenciesOf, type ResponseCache } from '../../cache/response-cache.ts';
import { authorize } from '../../operations/access.ts';
import { cacheKeyByCaller } from '../../operations/cache-keys.ts';
import type { Caller } from '../../operations/caller.ts';
import { readAsJson } from '../../operations/perform.ts';
import type { Reading } from '../../operations/request.ts';
import { traced } from '../../operations/tracing.ts';
import { validateInput } from '../../validation/validate.ts';
import { type Address, inputOfAddress } from './address.ts';
import { pageLinks } from './page-links.ts';
import { basePath, type ReadRoute } from './routes.ts';

/** What all reads share. */
export interface ReadOptions {
  readonly responseCache: ResponseCache;
  /** Precedes the addresses in responses: the path of `PUBLIC_URL`. */
  readonly prefix: string;
}

/** A GET whose input is valid. */
export interface ParsedRead {
  readonly input: unknown;
  /** The cache key of its response. */
  keyFor(caller: Caller): string;
}

/** @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for an id above the largest. */
export function parseRead(route: ReadRoute, address: Address): ParsedRead {
  const input = validateInput(route.operation.input, inputOfAddress(route, address));
  return { input, keyFor: cacheKeyByCaller(route.path, JSON.stringify(input)) };
}

/**
 * Reads a resource: permission, validation, the response cache (`docs/contract.md` 2), then the operation.
 * @param parse gives the input, once the caller is known to be permitted.
 */
export async function readResource(
  route: ReadRoute,
  parse: () => ParsedRead,
  reading: Reading,
  { responseCache, prefix }: ReadOptions,
): Promise<Representation> {
  const { operation, selection } = route;
  const { caller } = reading.request;
  authorize(caller, operation);
  const { input, keyFor } = parse();
  const { content } = await responseCache.readThrough(keyFor(caller), async () => {
    const body = await traced(reading.request, { type: 'query', name: route.name }, () =>
      readAsJson(operation, input, selection, reading),
    );
    const link = route.input === 'query' ? pageLinks(prefix + basePath + route.path, JSON.parse(body)) : undefined;
    return {
      content: representationOf(body, link),
      dependencies: dependenciesOf(operation.scope, reading.dependencies),
    };
  });
  if (content === undefined) throw new Error('A read of REST has a content or an error.');
  return content;
}
