import type { Reading, RequestState } from '../operations/request.ts';

export interface Context {
  /** The state that the GraphQL server uses. */
  readonly state: RequestState;
  readonly reading: Reading;
}
