import type { RequestHandler, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import type { RequestContext } from '../context.ts';
import { prepareOperation } from '../graphql/operation.ts';
import type { JsonBodyReader } from '../http/json-body.ts';
import { inputOf, refuseIdentifierBeyondRange } from './input.ts';
import { sendContent, sendCreated } from './respond.ts';
import { basePath, type Route } from './routes.ts';

const created = z.looseObject({ id: z.int() });

/** The context of a request that has been authenticated. */
export type ContextOf = (response: Response) => RequestContext;

/**
 * Makes the handler of a row: who, may they, is it valid, is it there (`contract.md` 2), then the
 * operation, whose data is the body.
 */
export function endpoint(
  route: Route,
  schema: GraphQLSchema,
  readBody: JsonBodyReader,
  contextOf: ContextOf,
): RequestHandler {
  const operation = prepareOperation(schema, route.document);
  return async (request, response) => {
    const context = contextOf(response);
    operation.authorize(context.caller);
    const input = operation.check(await inputOf(route, request, response, readBody));
    refuseIdentifierBeyondRange(route, input);
    const body = await operation.run(context, input);
    if (route.location === undefined) sendContent(request, response, body);
    else sendCreated(response, `${basePath}${route.location}/${created.parse(body).id}`, body);
  };
}
