import { readIdempotencyKey, replayedHeader } from '@service/http/idempotency-key';
import type { JsonBodyReader } from '@service/http/json-body';
import { sendJsonText } from '@service/http/send';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { ownerOf } from '../../operations/caller.ts';
import { claimOf, withIdempotencyKey } from '../../operations/idempotency.ts';
import { perform } from '../../operations/perform.ts';
import { Reading } from '../../operations/request.ts';
import { selectedJson } from '../../operations/selection.ts';
import { traced } from '../../operations/tracing.ts';
import { stateOf } from '../authenticate-request.ts';
import { nameIgnored } from './ignored.ts';
import { idIn } from './read.ts';
import { basePath, hasId, type WriteRoute } from './routes.ts';

interface WriteOptions {
  /** Precedes the addresses in responses: the path of `PUBLIC_URL`. */
  readonly prefix: string;
  readonly readBody: JsonBodyReader;
}

const created = z.looseObject({ id: z.int() });

const picked = (body: object, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([field]) => fields.includes(field)));

/**
 * Creates or changes a resource; a new one has its `Location`. With a key, a repeat gets the first response
 * (`docs/contract.md` 8).
 */
export async function writeResource(
  route: WriteRoute,
  request: Request,
  response: Response,
  { prefix, readBody }: WriteOptions,
): Promise<void> {
  const { operation, method, path, fields, selection, location, status } = route;
  const id = String(request.params['id'] ?? '');
  const state = stateOf(request);
  state.requiresAttributes = false;
  const { key, problems } = readIdempotencyKey(request.get('idempotency-key'));
  const reading = new Reading(state, { keyProblems: problems });
  let body: object = {};
  let release = (): void => undefined;
  const readInput = async () => {
    body = await readBody(request, response);
    release = state.holdSlot();
    const ignored = Object.keys(body).filter((field) => !fields.includes(field));
    nameIgnored(response, route, ignored, state.app.metrics);
    return { ...picked(body, fields), ...(hasId(route) && { id: idIn(route, id) }) };
  };
  const bodyOf = (result: unknown): string => selectedJson(result, selection);
  const endpoint = `${method} ${path.replace(':id', id)}`;
  const makeClaim = () => claimOf({ owner: ownerOf(state.caller), endpoint, key: key ?? '', body });
  try {
    const outcome = await traced(state, { type: 'mutation', name: route.name }, async () =>
      key === undefined
        ? { body: bodyOf(await perform(operation, readInput, reading)) }
        : perform(withIdempotencyKey(operation, { makeClaim, bodyOf }), readInput, reading),
    );
    if ('error' in outcome) throw outcome.error;
    if ('outcome' in outcome) {
      // A replay acknowledges a write, maybe of another instance: later reads of the client must show it.
      await state.catchUp();
      response.setHeader(replayedHeader, 'true');
    }
    const text = 'outcome' in outcome ? outcome.outcome : outcome.body;
    if (location !== undefined) {
      response.setHeader('Location', `${prefix}${basePath}${location}/${created.parse(JSON.parse(text)).id}`);
    }
    sendJsonText(response, status, text);
  } finally {
    release();
  }
}
