import { randomUUID } from 'node:crypto';
import type { Change } from '@service/change-log/epochs';
import type { GroupCommitOptions, RunInGroupCommit } from '@service/postgres/group-commit';
import type { AnyTransaction } from '@service/postgres/sql';
import type { Metrics } from '@service/telemetry/metrics';
import type { Tracing } from '@service/telemetry/tracing';
import type { Logger } from 'pino';
import type { CatalogEvent } from './academics/changes/catalog-event.ts';
import type { CatalogFeed, SubscribeOptions } from './academics/changes/catalog-feed.ts';
import type { FileImport, FileImportResult } from './academics/import-export/import/importer.ts';
import { noDependencies, type ReadDependencies } from './academics/sql/dependencies.ts';
import { createLoaders, type Loaders } from './academics/sql/loaders.ts';
import type { Actor } from './accounts/audit/audit.ts';
import type { Caller } from './accounts/caller.ts';
import type { ReadResult } from './cache/response-cache.ts';
import { TransactionRestart } from './database/availability.ts';
import { databaseOfRequest, type LongTransactions } from './database/prisma.ts';
import type { ChangeKind, ChangeMonitor, Database, Transaction } from './database/types.ts';

/** Shared by the resolvers of one request. It reads; its transactions write. */
export interface RequestContext {
  readonly caller: Caller;
  readonly requestId: string;
  readonly log: Logger;
  readonly db: Transaction;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  /** Of a read that the fast path has executed, with errors. */
  readonly readResult?: Promise<ReadResult> | undefined;
  /** What has been read, for the response cache. */
  readonly dependencies: ReadDependencies;
  /** One statement per level of the query. */
  readonly loaders: Loaders;
  /** Runs work through Prisma, in the current transaction or a new one; after the commit, invalidates what it affects. */
  readonly transaction: RunTransaction<WriteContext, Length>;
  /** As `transaction`, by raw SQL alone: in less than half of the time, and `groupable` work may share its commit. */
  readonly rawTransaction: RunTransaction<RawWriteContext, GroupCommitOptions>;
  /** Adds to the response, where it has a place for warnings. */
  readonly warn?: ((warning: Warning) => void) | undefined;
  /** Resolves when caches of this instance know all commits before the call, those of other instances too. */
  readonly catchUp: () => Promise<void>;
  /** Whether all users may create keys for themselves (`OWN_KEYS`). */
  readonly ownKeys: boolean;
  readonly importFile: (file: Omit<FileImport, 'actor' | 'signal' | 'beforeCommit'>) => Promise<FileImportResult>;
  /** The header of a client that reconnects to a subscription. */
  readonly lastEventId: string | undefined;
  /** Ends when the response is closed or the caller loses the permission. */
  readonly subscribe: (options: SubscribeOptions) => Promise<AsyncIterableIterator<CatalogEvent>>;
  readonly pullChanges: CatalogFeed['pull'];
  /** Calls back once the response is sent or its client disconnects; at once if that has happened. */
  readonly onClosed: (release: () => void) => void;
  /** Holds the admission slot until it is called back, even if the client disconnects. */
  readonly holdSlot: () => () => void;
}

/** What a client may have overlooked in a write that succeeded (`docs/contract.md` 7). */
export interface Warning {
  readonly message: string;
  /** The field of the response, as that of an error. */
  readonly path: readonly (string | number)[];
  /** The field of the input, such as `code` or `items[3].code`. */
  readonly field: string;
  /** Of the records that it is about. */
  readonly ids: readonly number[];
}

/** `db` and the loaders read in the transaction too, and both kinds of transaction join it. */
export interface WriteContext extends RequestContext {
  readonly tx: Transaction;
  readonly actor: Actor;
}

/** Without Prisma. If the transaction is not Prisma's, `db` and the loaders read outside of it, so before its writes. */
export interface RawWriteContext extends RawContext {
  readonly tx: AnyTransaction;
  readonly actor: Actor;
}

/** For work that runs within a transaction of raw SQL, which nothing can join through Prisma. */
export type RawContext = Omit<RequestContext, 'transaction'>;

type Work<Context, Input, Result> = (input: Input, context: Context) => Promise<Result>;

export type RunTransaction<Context, Options> = <Input, Result>(
  work: Work<Context, Input, Result>,
  input: Input,
  options: Writing<Result> & Options,
) => Promise<Result>;

/** What to invalidate: a whole kind, a function of the result, or `'nothing'` (inner transactions report their own). */
export type Affects<Result> = ChangeKind | 'nothing' | ((result: Result) => Change);

interface Writing<Result> {
  readonly affects: Affects<Result>;
}

interface Length {
  /** Whether it may take seconds: on a connection of its own, with other timeouts. */
  readonly isLong?: boolean;
}

interface Affected {
  readonly kind: ChangeKind;
  /** Everything when absent. */
  readonly change?: Change;
}

type Request = Omit<RequestContext, 'db' | 'loaders' | 'dependencies' | 'transaction' | 'rawTransaction'>;

