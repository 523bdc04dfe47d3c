import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceError } from '@service/errors';
import { graphqlError } from '@service/graphql-server/errors';
import { acceptsOnlyEvents } from '@service/graphql-server/request';
import { sendError } from '@service/http/send';

/** An error before execution (`docs/contract.md` 7). */
export function sendGraphqlError(response: ServerResponse, error: ServiceError): void {
  const formatted = graphqlError(error).toJSON();
  const hint = hintFor(response.req, error);
  const extensions = { ...formatted.extensions, ...(hint && { hint }) };
  sendError(response, error, { errors: [{ ...formatted, extensions }] });
}

/** `EventSource` in a browser sends no key and shows no error, so its author sees only the response. */
function hintFor({ headers }: IncomingMessage, { code }: ServiceError): string | undefined {
  const isEventSource = acceptsOnlyEvents(headers.accept) && headers['sec-fetch-mode'] !== undefined;
  if (code !== 'API_KEY_MISSING' || !isEventSource) return undefined;
  return 'EventSource cannot send a key: use fetch, graphql-sse or graphql-ws (/docs/recipes).';
}
