import { randomUUID } from 'node:crypto';
import type { Change } from '@service/change-log/epochs';
import type { GroupCommitOptions, RunInGroupCommit } from '@service/postgres/group-commit';
import type { AnyTransaction, RawTransaction } from '@service/postgres/sql';
import type { Metrics } from '@service/telemetry/metrics';
import type { Tracing } from '@service/telemetry/tracing';
import type { Logger } from 'pino';
import type { CatalogEvent } from './academics/changes/catalog-event.ts';
import type { SubscribeOptions } from './academics/changes/catalog-feed.ts';
import type { FileImport, FileImportResult } from './academics/import-export/import/importer.ts';
import { createLoaders, type Loaders } from './academics/sql/loaders.ts';
import type { Actor } from './accounts/audit/audit.ts';
import type { Reauthentication } from './accounts/authentication/reauthentication.ts';
import type { Caller } from './accounts/caller.ts';
import type { ChangeKind, ChangeMonitor } from './database/changes.ts';
import type { LongTransactions } from './database/prisma.ts';
import { databaseOfRequest } from './database/request-database.ts';
import type { Database, Transaction } from './database/types.ts';

/** Shared by the resolvers of one request. It reads; `transaction` writes. */
export interface RequestContext {
  readonly caller: Caller;
  readonly requestId: string;
  readonly log: Logger;
  readonly db: Transaction;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  /** One statement per level of the query. */
  readonly loaders: Loaders;
  readonly transaction: RunTransaction;
  /** Resolves when caches of this instance know all commits before the call, those of other instances too. */
  readonly catchUp: () => Promise<void>;
  readonly importFile: (file: Omit<FileImport, 'actor' | 'signal' | 'beforeCommit'>) => Promise<FileImportResult>;
  /** The header of a client that reconnects to a subscription. */
  readonly lastEventId: string | undefined;
  /** Ends when the response is closed or the caller loses the permission. */
  readonly subscribe: (options: SubscribeOptions) => Promise<AsyncIterableIterator<CatalogEvent>>;
  /** Calls back once the response is sent or its client disconnects; at once if that has happened. */
  readonly onClosed: (release: () => void) => void;
  /** Does work that holds the admission slot to its end, even if the client disconnects. */
  readonly holdingSlot: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * In a transaction through Prisma, `db` and the loaders read inside it; in a raw one they read outside, and so do not see
 * its writes. `transaction` joins it.
 */
export interface WriteContext<Tx extends AnyTransaction = Transaction> extends RequestContext {
  readonly tx: Tx;
  readonly actor: Actor;
}

/**
 * Runs work in one transaction, the current or a new one; after the commit, invalidates what it affects.
 * Without `groupable`, Prisma runs it. With it, it runs as raw SQL, in less than half of Prisma's time, and if
 * `groupable` is true it may share its commit with other requests.
 */
export interface RunTransaction {
  <Result>(work: Work<Transaction, Result>, options: PrismaOptions<Result>): Promise<Result>;
  <Result>(work: Work<AnyTransaction, Result>, options: PrismaOptions<Result> | RawOptions<Result>): Promise<Result>;
}

type Work<Tx extends AnyTransaction, Result> = (context: WriteContext<Tx>) => Promise<Result>;

/** What to invalidate: a whole kind, a function of the result, or `'nothing'` (inner transactions report their own). */
export type Affects<Result> = ChangeKind | 'nothing' | ((result: Result) => Change);

interface PrismaOptions<Result> {
  readonly affects: Affects<Result>;
  readonly groupable?: undefined;
  /** It may take seconds, on a connection of its own. */
  readonly isLong?: boolean;
}

interface RawOptions<Result> extends GroupCommitOptions {
  readonly affects: Affects<Result>;
  readonly isLong?: undefined;
}

type RawArguments<Result> = readonly [work: Work<AnyTransaction, Result>, options: RawOptions<Result>];

type Arguments<Result> =
  | readonly [work: Work<Transaction, Result>, options: PrismaOptions<Result>]
  | readonly [work: Work<AnyTransaction, Result>, options: PrismaOptions<Result> | RawOptions<Result>];

interface Affected {
  readonly kind: ChangeKind;
  /** Everything when absent. */
  readonly change?: Change;
}

type Request = Omit<RequestContext, 'db' | 'loaders' | 'transaction'>;

interface ContextOptions {
  readonly request: Request;
  readonly db: Database;
  readonly longTransactions: Pick<LongTransactions, 'db'>;
  readonly runInGroupCommit: RunInGroupCommit;
  readonly changes: Pick<ChangeMonitor, 'bump'>;
  /** Authenticates the caller again when users or keys change while a transaction waits for its connection. */
  readonly reauthentication: Reauthentication;
  readonly onCommit?: () => void;
  /** Whether the response has been sent. */
  readonly isOver: () => boolean;
}

export function createContext(options: ContextOptions): RequestContext {
  const { request, runInGroupCommit, changes, reauthentication, onCommit } = options;
  const db = databaseOfRequest(options.db, options.isOver);
  // Created on first use: a request that only creates reads nothing.
  let loaders: Loaders | undefined;
  const context: RequestContext = {
    ...request,
    db,
    get loaders() {
      loaders ??= createLoaders(db);
      return loaders;
    },
    transaction: async <Result>(...args: Arguments<Result>) => {
      const [result, affected] = await reauthentication.whileCurrent((begin) => execute(args, begin));
      for (const { kind, change } of affected) changes.bump(kind, change);
      if (affected.length > 0) onCommit?.();
      loaders?.clear();
      return result;
    },
  };

  const execute = <Result>(args: Arguments<Result>, begin: () => void): Promise<[Result, Affected[]]> => {
    if (isRaw(args)) {
      const [work, rawOptions] = args;
      return runInGroupCommit(async (tx) => {
        begin();
        const affected: Affected[] = [];
        return [await rawContext(tx, { request, outer: context, affected }).transaction(work, rawOptions), affected];
      }, rawOptions);
    }
    const [work, { affects, isLong = false }] = args;
    return (isLong ? options.longTransactions.db() : options.db).$transaction(async (tx) => {
      begin();
      const affected: Affected[] = [];
      return [await prismaContext(tx, request, affected).transaction(work, { affects }), affected];
    });
  };
  return context;
}

function isRaw<Result>(args: Arguments<Result>): args is RawArguments<Result> {
  return args[1].groupable !== undefined;
}

/** Adds what its writes affect to `affected`. */
function prismaContext(tx: Transaction, request: Request, affected: Affected[]): WriteContext {
  const loaders = createLoaders(tx);
  const context: WriteContext = {
    ...request,
    db: tx,
    loaders,
    tx,
    actor: actorOf(request),
    transaction: async <Result>(
      work: Work<Transaction, Result>,
      { affects }: { readonly affects: Affects<Result> },
    ) => {
      const result = await work({ ...context, actor: actorOf(request) });
      affected.push(...affectedBy(affects, result));
      loaders.clear();
      return result;
    },
  };
  return context;
}

interface RawContextOptions {
  readonly request: Request;
  readonly outer: RequestContext;
  readonly affected: Affected[];
}

function rawContext(tx: RawTransaction, { request, outer, affected }: RawContextOptions): WriteContext<RawTransaction> {
  const context: WriteContext<RawTransaction> = {
    ...request,
    db: outer.db,
    get loaders() {
      return outer.loaders;
    },
    tx,
    actor: actorOf(request),
    transaction: async <Result>(...args: Arguments<Result>) => {
      if (!isRaw(args)) throw new Error('Work through Prisma cannot join a transaction of raw SQL.');
      const [work, { affects }] = args;
      const result = await work(context);
      affected.push(...affectedBy(affects, result));
      return result;
    },
  };
  return context;
}

function affectedBy<Result>(affects: Affects<Result>, result: Result): readonly Affected[] {
  if (affects === 'nothing') return [];
  return [typeof affects === 'string' ? { kind: affects } : { kind: 'catalog', change: affects(result) }];
}

/** For one change: each has its own id. */
export function actorOf({ caller, requestId }: Pick<Request, 'caller' | 'requestId'>): Actor {
  return { name: caller.name ?? '', keyId: caller.keyId, requestId, changeId: randomUUID() };
}
