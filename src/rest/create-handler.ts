import { readIdempotencyKey, replayedHeader } from '@service/http/idempotency-key';
import type { JsonBodyReader } from '@service/http/json-body';
import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { RequestContext } from '../context.ts';
import { validateTogether } from '../validation/validate.ts';
import type { RestEndpoint } from './endpoints.ts';
import { runIdempotent } from './idempotency.ts';
import { rejectIdentifierBeyondRange } from './request-input.ts';
import { sendCreated } from './respond.ts';
import { basePath } from './routes.ts';

const created = z.looseObject({ id: z.int() });

const picked = (body: object, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([field]) => fields.includes(field)));

export type ContextOf = (response: Response) => RequestContext;

/**
 * Handler of a create: permission, validation, idempotency, existence (`docs/contract.md` 2 and 8), then the operation,
 * whose data is the body.
 */
export function createHandler(endpoint: RestEndpoint, readBody: JsonBodyReader, contextOf: ContextOf): RequestHandler {
  const { operation, method, path, fields = [], location = path } = endpoint;
  const { groupable } = operation;
  return async (request, response) => {
    operation.authorize(contextOf(response).caller);
    const { key, problems } = readIdempotencyKey(request.get('idempotency-key'));
    const { context, given, input } = await validateTogether(problems, async () => {
      const given = await readBody(request, response);
      // Waiting for the body replaces the context.
      const context = contextOf(response);
      operation.authorize(context.caller);
      return { context, given, input: operation.check(picked(given, fields)) };
    });
    const run = async (inner: RequestContext): Promise<unknown> => {
      rejectIdentifierBeyondRange(endpoint, input);
      return operation.run(inner, input);
    };
    const claimed = { endpoint: `${method} ${path}`, body: given, groupable };
    const { body, replayed } = await context.holdingSlot(async () =>
      key === undefined
        ? { body: await run(context), replayed: false }
        : runIdempotent(context, { ...claimed, key }, run),
    );
    if (replayed) response.setHeader(replayedHeader, 'true');
    sendCreated(response, `${basePath}${location}/${created.parse(body).id}`, body);
  };
}
