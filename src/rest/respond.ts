import { matchesIfNoneMatch, type Representation } from '@service/http/representation';
import { jsonType, sendJson } from '@service/http/send';
import type { Request, Response } from 'express';

/** Responds to a read: 200 with its entity tag, or 304 when `If-None-Match` matches. */
export function sendRepresentation(request: Request, response: Response, content: Representation): void {
  response.setHeader('ETag', content.entityTag);
  if (matchesIfNoneMatch(request.headers['if-none-match'], content)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', content.bytes);
  if (content.link !== undefined) response.setHeader('Link', content.link);
  response.end(content.body);
}

/** Responds to a create: 201 with the `Location` of the new record. */
export function sendCreated(response: Response, location: string, body: unknown): void {
  response.setHeader('Location', location);
  sendJson(response, 201, body);
}
