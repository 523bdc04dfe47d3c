import type { Logger } from 'pino';
import type { Caller } from './auth/caller.ts';
import type { Actor } from './database/audit.ts';
import type { ChangeKind, Changes } from './database/changes.ts';
import type { Database, Transaction } from './database/client.ts';
import { createLoaders, type Loaders } from './database/loaders.ts';
import type { Metrics } from './operations/metrics.ts';

/** What one request carries from the door to the database. */
export interface RequestContext {
  readonly caller: Caller;
  readonly requestId: string;
  readonly log: Logger;
  readonly db: Database;
  readonly metrics: Metrics;
  /** Reads by identifier, gathered into one statement per level. */
  readonly load: Loaders;
  /** Runs a change in one transaction, by the caller's name; what was read before it is forgotten. */
  readonly write: <Result>(kind: ChangeKind, work: Work<Result>) => Promise<Result>;
}

/** What is done in one transaction, by whom. */
type Work<Result> = (tx: Transaction, actor: Actor) => Promise<Result>;

type Given = Pick<RequestContext, 'caller' | 'requestId' | 'log' | 'db' | 'metrics'> & { readonly changes: Changes };

/** Makes the context of one request. */
export function createContext({ caller, requestId, log, db, metrics, changes }: Given): RequestContext {
  const load = createLoaders(db);
  const actor: Actor = { name: caller.name ?? '', keyId: caller.keyId, requestId };
  return {
    caller,
    requestId,
    log,
    db,
    metrics,
    load,
    write: async (kind, work) => {
      const result = await db.$transaction((tx) => work(tx, actor));
      changes.raise(kind);
      load.clear();
      return result;
    },
  };
}
