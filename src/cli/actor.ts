import type { Actor } from '../database/audit.ts';

/** The actor of changes by command line, in the audit log. */
export const actor: Actor = { name: 'cli', keyId: null, requestId: null };
