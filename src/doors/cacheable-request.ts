import type { ServerResponse } from 'node:http';
import type { Format, Representation } from '@service/http/representation';
import type { Caller } from '../operations/caller.ts';
import type { RequestState } from '../operations/request.ts';

export interface ReadResponse {
  readonly content: Representation;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request whose response may be cached. */
export interface CacheableRequest {
  /** The route's pattern, as in the metrics. */
  readonly route: string;
  readonly path: string;
  /** The name of the operation, for the log. */
  operationIn(body: Buffer | undefined): string | undefined;
  keyFor(caller: Caller, body: Buffer | undefined): string;
  /** How to read it at once; `undefined` when the application must respond. */
  prepare(state: RequestState, key: string, body: Buffer | undefined): (() => Promise<ReadResponse>) | undefined;
  /** Adds to the headers of the response, cached or not, what the request has without effect. */
  note?(response: ServerResponse): void;
  /** JSON as REST sends it, when absent. */
  readonly format?: Format;
}
