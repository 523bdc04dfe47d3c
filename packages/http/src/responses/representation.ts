import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonType } from './send.ts';

export interface Representation {
  readonly text: string;
  readonly body: string | Buffer;
  readonly bytes: number;
  /** Strong entity tag, a hash of the body (RFC 9110, 8.8.3). */
  readonly entityTag: string;
  /** The addresses of other pages (RFC 8288). */
  readonly link: string | undefined;
}

/** A longer text is encoded once instead of at each send; a shorter one is written together with the headers. */
const shortMax = 4_096;

/** Creates a representation. The entity tag is computed on first use: many responses need none. */
export function representationOf(text: string | Buffer, link?: string): Representation {
  const body = typeof text === 'string' && text.length > shortMax ? Buffer.from(text) : text;
  return makeRepresentation(body, Buffer.byteLength(body), link);
}

function makeRepresentation(body: string | Buffer, bytes: number, link: string | undefined): Representation {
  let entityTag: string | undefined;
  return {
    body,
    bytes,
    link,
    get text() {
      return body.toString();
    },
    get entityTag() {
      entityTag ??= `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
      return entityTag;
    },
  };
}

/** Compares weakly (RFC 9110 13.1.2). `Cache-Control` of the request is ignored, since it addresses caches. */
export function matchesIfNoneMatch(
  ifNoneMatch: string | undefined,
  { entityTag }: Pick<Representation, 'entityTag'>,
): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === entityTag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === entityTag);
}

/** The headers of a representation, as names and values in turn. */
export interface Format {
  headersOf(content: Representation): readonly string[];
  /** The headers of a 304; `undefined` where none is sent. */
  notModifiedHeadersOf(content: Representation): readonly string[] | undefined;
}

const json: Format = {
  headersOf: ({ entityTag, link, bytes }) => {
    const headers = ['ETag', entityTag, 'Content-Type', jsonType, 'Content-Length', String(bytes)];
    if (link !== undefined) headers.push('Link', link);
    return headers;
  },
  notModifiedHeadersOf: ({ entityTag }) => ['ETag', entityTag],
};

interface SendOptions {
  readonly headers?: readonly string[];
  readonly format?: Format | undefined;
}

/**
 * Responds to a read: 200 with its entity tag, or 304 when `If-None-Match` matches. `headers` come first, as names and
 * values in turn; those that the response has already need not be among them.
 */
export function sendRepresentation(
  request: IncomingMessage,
  response: ServerResponse,
  content: Representation,
  { headers = [], format = json }: SendOptions = {},
): 200 | 304 {
  const notModifiedHeaders = format.notModifiedHeadersOf(content);
  if (notModifiedHeaders !== undefined && matchesIfNoneMatch(request.headers['if-none-match'], content)) {
    response.writeHead(304, [...headers, ...notModifiedHeaders]).end();
    return 304;
  }
  response.writeHead(200, [...headers, ...format.headersOf(content)]).end(content.body);
  return 200;
}
