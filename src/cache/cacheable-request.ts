import type { Representation } from '@service/http/send';
import type { Caller } from '../accounts/caller.ts';

export interface CacheableRequest {
  /** The route's pattern, as in the metrics. */
  readonly route: string;
  readonly path: string;
  /** The name of the operation, for the log. */
  operationIn(body: Buffer | undefined): string | undefined;
  /** The validated input, of a REST read. */
  readonly input?: Readonly<Record<string, unknown>>;
  keyFor(caller: Caller, body: Buffer | undefined): string;
  /** The headers of a 200, spelled and ordered as Express and Yoga send them. */
  headersFor(content: Representation): readonly string[];
  /** The headers of a 304; `undefined` where none is sent. */
  notModifiedHeadersFor(content: Representation): readonly string[] | undefined;
}
