import type { GraphQLSchema } from 'graphql';
import { type Operation, prepareOperation } from './operation.ts';
import { type Route, routes } from './routes.ts';

/** A route with its operation. */
export interface RestEndpoint extends Route {
  readonly operation: Operation;
}

/**
 * Prepares the operation of each route, for the router and the fast path.
 * @throws Error when a document does not fit the schema.
 */
export function prepareEndpoints(schema: GraphQLSchema): readonly RestEndpoint[] {
  return routes.map((route) => ({ ...route, operation: prepareOperation(schema, route.document) }));
}
