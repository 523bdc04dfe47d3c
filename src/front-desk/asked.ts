import type { Caller } from '../auth/caller.ts';
import type { Content } from '../http/content.ts';

/** What a request is known to ask for, and what the answer to it looks like when it goes well. */
export interface Asked {
  /** The route's pattern, as the metrics know it. */
  readonly route: string;
  readonly path: string;
  /** The key of the answer to a caller. */
  keyFor(caller: Caller, body: Buffer | undefined): string;
  /** The headers that go with the content, spelled and ordered as on the long way. */
  fieldsOf(content: Content): readonly string[];
  /** The headers of a 304; `undefined` where the long way answers none. */
  unchangedFieldsOf(content: Content): readonly string[] | undefined;
}
