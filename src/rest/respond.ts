import type { Request, Response } from 'express';
import { matchesIfNoneMatch, type Representation } from '../http/representation.ts';
import { jsonType, sendJson } from '../http/send.ts';

/** Answers a read: 200 with its entity tag, or 304 when the caller has the content already. */
export function sendRepresentation(request: Request, response: Response, content: Representation): void {
  response.setHeader('ETag', content.entityTag);
  if (matchesIfNoneMatch(request.headers['if-none-match'], content)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', content.bytes);
  response.end(content.body);
}

/** Answers a create: 201 with the address of what was created. */
export function sendCreated(response: Response, location: string, body: unknown): void {
  response.setHeader('Location', location);
  sendJson(response, 201, body);
}
