import type { IncomingMessage } from 'node:http';
import type { Caller } from '../auth/caller.ts';

/** A read that the fast path has authenticated, parsed and looked up, without a cache hit. */
export interface Miss {
  readonly caller: Caller;
  readonly key: string;
  readonly input: Readonly<Record<string, unknown>> | undefined;
}

const misses = new WeakMap<IncomingMessage, Miss>();

export function handOnMiss(request: IncomingMessage, miss: Miss): void {
  misses.set(request, miss);
}

/** The miss of a request, if its caller is still the same: after a wait, another one may have been authenticated. */
export function missOf(request: IncomingMessage, caller: Caller): Miss | undefined {
  const miss = misses.get(request);
  return miss?.caller === caller ? miss : undefined;
}
