import type { Actor } from '../database/audit.ts';

/** Who changes things from the command line, in the audit log. */
export const actor: Actor = { name: 'cli', keyId: null, requestId: null };
