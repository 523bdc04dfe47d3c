import { representationOf, sendRepresentation } from '@service/http/representation';
import type { Request, RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../accounts/caller.ts';
import {
  cacheKeyByCaller,
  cacheMissOf,
  dependenciesOf,
  type ReadResult,
  type ResponseCache,
} from '../cache/response-cache.ts';
import type { RequestContext } from '../context.ts';
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
  /** Of the addresses in responses. */
  readonly prefix: string;
}

/** A GET with its reader. */
export interface ReadEndpoint {
  readonly endpoint: RestEndpoint;
  /** Permission, cache lookup, then the operation; for the endpoint and the fast path. */
  read(context: RequestContext, key: string, input: Input): Promise<ReadResult>;
}

/** A GET, with its parser and its cached read, for the router and for the fast path. */
export function prepareRead(endpoint: RestEndpoint, { schema, responseCache, prefix }: ReadOptions): ReadEndpoint {
  const { operation, document, path } = endpoint;
  const isList = endpoint.input === 'query';
  const scope = cacheScopeOf(schema, document);
  if (scope === 'uncacheable') throw new Error(`The results of ${path} cannot be cached.`);
  return {
    endpoint,
    read: async (context, key, input) => {
      operation.authorize(context.caller);
      return responseCache.readThrough(key, async () => {
        const body = await operation.read(context, input);
        const content = representationOf(
          body,
          isList ? pageLinks(prefix + basePath + path, JSON.parse(body)) : undefined,
        );
        return { content, dependencies: dependenciesOf(scope, context.dependencies) };
      });
    },
  };
}

/** Handler of a read: permission, validation, cache lookup (`docs/contract.md` 2), then the operation. */
export function readHandler({ endpoint, read }: ReadEndpoint, contextOf: ContextOf): RequestHandler {
  /** As the fast path has begun it, else from here. */
  const resultFor = async (request: Request, context: RequestContext): Promise<ReadResult> => {
    const { caller } = context;
    if (context.readResult !== undefined) return context.readResult;
    const miss = cacheMissOf(request, caller);
    if (miss?.input !== undefined) return read(context, miss.key, miss.input);
    endpoint.operation.authorize(caller);
    const id = request.params['id'];
    const query = request.originalUrl.split('?').slice(1).join('?');
    const { keyFor, input } = parseRead(endpoint, { id: typeof id === 'string' ? id : '', query });
    return read(context, keyFor(caller), input);
  };

  return async (request, response) => {
    const context = contextOf(response);
    const release = context.holdSlot();
    try {
      const { content } = await resultFor(request, context);
      if (content === undefined) throw new Error('A read of REST has a content or an error.');
      sendRepresentation(request, response, content);
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
