import { readIdempotencyKey, replayedHeader } from '@service/http/idempotency-key';
import type { JsonBodyReader } from '@service/http/json-body';
import { sendJson } from '@service/http/send';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { accountOf } from '../accounts/caller.ts';
import type { RawContext, RawWriteContext } from '../context.ts';
import { type Claim, claimKey, claimOf, type PriorOutcome, saveOutcome } from '../idempotency.ts';
import { identifierMax, notFound, validateTogether } from '../validation/validate.ts';
import type { ContextOf, Operation, RestEndpoint } from './operation.ts';
import { basePath, type Route } from './routes.ts';

interface CreateOptions {
  /** Of the addresses in responses. */
  readonly prefix: string;
  readonly readBody: JsonBodyReader;
  readonly contextOf: ContextOf;
}

const created = z.looseObject({ id: z.int() });

const picked = (body: object, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([field]) => fields.includes(field)));

/**
 * Handler of a create: permission, validation, idempotency, existence (`docs/contract.md` 2 and 8), then the operation,
 * whose data is the body.
 */
export function createHandler(endpoint: RestEndpoint, { prefix, readBody, contextOf }: CreateOptions): RequestHandler {
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
    const create: Creation['create'] = async (within) => {
      rejectIdentifierBeyondRange(endpoint, input);
      return operation.run(within, input);
    };
    const claimed = { user: accountOf(context.caller), endpoint: `${method} ${path}`, body: given };
    const release = context.holdSlot();
    try {
      // With a key, a repeat gets the first outcome.
      const outcome =
        key === undefined
          ? { body: await create(context) }
          : await context.rawTransaction(
              once,
              { claim: claimOf({ ...claimed, key }), create },
              { affects: 'nothing', groupable },
            );
      if ('error' in outcome) throw outcome.error;
      if ('outcome' in outcome) {
        // A replay acknowledges a write, maybe of another instance: later reads of the client must show it.
        await context.catchUp();
        response.setHeader(replayedHeader, 'true');
      }
      const body: unknown = 'outcome' in outcome ? JSON.parse(outcome.outcome) : outcome.body;
      response.setHeader('Location', `${prefix}${basePath}${location}/${created.parse(body).id}`);
      sendJson(response, 201, body);
    } finally {
      release();
    }
  };
}

interface Creation {
  readonly claim: Claim;
  /** Resolves to the body of the response. */
  readonly create: (context: RawContext) => Promise<unknown>;
}

/** The change and its idempotency record are one transaction; when it fails, the key stays free. */
async function once(
  { claim, create }: Creation,
  context: RawWriteContext,
): Promise<PriorOutcome | { readonly body: unknown }> {
  const prior = await claimKey(context.tx, claim);
  // Not an error: that would roll back what other requests did in the transaction.
  if (prior !== undefined) return prior;
  const body = await create(context);
  await saveOutcome(context.tx, { claim, outcome: JSON.stringify(body) });
  return { body };
}

/** @throws ServiceError `NOT_FOUND` for an id that GraphQL's `Int` cannot hold (`docs/contract.md` 2). */
function rejectIdentifierBeyondRange({ refersTo }: Route, input: ReturnType<Operation['check']>): void {
  if (refersTo === undefined) return;
  const id = input[refersTo.field];
  if (typeof id === 'number' && id > identifierMax) throw notFound(refersTo.kind, BigInt(id).toString());
}
