import { hash } from 'node:crypto';
import type { Caller } from '../auth/caller.ts';
import { type Permission, permissions } from '../auth/permissions.ts';

/** Longer keys are hashed: what a stranger sends must not fill the memory with names instead of results. */
const plainMax = 200;

/**
 * The key of a result: what was asked, with which input, and what of the caller the answer can depend on. Those who
 * may see the same share it, and who may not never finds it.
 */
export function cacheKey(operation: string, input: string, { active, permissions: held }: Caller): string {
  const key = `${active ? scopeOf(held) : 'inactive'}\n${operation}\n${input}`;
  return key.length <= plainMax ? key : hash('sha256', key, 'base64');
}

/** The keys of the results of one question that is asked again and again: made once for all who may see the same. */
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

/** The names of sets of permissions: there are few, which callers share (`permissionsOf`). */
const scopes = new Map<ReadonlySet<Permission>, string>();

function scopeOf(held: ReadonlySet<Permission>): string {
  const known = scopes.get(held);
  if (known !== undefined) return known;
  const scope = permissions.filter((permission) => held.has(permission)).join(' ');
  scopes.set(held, scope);
  return scope;
}
