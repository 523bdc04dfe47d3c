import { hash } from 'node:crypto';
import type { Caller } from '../auth/caller.ts';
import { permissions } from '../auth/permissions.ts';

/** Longer keys are hashed: what a stranger sends must not fill the memory with names instead of results. */
const plainMost = 200;

/**
 * The key of a result: what was asked, with which input, and what of the caller the answer can depend on. Those who
 * may see the same share it, and who may not never finds it.
 */
export function resultKey(operation: string, input: string, { active, permissions: held }: Caller): string {
  const scope = active ? permissions.filter((permission) => held.has(permission)).join(' ') : 'inactive';
  const key = `${scope}\n${operation}\n${input}`;
  return key.length <= plainMost ? key : hash('sha256', key, 'base64');
}
