import { jsonType } from '@service/http/send';
import type { RestEndpoint } from '../rest/endpoints.ts';
import { parseRead } from '../rest/read-handler.ts';
import { basePath, routeOperationName } from '../rest/routes.ts';
import type { CacheableRequest } from './cacheable-request.ts';

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
  endpoints: readonly RestEndpoint[],
): (address: string) => CacheableRequest | undefined {
  const reads = new Map<string, RestEndpoint>(
    endpoints.filter(({ method }) => method === 'GET').map((endpoint) => [endpoint.path, endpoint]),
  );
  const read = (address: string): CacheableRequest | undefined => {
    const { path, query } = partsOf(address);
    const below = path.slice(basePath.length);
    const lastSlash = below.lastIndexOf('/') + 1;
    const endpoint = reads.get(below) ?? reads.get(`${below.slice(0, lastSlash)}:id`);
    if (endpoint === undefined) return undefined;
    try {
      const { input, keyFor } = parseRead(endpoint, { id: below.slice(lastSlash), query });
      return {
        route: basePath + endpoint.path,
        path,
        input,
        operationIn: () => routeOperationName(endpoint),
        keyFor,
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
    const request = read(address);
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
