import { responseTooLarge } from '@service/errors';
import { type Representation, representationOf } from '@service/http/representation';
import type { Metrics } from '@service/telemetry/metrics';
import { dependenciesOf, type ResponseCache } from '../../cache/response-cache.ts';
import type { ReadInput } from '../../operations/accepted.ts';
import { cacheKeyByCaller } from '../../operations/cache-keys.ts';
import type { Caller } from '../../operations/caller.ts';
import { performAsJson } from '../../operations/perform.ts';
import { Reading } from '../../operations/request.ts';
import { traced } from '../../operations/tracing.ts';
import { identifierMax, notFound, validationFailed } from '../../validation/validate.ts';
import type { CacheableRequest } from '../cacheable-request.ts';
import { ignoredParameters, nameIgnored } from './ignored.ts';
import { pageLinks } from './page-links.ts';
import { basePath, listParameters, patternOf, type ReadRoute, type Route, routes } from './routes.ts';

export interface ReadOptions {
  readonly responseCache: ResponseCache;
  /** Precedes the addresses in responses: the path of `PUBLIC_URL`. */
  readonly prefix: string;
}

/** A GET: what its address gives to the operation, and the cache key of its response. */
interface AddressedRead {
  readonly readInput: ReadInput;
  keyFor(caller: Caller): string;
}

export function readOf(route: ReadRoute, address: Address): AddressedRead {
  const key = route.input === 'query' ? JSON.stringify(fromQuery(address.query)) : address.id;
  return { readInput: () => inputOfAddress(route, address), keyFor: cacheKeyByCaller(route.path, key) };
}

/** Reads a resource: from the response cache (`docs/contract.md` 2), or by its operation. */
export async function readResource(
  { operation, reader, name, input, path }: ReadRoute,
  { readInput, keyFor }: AddressedRead,
  reading: Reading,
  { responseCache, prefix }: ReadOptions,
): Promise<Representation> {
  const { content } = await responseCache.readThrough(keyFor(reading.request.caller), reading.sharers, async () => {
    const body = await traced(reading.request, { type: 'query', name }, () =>
      performAsJson(operation, readInput, reader, reading),
    );
    const link = input === 'query' ? pageLinks(prefix + basePath + path, JSON.parse(body)) : undefined;
    const content = representationOf(body, link);
    if (content.bytes > reading.responseBytesMax) throw responseTooLarge(reading.responseBytesMax);
    return {
      content,
      dependencies: dependenciesOf(operation.scope, reading.dependencies),
    };
  });
  if (content === undefined) throw new Error('A read of REST has a content or an error.');
  return content;
}

/** The parts of the URL of a GET that its input is read from. */
interface Address {
  /** The text in place of `:id`. */
  readonly id: string;
  /** The query, without `?`. */
  readonly query: string;
}

/** The input of a request, by field name. */
type Input = Readonly<Record<string, unknown>>;

const wholeNumber = /^(?:0|[1-9]\d*)$/;

/**
 * Reads the input of a GET by field name. Checks only what is particular to REST: text where a number belongs.
 * @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for an id above the largest.
 */
function inputOfAddress(route: ReadRoute, { id, query }: Address): Input {
  if (route.input === 'none') return {};
  return route.input === 'query' ? fromQuery(query) : { id: idIn(route, id) };
}

/** Reads the id of a path. @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for one above the largest */
export function idIn({ refersTo: kind }: Pick<Route, 'refersTo'>, text: string): number {
  if (!wholeNumber.test(text)) {
    throw validationFailed({ id: ['id must be a whole number in decimal digits, without leading zeros.'] });
  }
  if (kind !== undefined && Number(text) > identifierMax) throw notFound(kind, text);
  return Number(text);
}

/** The query parameters of lists. An invalid or repeated number stays as it is, so that its schema rejects it. */
function fromQuery(query: string): Input {
  const input: Record<string, unknown> = {};
  if (query === '') return input;
  const parameters = new URLSearchParams(query);
  for (const name of listParameters) {
    const values = parameters.getAll(name);
    const [value] = values;
    if (value === undefined) continue;
    // Hundreds of digits are a number too, and any large size is taken as 100 (`docs/contract.md` 6).
    const isNumber = values.length === 1 && wholeNumber.test(value);
    input[name] = isNumber ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : values;
  }
  return input;
}

/** Parsed URLs that are cached: some 5 MB at most. */
const addressesMax = 10_000;
/** A valid URL is shorter: made-up ones must not fill the memory. */
const addressLengthMax = 200;

const reads = new Map(routes.flatMap((route) => (route.method === 'GET' ? [[route.path, route] as const] : [])));

interface MatchOptions extends ReadOptions {
  readonly metrics: Metrics;
}

/** Creates a function that matches GETs by paths exactly as the routes spell them; Express handles other spellings. */
export function createRestMatcher(options: MatchOptions): (address: string) => CacheableRequest | undefined {
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

function match(address: string, options: MatchOptions): CacheableRequest | undefined {
  const end = address.indexOf('?');
  const path = end < 0 ? address : address.slice(0, end);
  const below = path.slice(basePath.length);
  const route = reads.get(patternOf(below) ?? '');
  if (route === undefined) return undefined;
  const parts = { id: below.slice(below.lastIndexOf('/') + 1), query: end < 0 ? '' : address.slice(end + 1) };
  if (route.input === 'path' && !wholeNumber.test(parts.id)) return undefined;
  const read = readOf(route, parts);
  const ignored = ignoredParameters(route, parts.query);
  return {
    route: basePath + route.path,
    path,
    operationIn: () => route.name,
    keyFor: read.keyFor,
    ...(ignored.length > 0 && { note: (response) => nameIgnored(response, route, ignored, options.metrics) }),
    prepare: (state) => async () => ({
      content: await readResource(route, read, new Reading(state), options),
    }),
  };
}
