import type { RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../auth/caller.ts';
import type { KeptResults } from '../cache/kept-results.ts';
import { resultKeys } from '../cache/key.ts';
import { createSharing } from '../cache/sharing.ts';
import type { RequestContext } from '../context.ts';
import type { Changes } from '../database/changes.ts';
import { contentsOf, programsIn } from '../graphql/contents.ts';
import { type Operation, prepareOperation } from '../graphql/operation.ts';
import { type Content, contentOf } from '../http/content.ts';
import type { ContextOf } from './endpoint.ts';
import { type Address, type Input, inputOfAddress } from './input.ts';
import { sendContent } from './respond.ts';
import type { Route } from './routes.ts';

/** What an address asks of a row that reads: the operation's input, checked, and the key of its answer to a caller. */
export interface Asked {
  readonly input: Input;
  keyFor(caller: Caller): string;
}

/**
 * Understands what an address asks of a row, on the long way and at the front desk alike.
 *
 * @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for an id that no record can have.
 */
export function understand(route: Route, operation: Operation, address: Address): Asked {
  const input = operation.check(inputOfAddress(route, address));
  return { input, keyFor: resultKeys(route.path, JSON.stringify(input)) };
}

interface ReadOptions {
  readonly schema: GraphQLSchema;
  readonly kept: KeptResults;
  readonly changes: Changes;
  readonly contextOf: ContextOf;
}

/**
 * Makes the handler of a row that reads: who, may they, is it valid, is it kept, is it there (`contract.md` 2); then
 * the operation, whose data is the body.
 */
export function readEndpoint(route: Route, { schema, kept, changes, contextOf }: ReadOptions): RequestHandler {
  const operation = prepareOperation(schema, route.document);
  const contents = contentsOf(schema, route.document);
  if (contents === 'unknown') throw new Error(`It is not known what the answer of ${route.path} can contain.`);
  const share = createSharing<Content>(changes);

  const execute = async (context: RequestContext, key: string, input: Input): Promise<Content> => {
    const epoch = kept.begin();
    const content = contentOf(JSON.stringify(await operation.run(context, input)));
    kept.keep(key, content, { epoch, programs: programsIn(contents, context) });
    return content;
  };

  return async (request, response) => {
    const context = contextOf(response);
    operation.authorize(context.caller);
    const id = request.params['id'];
    const { input, keyFor } = understand(route, operation, {
      id: typeof id === 'string' ? id : '',
      query: request.originalUrl.split('?').slice(1).join('?'),
    });
    const key = keyFor(context.caller);
    const content = kept.find(key) ?? (await share(key, () => execute(context, key, input)));
    sendContent(request, response, content);
  };
}
