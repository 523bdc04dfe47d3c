import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipWithCallback } from 'node:zlib';
import type { Request, Response } from 'express';
import { matchesIfNoneMatch } from '../http/representation.ts';

const gzip = promisify(gzipWithCallback);

interface Variant {
  readonly bytes: Buffer;
  /** Strong, so each variant has its own (RFC 9110, 8.8.3). */
  readonly entityTag: string;
}

/** Something that is the same for everybody, ready to be sent, as it is and compressed. */
export interface Resource {
  readonly mediaType: string;
  /** Changes with the content: for addresses that may be kept for ever. */
  readonly fingerprint: string;
  readonly plain: Variant;
  readonly gzipped: Variant;
}

/** Makes a resource, and compresses it. */
export async function resourceOf(mediaType: string, content: string | Buffer): Promise<Resource> {
  const bytes = Buffer.from(content);
  return compressedResource(mediaType, bytes, await gzip(bytes));
}

/** Makes a resource of something that has been compressed already. */
export function compressedResource(mediaType: string, bytes: Buffer, gzipped: Buffer): Resource {
  const fingerprint = hash('sha256', bytes, 'base64url').slice(0, 16);
  return {
    mediaType,
    fingerprint,
    plain: { bytes, entityTag: `"${fingerprint}"` },
    gzipped: { bytes: gzipped, entityTag: `"${fingerprint}-gzip"` },
  };
}

/** To be asked for again each time, which costs a 304: what has no fingerprint in its address. */
export const revalidate = 'no-cache';
/** Never to be asked for again: what has. */
export const immutable = 'public, max-age=31536000, immutable';

/** Answers with a resource, or 304 when the caller has it already. */
export function sendResource(request: Request, response: Response, resource: Resource, cacheControl: string): void {
  const compressed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
  const { bytes, entityTag } = compressed ? resource.gzipped : resource.plain;
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('ETag', entityTag);
  response.vary('Accept-Encoding');
  if (matchesIfNoneMatch(request.headers['if-none-match'], { entityTag })) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', resource.mediaType);
  response.setHeader('Content-Length', bytes.length);
  if (compressed) response.setHeader('Content-Encoding', 'gzip');
  response.end(bytes);
}
