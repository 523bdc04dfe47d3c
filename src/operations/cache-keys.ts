import { hash } from 'node:crypto';
import { type Permission, permissions } from '../validation/permissions.ts';
import type { Caller } from './caller.ts';

/** Longer keys are hashed, so that long requests do not fill the cache with keys instead of results. */
const plainMax = 200;

/** The cache key of a result. Callers with equal permissions share an entry; others never hit it. */
export function cacheKey(operation: string, input: string, { active, permissions: held }: Caller): string {
  const key = `${active ? scopeOf(held) : 'inactive'}\n${operation}\n${input}`;
  return key.length <= plainMax ? key : hash('sha256', key, 'base64');
}

/** Everything that the body of a GraphQL response depends on, except the caller. */
interface RawRequest {
  readonly method: string;
  readonly address: string;
  readonly body: Buffer | undefined;
}

/** Computed from the raw bytes, so that the fast path finds a cached response without parsing the request. */
export function graphqlCacheKey({ method, address, body }: RawRequest, caller: Caller): string {
  return cacheKey(`${method} ${address}`, body === undefined ? '' : hash('sha256', body, 'base64'), caller);
}

/** The cache key of one read by caller; made once for all callers with the same permissions. */
export function cacheKeyByCaller(operation: string, input: string): (caller: Caller) => string {
  const keys = new Map<ReadonlySet<Permission>, string>();
  return (caller) => {
    if (!caller.active) return cacheKey(operation, input, caller);
    const known = keys.get(caller.permissions);
    if (known !== undefined) return known;
    const key = cacheKey(operation, input, caller);
    keys.set(caller.permissions, key);
    return key;
  };
}

const scopes = new Map<ReadonlySet<Permission>, string>();

function scopeOf(held: ReadonlySet<Permission>): string {
  const known = scopes.get(held);
  if (known !== undefined) return known;
  const scope = permissions.filter((permission) => held.has(permission)).join(' ');
  scopes.set(held, scope);
  return scope;
}
