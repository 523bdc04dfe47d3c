import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  acceptsNone,
  acceptsOnlyEvents,
  graphqlPath,
  jsonTypeFor,
  jsonTypes,
  operationNameIn,
  operationNameOf,
  wantsPage,
} from '@service/graphql-server/request';
import { type ReadOptions, readBuffered, readBytes } from '@service/http/body-bytes';
import { jsonObjectIn, type RawBody } from '@service/http/json-body';
import { graphqlCacheKey } from '../operations/cache-keys.ts';
import type { CacheableRequest } from './cacheable-request.ts';

/** Matches a GraphQL query by GET; `undefined` when the response may be a page, an event stream or a 406. */
export function matchGet(address: string, headers: IncomingHttpHeaders): CacheableRequest | undefined {
  if (!address.startsWith(`${graphqlPath}?`)) return undefined;
  const type = responseTypeFor(headers);
  if (type === undefined) return undefined;
  return {
    route: graphqlPath,
    path: graphqlPath,
    operationIn: () => operationNameIn(address),
    keyFor: (caller) => graphqlCacheKey({ method: 'GET', address, body: undefined }, caller),
    prepare: () => undefined,
    format: {
      headersOf: ({ bytes, entityTag }) => ['Content-Type', type, 'content-length', String(bytes), 'etag', entityTag],
      notModifiedHeadersOf: ({ entityTag }) => ['etag', entityTag],
    },
  };
}

export type MatchPost = (address: string, headers: IncomingHttpHeaders) => CacheableRequest | undefined;

/** Creates a function that matches a GraphQL request by POST; `undefined` unless it is plain JSON of a known length. */
export function createPostMatcher(prepare: CacheableRequest['prepare'], bodyLimitBytes: number): MatchPost {
  // Cacheable requests by the media type of the response, in which POST requests alone differ before their body is
  // read.
  const matched: ReadonlyMap<string, CacheableRequest> = new Map(
    jsonTypes.map((jsonType): [string, CacheableRequest] => {
      const type = `${jsonType}; charset=utf-8`;
      return [
        type,
        {
          route: graphqlPath,
          path: graphqlPath,
          operationIn: (body) => operationNameOf(jsonObjectIn(body)),
          keyFor: (caller, body) => graphqlCacheKey({ method: 'POST', address: graphqlPath, body }, caller),
          prepare,
          format: {
            headersOf: ({ bytes }) => ['Content-Type', type, 'content-length', String(bytes)],
            notModifiedHeadersOf: () => undefined,
          },
        },
      ];
    }),
  );
  return (address, headers) => {
    if (address !== graphqlPath || !carriesPlainJson(headers, bodyLimitBytes)) return undefined;
    const type = responseTypeFor(headers);
    return type === undefined ? undefined : matched.get(type);
  };
}

/** Reads a body of known, permitted length, or why it cannot be read; not `done` when the client disconnects first. */
export function readSizedBody(
  request: IncomingMessage,
  options: ReadOptions,
  done: (body: RawBody, waited: boolean) => void,
): void {
  const whole = readBuffered(request);
  if (whole !== undefined) {
    done(whole, false);
    return;
  }
  readBytes(request, options).then(
    (body) => done(body, true),
    (problem: RawBody) => {
      if (!request.destroyed) done(problem, true);
    },
  );
}

const plainJson = /^application\/json(?:; ?charset=utf-8)?$/i;

function carriesPlainJson(headers: IncomingHttpHeaders, bodyLimitBytes: number): boolean {
  const bytes = Number(headers['content-length'] ?? 0);
  return (
    bytes > 0 &&
    bytes <= bodyLimitBytes &&
    plainJson.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    headers['idempotency-key'] === undefined
  );
}

/** Response types by `Accept` header: clients send few different ones. */
const responseTypes = new Map<string | undefined, string | undefined>();
const responseTypesMax = 100;

function responseTypeFor({ accept }: IncomingHttpHeaders): string | undefined {
  if (responseTypes.has(accept)) return responseTypes.get(accept);
  const type = negotiateResponseType(accept);
  if (responseTypes.size < responseTypesMax) responseTypes.set(accept, type);
  return type;
}

function negotiateResponseType(accept: string | undefined): string | undefined {
  if (acceptsNone(accept) || acceptsOnlyEvents(accept) || wantsPage(accept)) return undefined;
  return `${jsonTypeFor(accept)}; charset=utf-8`;
}
