import type { Logger } from 'pino';
import type { Caller } from './auth/caller.ts';
import type { Actor } from './database/audit.ts';
import type { Database, Transaction } from './database/client.ts';
import { createLoaders, type Loaders } from './database/loaders.ts';

/** What one request carries from the door to the database. */
export interface RequestContext {
  readonly caller: Caller;
  readonly requestId: string;
  readonly log: Logger;
  readonly db: Database;
  /** Reads by identifier, gathered into one statement per level. */
  readonly load: Loaders;
  /** Runs a change in one transaction, by the caller's name, and forgets what this request has read before it. */
  readonly write: <Result>(work: (tx: Transaction, actor: Actor) => Promise<Result>) => Promise<Result>;
}

type Given = Pick<RequestContext, 'caller' | 'requestId' | 'log' | 'db'>;

/** Makes the context of one request. */
export function createContext({ caller, requestId, log, db }: Given): RequestContext {
  const load = createLoaders(db);
  const actor: Actor = { name: caller.name ?? '', keyId: caller.keyId, requestId };
  return {
    caller,
    requestId,
    log,
    db,
    load,
    write: async (work) => {
      const result = await db.$transaction((tx) => work(tx, actor));
      load.clear();
      return result;
    },
  };
}
