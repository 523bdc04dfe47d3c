import { jsonType } from '@service/http/send';
import { parseRead, type ReadEndpoint } from '../rest/read-handler.ts';
import { basePath, patternOf, routeOperationName } from '../rest/routes.ts';
import type { CacheableRequest } from './match-graphql.ts';

/** Parsed URLs that are cached: some 5 MB at most. */
const addressesMax = 10_000;
/** Longer than any valid URL: made-up ones must not fill the memory. */
const addressLengthMax = 200;

const fields: Pick<CacheableRequest, 'headersFor' | 'notModifiedHeadersFor'> = {
  headersFor: ({ entityTag, link, bytes }) => {
    const headers = ['ETag', entityTag, 'Content-Type', jsonType, 'Content-Length', String(bytes)];
    if (link !== undefined) headers.push('Link', link);
    return headers;
  },
  notModifiedHeadersFor: ({ entityTag }) => ['ETag', entityTag],
};

/** Matches paths exactly as the routes spell them; Express handles other spellings and all rejections. */
export function createRestMatcher(
  endpoints: readonly ReadEndpoint[],
): (address: string) => CacheableRequest | undefined {
  const reads = new Map<string, ReadEndpoint>(endpoints.map((read) => [read.endpoint.path, read]));
  const parse = (address: string): CacheableRequest | undefined => {
    const { path, query } = partsOf(address);
    const below = path.slice(basePath.length);
    const found = reads.get(patternOf(below) ?? '');
    if (found === undefined) return undefined;
    const { endpoint, read } = found;
    try {
      const { input, keyFor } = parseRead(endpoint, { id: below.slice(below.lastIndexOf('/') + 1), query });
      return {
        route: basePath + endpoint.path,
        path,
        input,
        operationIn: () => routeOperationName(endpoint),
        keyFor,
        read: (context, key) => read(context, key, input),
        ...fields,
      };
    } catch {
      return undefined;
    }
  };

  const parsed = new Map<string, CacheableRequest>();
  return (address) => {
    if (!address.startsWith(basePath) || address.length > addressLengthMax) return undefined;
    const cached = parsed.get(address);
    if (cached !== undefined) return cached;
    const request = parse(address);
    // Cheaper than an LRU order for each request.
    if (parsed.size >= addressesMax) parsed.clear();
    if (request !== undefined) parsed.set(address, request);
    return request;
  };
}

function partsOf(address: string): { readonly path: string; readonly query: string } {
  const end = address.indexOf('?');
  return end < 0 ? { path: address, query: '' } : { path: address.slice(0, end), query: address.slice(end + 1) };
}
