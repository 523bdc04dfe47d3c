import { type Actor, actorNames } from '../accounts/audit/audit.ts';

/** The actor of changes by command line, in the audit log. */
export const actor: Actor = { name: actorNames.commandLine, keyId: null, requestId: null };
