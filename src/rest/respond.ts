import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { sendJson } from '../http/send.ts';

/** A strong entity tag made of the content (RFC 9110, 8.8.3). */
export function entityTagOf(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}

/**
 * Whether the caller has the content already. Compared weakly, as RFC 9110 13.1.2 asks, and whatever
 * `Cache-Control` the request has: that one speaks to caches.
 */
export function alreadyHas(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === entityTag);
}

/** Answers a read: 200 with its entity tag, or 304 when the caller has the content already. */
export function sendContent(request: Request, response: Response, body: unknown): void {
  const entityTag = entityTagOf(Buffer.from(JSON.stringify(body)));
  response.setHeader('ETag', entityTag);
  if (alreadyHas(request.headers['if-none-match'], entityTag)) response.status(304).end();
  else sendJson(response, 200, body);
}

/** Answers a create: 201 with the address of what was created. */
export function sendCreated(response: Response, location: string, body: unknown): void {
  response.setHeader('Location', location);
  sendJson(response, 201, body);
}
