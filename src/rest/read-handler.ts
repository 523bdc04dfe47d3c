import { representationOf, sendRepresentation } from '@service/http/send';
import type { Request, RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../accounts/caller.ts';
import { cacheKeyByCaller, cacheMissOf, dependenciesOf, type ResponseCache } from '../cache/response-cache.ts';
import { cacheScopeOf } from '../graphql/server/cache-scope.ts';
import { identifierMax, notFound, validationFailed } from '../validation/validate.ts';
import type { ContextOf, RestEndpoint } from './operation.ts';
import { pageLinks } from './page-links.ts';
import { basePath, type Route } from './routes.ts';

/** A parsed GET: the operation's validated input, and the cache key for a caller. */
export interface ParsedRead {
  readonly input: Input;
  keyFor(caller: Caller): string;
}

/**
 * For the endpoint and the fast path.
 * @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for an id above the largest.
 */
export function parseRead(endpoint: RestEndpoint, address: RequestAddress): ParsedRead {
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
    const release = context.holdSlot();
    try {
      sendRepresentation(request, response, await readThrough(key, execute));
    } finally {
      release();
    }
  };
}

/** The input of a request, by field name. */
type Input = Readonly<Record<string, unknown>>;

export interface RequestAddress {
  /** The text in place of `:id`. */
  readonly id: string;
  /** Without `?`. */
  readonly query: string;
}

const wholeNumber = /^(?:0|[1-9]\d*)$/;

/**
 * Reads the input of a GET by field name. Checks only what is particular to REST: text where a number belongs.
 * @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for an id above the largest.
 */
function inputOfAddress(route: Route, { id, query }: RequestAddress): Input {
  switch (route.input) {
    case 'path':
      return fromPath(route, id);
    case 'query':
      return fromQuery(query);
    default:
      return {};
  }
}

function fromPath({ refersTo }: Route, text: string): Input {
  if (!wholeNumber.test(text)) {
    throw validationFailed({ id: ['id must be a whole number in decimal digits, without leading zeros.'] });
  }
  if (refersTo !== undefined && Number(text) > identifierMax) throw notFound(refersTo.kind, text);
  return { id: Number(text) };
}

/** The query parameters of lists. An invalid or repeated number stays as it is, so that its schema rejects it. */
function fromQuery(query: string): Input {
  const input: Record<string, unknown> = {};
  if (query === '') return input;
  const parameters = new URLSearchParams(query);
  for (const name of ['page', 'size']) {
    const values = parameters.getAll(name);
    const [value] = values;
    if (value === undefined) continue;
    // Hundreds of digits are a number too, and any large size is taken as 100 (`docs/contract.md` 6).
    const isNumber = values.length === 1 && wholeNumber.test(value);
    input[name] = isNumber ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : values;
  }
  return input;
}
