import type { Reading, RequestState } from '../operations/request.ts';

/** What resolvers get of a request. */
export interface Context {
  /** The state that the GraphQL server uses. */
  readonly state: RequestState;
  readonly reading: Reading;
}