interface ContextOptions {
  readonly request: Request;
  readonly db: Database;
  readonly longTransactions: Pick<LongTransactions, 'db'>;
  readonly runInGroupCommit: RunInGroupCommit;
  readonly changes: Pick<ChangeMonitor, 'bump'>;
  readonly reauthentication: Reauthentication;
  readonly onCommit?: () => void;
  /** Whether the response has been sent. */
  readonly isOver: () => boolean;
}

/**
 * Authenticates the caller again when users or keys have changed: never while a transaction holds a connection, as that
 * could exhaust the pool in a deadlock.
 */
export interface Reauthentication {
  /** @throws TransactionRestart when the caller no longer has the same permissions. */
  requireCurrent(): Promise<void>;
  /** @throws TransactionRestart when there was a change while a transaction waited for its connection. */
  begin(): void;
}

/** The other attempts are for what has changed before a transaction began, or while it ran. */
const attemptsMax = 3;

/** What a request carries through its operation. */
export function createContext(options: ContextOptions): RequestContext {
  const { request, runInGroupCommit, changes, reauthentication, onCommit } = options;
  const reads = new Reads(options);
  const writing =
    <Tx, Context, Options>(
      open: <Result>(run: (tx: Tx) => Promise<Result>, options: Options) => Promise<Result>,
      contextIn: (tx: Tx, affected: Affected[]) => Context,
    ): RunTransaction<Context, Options> =>
    async (work, input, given) => {
      for (let attempts = 1; ; attempts += 1) {
        await reauthentication.requireCurrent();
        try {
          let affected: Affected[] = [];
          const result = await open(async (tx) => {
            reauthentication.begin();
            affected = [];
            return work(input, contextIn(tx, affected));
          }, given);
          affected.push(...affectedBy(given.affects, result));
          for (const { kind, change } of affected) changes.bump(kind, change);
          if (affected.length > 0) onCommit?.();
          reads.clear();
          return result;
        } catch (problem) {
          if (!(problem instanceof TransactionRestart) || attempts === attemptsMax) throw problem;
        }
      }
    };

  return Object.assign(reads, request, {
    transaction: writing<Transaction, WriteContext, Length>(
      (run, { isLong = false }) => (isLong ? options.longTransactions.db() : options.db).$transaction(run),
      (tx, affected) => prismaContext(tx, request, affected),
    ),
    rawTransaction: writing<AnyTransaction, RawWriteContext, GroupCommitOptions>(runInGroupCommit, (tx, affected) =>
      rawContext(tx, options, affected),
    ),
  });
}

/** Adds what its writes affect to `affected`. */
function prismaContext(tx: Transaction, request: Request, affected: Affected[]): WriteContext {
  const dependencies = noDependencies();
  const loaders = createLoaders(tx, dependencies);
  const join: RunTransaction<WriteContext, unknown> = async (work, input, { affects }) => {
    const result = await work(input, { ...context, actor: actorOf(request) });
    affected.push(...affectedBy(affects, result));
    loaders.clear();
    return result;
  };
  const context: WriteContext = {
    ...request,
    db: tx,
    dependencies,
    loaders,
    tx,
    actor: actorOf(request),
    transaction: join,
    rawTransaction: join,
  };
  return context;
}

function rawContext(tx: AnyTransaction, options: ContextOptions, affected: Affected[]): RawWriteContext {
  const { request } = options;
  const join: RunTransaction<RawWriteContext, unknown> = async (work, input, { affects }) => {
    const result = await work(input, context);
    affected.push(...affectedBy(affects, result));
    return result;
  };
  const own = { tx, actor: actorOf(request), rawTransaction: join };
  const context: RawWriteContext = Object.assign(new Reads(options), request, own);
  return context;
}

/**
 * What reads is created on first use: a request that only creates reads nothing, and one that PostgreSQL writes needs no
 * loaders. A class, since V8 takes some forty times as long to make an object with getters of its own after a spread.
 */
class Reads {
  readonly dependencies = noDependencies();
  readonly #options: Pick<ContextOptions, 'db' | 'isOver'>;
  #db: Database | undefined;
  #loaders: Loaders | undefined;

  constructor(options: Pick<ContextOptions, 'db' | 'isOver'>) {
    this.#options = options;
  }

  get db(): Database {
    this.#db ??= databaseOfRequest(this.#options.db, this.#options.isOver);
    return this.#db;
  }

  get loaders(): Loaders {
    this.#loaders ??= createLoaders(this.db, this.dependencies);
    return this.#loaders;
  }

  /** Forgets what has been read, after a write. */
  clear(): void {
    this.#loaders?.clear();
  }
}

function affectedBy<Result>(affects: Affects<Result>, result: Result): readonly Affected[] {
  if (affects === 'nothing') return [];
  return [typeof affects === 'string' ? { kind: affects } : { kind: 'catalog', change: affects(result) }];
}

/** For one change: each has its own id. */
export function actorOf({ caller, requestId }: Pick<Request, 'caller' | 'requestId'>): Actor {
  return { name: caller.name ?? '', keyId: caller.keyId, requestId, changeId: randomUUID() };
}
