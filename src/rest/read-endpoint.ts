import type { RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../auth/caller.ts';
import { cacheKeyByCaller } from '../cache/key.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { createSingleFlight } from '../cache/single-flight.ts';
import type { RequestContext } from '../context.ts';
import type { ChangeListener } from '../database/notify/change-listener.ts';
import { cacheScopeOf, dependenciesOf } from '../graphql/execution/cache-scope.ts';
import { type Operation, prepareOperation } from '../graphql/execution/operation.ts';
import { type Representation, representationOf } from '../http/representation.ts';
import type { ContextOf } from './create-endpoint.ts';
import { type Address, type Input, inputOfAddress } from './request-input.ts';
import { sendRepresentation } from './respond.ts';
import type { Route } from './routes.ts';

/** What an address asks of a row that reads: the operation's input, checked, and the key of its answer to a caller. */
export interface ParsedRead {
  readonly input: Input;
  keyFor(caller: Caller): string;
}

/**
 * Understands what an address asks of a row, on the long way and at the front desk alike.
 *
 * @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for an id that no record can have.
 */
export function parseRead(route: Route, operation: Operation, address: Address): ParsedRead {
  const input = operation.check(inputOfAddress(route, address));
  return { input, keyFor: cacheKeyByCaller(route.path, JSON.stringify(input)) };
}

interface ReadOptions {
  readonly schema: GraphQLSchema;
  readonly responseCache: ResponseCache;
  readonly changes: ChangeListener;
  readonly contextOf: ContextOf;
}

/**
 * Makes the handler of a row that reads: who, may they, is it valid, is it kept, is it there (`contract.md` 2); then
 * the operation, whose data is the body.
 */
export function readEndpoint(route: Route, { schema, responseCache, changes, contextOf }: ReadOptions): RequestHandler {
  const operation = prepareOperation(schema, route.document);
  const contents = cacheScopeOf(schema, route.document);
  if (contents === 'unknown') throw new Error(`It is not known what the answer of ${route.path} can contain.`);
  const share = createSingleFlight<Representation>(changes);

  const execute = async (context: RequestContext, key: string, input: Input): Promise<Representation> => {
    const epoch = responseCache.epoch();
    const content = representationOf(JSON.stringify(await operation.run(context, input)));
    responseCache.set(key, content, { epoch, programs: dependenciesOf(contents, context) });
    return content;
  };

  return async (request, response) => {
    const context = contextOf(response);
    operation.authorize(context.caller);
    const id = request.params['id'];
    const { input, keyFor } = parseRead(route, operation, {
      id: typeof id === 'string' ? id : '',
      query: request.originalUrl.split('?').slice(1).join('?'),
    });
    const key = keyFor(context.caller);
    const content = responseCache.get(key) ?? (await share(key, () => execute(context, key, input)));
    sendRepresentation(request, response, content);
  };
}
