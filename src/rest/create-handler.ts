import { readIdempotencyKey, replayedHeader } from '@service/http/idempotency-key';
import type { JsonBodyReader } from '@service/http/json-body';
import { sendJson } from '@service/http/send';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { RawContext, RawWriteContext, RequestContext } from '../context.ts';
import { type Claim, claimKey, claimOf, type PriorOutcome, saveOutcome } from '../idempotency.ts';
import { identifierMax, notFound, validateTogether } from '../validation/validate.ts';
import type { ContextOf, Operation, RestEndpoint } from './operation.ts';
import { basePath, type Route } from './routes.ts';

const created = z.looseObject({ id: z.int() });

const picked = (body: object, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([field]) => fields.includes(field)));

/**
 * Handler of a create: permission, validation, idempotency, existence (`docs/contract.md` 2 and 8), then the operation,
 * whose data is the body.
 */
export function createHandler(endpoint: RestEndpoint, readBody: JsonBodyReader, contextOf: ContextOf): RequestHandler {
  const { operation, method, path, fields = [], location = path } = endpoint;
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
    const release = context.holdSlot();
    try {
      const user = context.caller.name ?? '';
      const claim = key === undefined ? key : claimOf({ user, endpoint: `${method} ${path}`, key, body: given });
      const { body, replayed } = await create({ endpoint, input }, claim, context);
      if (replayed) response.setHeader(replayedHeader, 'true');
      response.setHeader('Location', `${basePath}${location}/${created.parse(body).id}`);
      sendJson(response, 201, body);
    } finally {
      release();
    }
  };
}

interface Creation {
  readonly endpoint: RestEndpoint;
  readonly input: ReturnType<Operation['check']>;
}

interface Outcome {
  readonly body: unknown;
  /** Whether it is the outcome of an earlier request. */
  readonly replayed: boolean;
}

/** With the claim of an `Idempotency-Key`, once: a repeat gets the first outcome (`docs/contract.md` 8). */
async function create(creation: Creation, claim: Claim | undefined, context: RequestContext): Promise<Outcome> {
  if (claim === undefined) return { body: await run(creation, context), replayed: false };
  const { groupable } = creation.endpoint.operation;
  const outcome = await context.rawTransaction(createOnce, { ...creation, claim }, { affects: 'nothing', groupable });
  if ('error' in outcome) throw outcome.error;
  if ('body' in outcome) return outcome;
  // A replay acknowledges a write, maybe of another instance: later reads of the client must show it.
  await context.catchUp();
  return { body: JSON.parse(outcome.outcome), replayed: true };
}

/** The change and its idempotency record are one transaction; when it fails, the key stays free. */
async function createOnce(
  { claim, ...creation }: Creation & { readonly claim: Claim },
  context: RawWriteContext,
): Promise<Outcome | PriorOutcome> {
  const prior = await claimKey(context.tx, claim);
  // Not an error: that would roll back what other requests did in the transaction.
  if (prior !== undefined) return prior;
  const body = await run(creation, context);
  await saveOutcome(context.tx, { claim, outcome: JSON.stringify(body) });
  return { body, replayed: false };
}

async function run({ endpoint, input }: Creation, context: RawContext): Promise<unknown> {
  rejectIdentifierBeyondRange(endpoint, input);
  return endpoint.operation.run(context, input);
}

/** @throws ServiceError `NOT_FOUND` for an id that GraphQL's `Int` cannot hold (`docs/contract.md` 2). */
function rejectIdentifierBeyondRange({ refersTo }: Route, input: Creation['input']): void {
  if (refersTo === undefined) return;
  const id = input[refersTo.field];
  if (typeof id === 'number' && id > identifierMax) throw notFound(refersTo.kind, BigInt(id).toString());
}
