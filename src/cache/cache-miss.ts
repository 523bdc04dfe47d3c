import type { IncomingMessage } from 'node:http';
import type { Caller } from '../accounts/caller.ts';

/** A read that the fast path authenticated, parsed and looked up, without a cache hit. */
export interface CacheMiss {
  readonly caller: Caller;
  readonly key: string;
  readonly input: Readonly<Record<string, unknown>> | undefined;
}

const misses = new WeakMap<IncomingMessage, CacheMiss>();

export function setCacheMiss(request: IncomingMessage, miss: CacheMiss): void {
  misses.set(request, miss);
}

/** The miss of a request, unless its caller has changed: after a wait, the request is authenticated again. */
export function cacheMissOf(request: IncomingMessage, caller: Caller): CacheMiss | undefined {
  const miss = misses.get(request);
  return miss?.caller === caller ? miss : undefined;
}
