import { hash } from 'node:crypto';
import type { Caller } from '../../auth/caller.ts';
import { cacheKey } from '../../cache/key.ts';

/** All of a request to GraphQL that its answer's content depends on, but for who asks. */
export interface RawRequest {
  readonly method: string;
  readonly address: string;
  readonly body: Buffer | undefined;
}

/**
 * The key of the answer to a request. Made of the request as it came, not of what is understood by it: who sends the
 * same bytes gets the same answer, and nothing has to be parsed to find it.
 */
export function graphqlCacheKey({ method, address, body }: RawRequest, caller: Caller): string {
  return cacheKey(`${method} ${address}`, body === undefined ? '' : hash('sha256', body, 'base64'), caller);
}
