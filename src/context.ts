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

/**
 * What the resolvers of one request share: its caller, log, database access and loaders. It has three states:
 *
 * - outside a transaction, it reads from the pool, and each write runs in a transaction of its own;
 * - inside `transaction`, reads and writes go through that transaction, and caches are invalidated after its commit;
 * - inside `runInGroupCommit`, creates go through the transaction as raw SQL, reads stay outside, other writes throw.
 */
export interface RequestContext {
  readonly caller: Caller;
  readonly requestId: string;
  readonly log: Logger;
  /** For reads; writes go through `write`. */
  readonly db: Transaction;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  /** Batched reads by identifier: one statement per level of the query. */
  readonly loaders: Loaders;
  /** Runs a write in one transaction, in the caller's name, then clears the loaders. */
  readonly write: <Result>(change: Change<Result>, work: Work<Result>) => Promise<Result>;
  /** Runs work in one transaction with a context bound to it; rolls back when the work throws. */
  readonly transaction: <Result>(work: TransactionWork<Result>) => Promise<Result>;
  /** Creates records, as `write` does, with raw SQL only: it takes less than half of Prisma's time. */
  readonly create: <Result>(
    affected: (result: Result) => readonly number[],
    work: RawWork<Result>,
    options: GroupCommitOptions,
  ) => Promise<Result>;
  /**
   * Runs work in one raw SQL transaction, which concurrent requests may share. Creates through its context belong to
   * the transaction, reads do not.
   */
  readonly runInGroupCommit: <Result>(work: RawTransactionWork<Result>, options: GroupCommitOptions) => Promise<Result>;
  /** Subscribes to the change feed; ends when the response is closed or the caller loses the permission. */
  readonly subscribe: (options: SubscribeOptions) => Promise<AsyncIterableIterator<CatalogEvent>>;
  /** Calls back once the response is sent or its client disconnects; at once if that has happened. */
  readonly onClosed: (release: () => void) => void;
}

/** What a write invalidates: everything of a kind, or the programs whose ids are taken from its result. */
type Change<Result> = ChangeKind | ((result: Result) => readonly number[]);

interface Affected {
  readonly kind: ChangeKind;
  /** Ids of the programs; all programs when absent. */
  readonly programs?: readonly number[];
}

type Work<Result> = (tx: Transaction, actor: Actor) => Promise<Result>;

type TransactionWork<Result> = (context: RequestContext, tx: Transaction) => Promise<Result>;

type RawWork<Result> = (tx: AnyTransaction, actor: Actor) => Promise<Result>;

type RawTransactionWork<Result> = (context: RequestContext, tx: AnyTransaction) => Promise<Result>;

/** What all contexts of a request share. */
type Request = Pick<RequestContext, 'caller' | 'requestId' | 'log' | 'metrics' | 'tracing' | 'subscribe' | 'onClosed'>;

interface ContextOptions {
  readonly request: Request;
  readonly db: Database;
  readonly runInGroupCommit: RunInGroupCommit;
  readonly changes: ChangeMonitor;
  /** Authenticates the caller again when users or keys change while a transaction waits for its connection. */
  readonly reauthentication: Reauthentication;
  /** Called after a commit that changed something. */
  readonly onCommit?: () => void;
}

/** Creates the context of one request, outside a transaction. */
export function createContext({
  request,
  db,
  runInGroupCommit,
  changes,
  reauthentication,
  onCommit,
}: ContextOptions): RequestContext {
  // Created on first use: a request that only creates reads nothing.
  let loaders: Loaders | undefined;
  const invalidate = (affected: readonly Affected[]): void => {
    for (const { kind, programs } of affected) changes.bump(kind, programs);
    if (affected.length > 0) onCommit?.();
    loaders?.clear();
  };
  const context: RequestContext = {
    ...request,
    db,
    get loaders() {
      loaders ??= createLoaders(db);
      return loaders;
    },
    transaction: async (work) => {
      const affected: Affected[] = [];
      const result = await reauthentication.whileCurrent((begin) =>
        db.$transaction(async (tx) => {
          begin();
          return work(transactionContext(tx, request, affected), tx);
        }),
      );
      invalidate(affected);
      return result;
    },
    write: (change, work) => context.transaction((inner) => inner.write(change, work)),
    runInGroupCommit: async (work, options) => {
      const [result, affected] = await reauthentication.whileCurrent((begin) =>
        runInGroupCommit(async (tx) => {
          begin();
          const affected: Affected[] = [];
          return [await work(groupCommitContext(tx, { request, outer: context, affected }), tx), affected];
        }, options),
      );
      invalidate(affected);
      return result;
    },
    create: (affected, work, options) =>
      context.runInGroupCommit((inner) => inner.create(affected, work, options), options),
  };
  return context;
}

/** A context bound to a transaction; its writes add what they changed to `affected`. */
function transactionContext(tx: Transaction, request: Request, affected: Affected[]): RequestContext {
  const loaders = createLoaders(tx);
  const actor = actorOf(request);
  const context: RequestContext = {
    ...request,
    db: tx,
    loaders,
    write: async (change, work) => {
      const result = await work(tx, actor);
      affected.push(typeof change === 'string' ? { kind: change } : { kind: 'catalog', programs: change(result) });
      loaders.clear();
      return result;
    },
    transaction: (work) => work(context, tx),
    create: (affected, work) => context.write(affected, work),
    runInGroupCommit: (work) => work(context, tx),
  };
  return context;
}

interface GroupCommitContextOptions {
  readonly request: Request;
  /** The context outside the transaction, used for reads. */
  readonly outer: RequestContext;
  readonly affected: Affected[];
}

/** A context whose creates join a group commit. */
function groupCommitContext(
  tx: RawTransaction,
  { request, outer, affected }: GroupCommitContextOptions,
): RequestContext {
  const actor = actorOf(request);
  const context: RequestContext = {
    ...request,
    db: outer.db,
    get loaders() {
      return outer.loaders;
    },
    write: rejectPrismaWrite,
    transaction: rejectPrismaWrite,
    create: async (programsOf, work) => {
      const result = await work(tx, actor);
      affected.push({ kind: 'catalog', programs: programsOf(result) });
      return result;
    },
    runInGroupCommit: (work) => work(context, tx),
  };
  return context;
}

async function rejectPrismaWrite(): Promise<never> {
  throw new Error('A group commit takes raw SQL only: use `create`, or `transaction` for writes through Prisma.');
}

function actorOf({ caller, requestId }: Request): Actor {
  return { name: caller.name ?? '', keyId: caller.keyId, requestId };
}
