import type { Logger } from 'pino';
import type { Caller } from './auth/caller.ts';
import type { Renewal } from './auth/renewal.ts';
import type { Actor } from './database/audit.ts';
import type { Changes } from './database/changes.ts';
import type { Database, Transaction } from './database/client.ts';
import type { ChangeKind } from './database/epochs.ts';
import { createLoaders, type Loaders } from './database/loaders.ts';
import type { InOwnTransaction, Sharing } from './database/own-transaction.ts';
import type { AnyTransaction, OwnTransaction } from './database/select.ts';
import type { CatalogEvent } from './live/catalog-event.ts';
import type { Wish } from './live/catalog-feed.ts';
import type { Metrics } from './operations/metrics.ts';
import type { Tracing } from './operations/tracing.ts';

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
  readonly load: Loaders;
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
    sharing: Sharing,
  ) => Promise<Result>;
  /**
   * Runs work in one transaction, like `atomically`: whatever it creates through the context that it is given belongs
   * to it. It changes nothing else, and what it reads through that is not part of it.
   */
  readonly inOwnTransaction: <Result>(work: OwnAtomicWork<Result>, sharing: Sharing) => Promise<Result>;
  /** Follows the changes of the catalog, for as long as the caller may and the client is there. */
  readonly follow: (wish: Wish) => Promise<AsyncIterableIterator<CatalogEvent>>;
  /** Calls back once the response is closed: it has been sent, or its client is gone. At once when it is closed already. */
  readonly onClosed: (release: () => void) => void;
}

/**
 * What work changes: who may come in; the catalog, all of it; or of the catalog the programs that are told, by id,
 * from the work's result.
 */
type Change<Result> = ChangeKind | ((result: Result) => readonly number[]);

/** What has been changed. */
interface Touched {
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
type Request = Pick<RequestContext, 'caller' | 'requestId' | 'log' | 'metrics' | 'tracing' | 'follow' | 'onClosed'>;

interface Given {
  readonly request: Request;
  readonly db: Database;
  readonly inOwnTransaction: InOwnTransaction;
  readonly changes: Changes;
  /** Authenticates the caller again when users or keys change while a transaction waits for its connection. */
  readonly renewal: Renewal;
  /** Called when something was changed, for good. */
  readonly onWritten?: () => void;
}

/** Makes the context of one request. */
export function createContext({ request, db, inOwnTransaction, changes, renewal, onWritten }: Given): RequestContext {
  // Who only creates reads nothing.
  let load: Loaders | undefined;
  const tell = (touched: readonly Touched[]): void => {
    for (const { kind, programs } of touched) changes.raise(kind, programs);
    if (touched.length > 0) onWritten?.();
    load?.clear();
  };
  const context: RequestContext = {
    ...request,
    db,
    get load() {
      load ??= createLoaders(db);
      return load;
    },
    atomically: async (work) => {
      const touched: Touched[] = [];
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
    inOwnTransaction: async (work, sharing) => {
      const [result, touched] = await renewal.whileCurrent((begin) =>
        inOwnTransaction(async (tx) => {
          begin();
          const touched: Touched[] = [];
          return [await work(contextBeside(tx, { request, outer: context, touched }), tx), touched];
        }, sharing),
      );
      tell(touched);
      return result;
    },
    create: (created, work, sharing) =>
      context.inOwnTransaction((inner) => inner.create(created, work, sharing), sharing),
  };
  return context;
}

/** The context of a request inside a transaction: its writes join that, and add what they changed to `touched`. */
function contextInside(tx: Transaction, request: Request, touched: Touched[]): RequestContext {
  const load = createLoaders(tx);
  const actor = actorOf(request);
  const context: RequestContext = {
    ...request,
    db: tx,
    load,
    write: async (change, work) => {
      const result = await work(tx, actor);
      touched.push(typeof change === 'string' ? { kind: change } : { kind: 'catalog', programs: change(result) });
      load.clear();
      return result;
    },
    atomically: (work) => work(context, tx),
    create: (created, work) => context.write(created, work),
    inOwnTransaction: (work) => work(context, tx),
  };
  return context;
}

interface Beside {
  readonly request: Request;
  /** The context outside, which goes on reading. */
  readonly outer: RequestContext;
  readonly touched: Touched[];
}

/** The context of a request beside a transaction of our own: what it creates joins that. */
function contextBeside(tx: OwnTransaction, { request, outer, touched }: Beside): RequestContext {
  const actor = actorOf(request);
  const context: RequestContext = {
    ...request,
    db: outer.db,
    get load() {
      return outer.load;
    },
    write: refuseToChange,
    atomically: refuseToChange,
    create: async (created, work) => {
      const result = await work(tx, actor);
      touched.push({ kind: 'catalog', programs: created(result) });
      return result;
    },
    inOwnTransaction: (work) => work(context, tx),
  };
  return context;
}

async function refuseToChange(): Promise<never> {
  throw new Error('In a transaction of our own nothing is changed by way of the client.');
}

function actorOf({ caller, requestId }: Request): Actor {
  return { name: caller.name ?? '', keyId: caller.keyId, requestId };
}
