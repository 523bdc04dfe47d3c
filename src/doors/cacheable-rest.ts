import { Reading } from '../operations/request.ts';
import type { CacheableRequest } from './cacheable-request.ts';
import { type ParsedRead, parseRead, type ReadOptions, readResource } from './rest/read.ts';
import { basePath, patternOf, routes } from './rest/routes.ts';

/** Parsed URLs that are cached: some 5 MB at most. */
const addressesMax = 10_000;
/** Longer than any valid URL: made-up ones must not fill the memory. */
const addressLengthMax = 200;

const reads = new Map(routes.flatMap((route) => (route.method === 'GET' ? [[route.path, route] as const] : [])));

/**
 * Creates a function that matches valid GETs, by paths exactly as the routes spell them; Express handles other spellings
 * and rejections.
 */
export function createRestMatcher(options: ReadOptions): (address: string) => CacheableRequest | undefined {
  const matched = new Map<string, CacheableRequest>();
  return (address) => {
    if (!address.startsWith(basePath) || address.length > addressLengthMax) return undefined;
    const cached = matched.get(address);
    if (cached !== undefined) return cached;
    const read = match(address, options);
    // Cheaper than an LRU order for each request.
    if (matched.size >= addressesMax) matched.clear();
    if (read !== undefined) matched.set(address, read);
    return read;
  };
}

function match(address: string, options: ReadOptions): CacheableRequest | undefined {
  const end = address.indexOf('?');
  const path = end < 0 ? address : address.slice(0, end);
  const below = path.slice(basePath.length);
  const route = reads.get(patternOf(below) ?? '');
  if (route === undefined) return undefined;
  const parts = { id: below.slice(below.lastIndexOf('/') + 1), query: end < 0 ? '' : address.slice(end + 1) };
  const parsed = validRead(route, parts);
  if (parsed === undefined) return undefined;
  return {
    route: basePath + route.path,
    path,
    operationIn: () => route.name,
    keyFor: parsed.keyFor,
    prepare: (state) => async () => ({
      content: await readResource(route, () => parsed, new Reading(state), options),
    }),
  };
}

function validRead(...given: Parameters<typeof parseRead>): ParsedRead | undefined {
  try {
    return parseRead(...given);
  } catch {
    return undefined;
  }
}
