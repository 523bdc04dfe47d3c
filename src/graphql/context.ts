import type { Reading, RequestState } from '../operations/request.ts';

/** What resolvers get of a request. */
export interface Context {
  /** For the server of GraphQL. */
  readonly state: RequestState;
  readonly reading: Reading;
}
