import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipWithCallback } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { matchesIfNoneMatch } from '../http/representation.ts';

const gzip = promisify(gzipWithCallback);

interface Variant {
  readonly bytes: Buffer;
  /** Strong, so each variant has its own (RFC 9110, 8.8.3). */
  readonly entityTag: string;
}

/** Static content, plain and compressed. */
export interface Resource {
  readonly mediaType: string;
  /** A hash of the content, for URLs that may be cached for ever. */
  readonly fingerprint: string;
  readonly plain: Variant;
  readonly gzipped: Variant;
  readonly brotli?: Variant;
}

export async function resourceOf(mediaType: string, content: string | Buffer): Promise<Resource> {
  const plain = Buffer.from(content);
  return compressedResource(mediaType, { plain, gzipped: await gzip(plain) });
}

interface Compressed {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly brotli?: Buffer | undefined;
}

/** Creates a resource from content that is already compressed. */
export function compressedResource(mediaType: string, { plain, gzipped, brotli }: Compressed): Resource {
  const fingerprint = hash('sha256', plain, 'base64url').slice(0, 16);
  return {
    mediaType,
    fingerprint,
    plain: { bytes: plain, entityTag: `"${fingerprint}"` },
    gzipped: { bytes: gzipped, entityTag: `"${fingerprint}-gzip"` },
    ...(brotli && { brotli: { bytes: brotli, entityTag: `"${fingerprint}-br"` } }),
  };
}

export const htmlType = 'text/html; charset=utf-8';

/** `Cache-Control` of URLs without a fingerprint. */
export const revalidate = 'no-cache';
/** `Cache-Control` of URLs with a fingerprint. */
export const immutable = 'public, max-age=31536000, immutable';

/** Sends a resource, or 304 when `If-None-Match` matches. */
export function sendResource(request: Request, response: Response, resource: Resource, cacheControl: string): void {
  const { encoding, variant } = negotiate(request, resource);
  const { bytes, entityTag } = variant;
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('ETag', entityTag);
  response.vary('Accept-Encoding');
  if (matchesIfNoneMatch(request.headers['if-none-match'], { entityTag })) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', resource.mediaType);
  response.setHeader('Content-Length', bytes.length);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.end(bytes);
}

/** Serves a page under a content security policy. */
export function servePage(resource: () => Promise<Resource>, policy: string): RequestHandler {
  return async (request, response) => {
    const content = await resource();
    response.setHeader('Content-Security-Policy', policy);
    sendResource(request, response, content, revalidate);
  };
}

/** The smallest form that the client accepts. */
function negotiate(request: Request, { plain, gzipped, brotli }: Resource) {
  const offered = [...(brotli === undefined ? [] : ['br']), 'gzip', 'identity'];
  const encoding = request.acceptsEncodings(...offered);
  if (encoding === 'br' && brotli !== undefined) return { encoding, variant: brotli };
  return encoding === 'gzip' ? { encoding, variant: gzipped } : { encoding: 'identity', variant: plain };
}
