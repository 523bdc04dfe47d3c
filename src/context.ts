import type { Logger } from 'pino';
import type { Caller } from './auth/caller.ts';
import type { Reauthentication } from './auth/reauthentication.ts';
import type { CatalogEvent } from './change-feed/catalog-event.ts';
import type { SubscribeOptions } from './change-feed/feed.ts';
import type { Actor } from './database/audit.ts';
import { createLoaders, type Loaders } from './database/catalog/loaders.ts';
import type { ChangeMonitor } from './database/change-log/change-monitor.ts';
import type { ChangeKind } from './database/change-log/epochs.ts';
import type { GroupCommitOptions, RunInGroupCommit } from './database/connection/group-commit.ts';
import type { AnyTransaction, RawTransaction } from './database/connection/sql.ts';
import type { Database, Transaction } from './database/connection/types.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Tracing } from './observability/tracing.ts';

/** What one request carries from the door to the database. */
export interface RequestContext {
  readonly caller: Caller;
  readonly requestId: string;
  readonly log: Logger;
  /** For reading; what is changed goes through `write`. */
  readonly db: Transaction;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  /** Reads by identifier, gathered into one statement per level. */
  readonly loaders: Loaders;
  /** Runs a change in one transaction, by the caller's name; what was read before it is forgotten. */
  readonly write: <Result>(change: Change<Result>, work: Work<Result>) => Promise<Result>;
  /**
   * Runs work in one transaction: whatever it reads and writes through the context that it is given belongs to it, and
   * is kept when the work succeeds. When the work throws, nothing is.
   */
  readonly atomically: <Result>(work: AtomicWork<Result>) => Promise<Result>;
  /** Creates, as `write` does, by statements of our own alone, which takes less than half of the time. */
  readonly create: <Result>(
    created: (result: Result) => readonly number[],
    work: OwnWork<Result>,
    sharing: GroupCommitOptions,
  ) => Promise<Result>;
  /**
   * Runs work in one transaction, like `atomically`: whatever it creates through the context that it is given belongs
   * to it. It changes nothing else, and what it reads through that is not part of it.
   */
  readonly runInGroupCommit: <Result>(work: OwnAtomicWork<Result>, sharing: GroupCommitOptions) => Promise<Result>;
  /** Follows the changes of the catalog, for as long as the caller may and the client is there. */
  readonly subscribe: (wish: SubscribeOptions) => Promise<AsyncIterableIterator<CatalogEvent>>;
  /** Calls back once the response is closed: it has been sent, or its client is gone. At once when it is closed already. */
  readonly onClosed: (release: () => void) => void;
}

/**
 * What work changes: who may come in; the catalog, all of it; or of the catalog the programs that are told, by id,
 * from the work's result.
 */
type Change<Result> = ChangeKind | ((result: Result) => readonly number[]);

/** What has been changed. */
interface Affected {
  readonly kind: ChangeKind;
  /** Of the catalog, these programs; all, when it does not say. */
  readonly programs?: readonly number[];
}

/** What is done in one transaction, by whom. */
type Work<Result> = (tx: Transaction, actor: Actor) => Promise<Result>;

/** What is done through a context of its own, and in its transaction. */
type AtomicWork<Result> = (context: RequestContext, tx: Transaction) => Promise<Result>;

/** What is done by statements of our own, by whom. */
type OwnWork<Result> = (tx: AnyTransaction, actor: Actor) => Promise<Result>;

/** What is done through a context of its own, and by statements of our own in its transaction. */
type OwnAtomicWork<Result> = (context: RequestContext, tx: AnyTransaction) => Promise<Result>;

/** What stays the same in every context of a request. */
type Request = Pick<RequestContext, 'caller' | 'requestId' | 'log' | 'metrics' | 'tracing' | 'subscribe' | 'onClosed'>;

interface Given {
  readonly request: Request;
  readonly db: Database;
  readonly runInGroupCommit: RunInGroupCommit;
  readonly changes: ChangeMonitor;
  /** Authenticates the caller again when users or keys change while a transaction waits for its connection. */
  readonly renewal: Reauthentication;
  /** Called when something was changed, for good. */
  readonly onCommit?: () => void;
}

/** Makes the context of one request. */
export function createContext({ request, db, runInGroupCommit, changes, renewal, onCommit }: Given): RequestContext {
  // Who only creates reads nothing.
  let load: Loaders | undefined;
  const tell = (touched: readonly Affected[]): void => {
    for (const { kind, programs } of touched) changes.bump(kind, programs);
    if (touched.length > 0) onCommit?.();
    load?.clear();
  };
  const context: RequestContext = {
    ...request,
    db,
    get loaders() {
      load ??= createLoaders(db);
      return load;
    },
    atomically: async (work) => {
      const touched: Affected[] = [];
      const result = await renewal.whileCurrent((begin) =>
        db.$transaction(async (tx) => {
          begin();
          return work(contextInside(tx, request, touched), tx);
        }),
      );
      tell(touched);
      return result;
    },
    write: (change, work) => context.atomically((inner) => inner.write(change, work)),
    runInGroupCommit: async (work, sharing) => {
      const [result, touched] = await renewal.whileCurrent((begin) =>
        runInGroupCommit(async (tx) => {
          begin();
          const touched: Affected[] = [];
          return [await work(contextBeside(tx, { request, outer: context, touched }), tx), touched];
        }, sharing),
      );
      tell(touched);
      return result;
    },
    create: (created, work, sharing) =>
      context.runInGroupCommit((inner) => inner.create(created, work, sharing), sharing),
  };
  return context;
}

/** The context of a request inside a transaction: its writes join that, and add what they changed to `touched`. */
function contextInside(tx: Transaction, request: Request, touched: Affected[]): RequestContext {
  const load = createLoaders(tx);
  const actor = actorOf(request);
  const context: RequestContext = {
    ...request,
    db: tx,
    loaders: load,
    write: async (change, work) => {
      const result = await work(tx, actor);
      touched.push(typeof change === 'string' ? { kind: change } : { kind: 'catalog', programs: change(result) });
      load.clear();
      return result;
    },
    atomically: (work) => work(context, tx),
    create: (created, work) => context.write(created, work),
    runInGroupCommit: (work) => work(context, tx),
  };
  return context;
}

interface Beside {
  readonly request: Request;
  /** The context outside, which goes on reading. */
  readonly outer: RequestContext;
  readonly touched: Affected[];
}

/** The context of a request beside a transaction of our own: what it creates joins that. */
function contextBeside(tx: RawTransaction, { request, outer, touched }: Beside): RequestContext {
  const actor = actorOf(request);
  const context: RequestContext = {
    ...request,
    db: outer.db,
    get loaders() {
      return outer.loaders;
    },
    write: refuseToChange,
    atomically: refuseToChange,
    create: async (created, work) => {
      const result = await work(tx, actor);
      touched.push({ kind: 'catalog', programs: created(result) });
      return result;
    },
    runInGroupCommit: (work) => work(context, tx),
  };
  return context;
}

async function refuseToChange(): Promise<never> {
  throw new Error('In a transaction of our own nothing is changed by way of the client.');
}

function actorOf({ caller, requestId }: Request): Actor {
  return { name: caller.name ?? '', keyId: caller.keyId, requestId };
}
