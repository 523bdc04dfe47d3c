import { hash } from 'node:crypto';
import type { Caller } from '../../../../src/accounts/caller.ts';
import { cacheKey } from '../../../../src/cache/key.ts';

/** Everything that the body of a GraphQL response depends on, except the caller. */
export interface RawRequest {
  readonly method: string;
  readonly address: string;
  readonly body: Buffer | undefined;
}

/** Computed from the raw bytes, so that the fast path finds a cached response without parsing the request. */
export function graphqlCacheKey({ method, address, body }: RawRequest, caller: Caller): string {
  return cacheKey(`${method} ${address}`, body === undefined ? '' : hash('sha256', body, 'base64'), caller);
}
