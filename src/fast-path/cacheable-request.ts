import type { Caller } from '../auth/caller.ts';
import type { Representation } from '../http/representation.ts';

/** What a request is known to ask for, and what the answer to it looks like when it goes well. */
export interface CacheableRequest {
  /** The route's pattern, as the metrics know it. */
  readonly route: string;
  readonly path: string;
  /** The key of the answer to a caller. */
  keyFor(caller: Caller, body: Buffer | undefined): string;
  /** The headers that go with the content, spelled and ordered as on the long way. */
  headersFor(content: Representation): readonly string[];
  /** The headers of a 304; `undefined` where the long way answers none. */
  notModifiedHeadersFor(content: Representation): readonly string[] | undefined;
}
