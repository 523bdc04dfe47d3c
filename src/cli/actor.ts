import { type Actor, actorNames } from '../database/audit.ts';

/** The actor of changes by command line, in the audit log. */
export const actor: Actor = { name: actorNames.commandLine, keyId: null, requestId: null };
