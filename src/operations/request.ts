import type { ServerResponse } from 'node:http';
import { responseTooLarge } from '@service/errors';
import type { FieldProblems } from '@service/errors/problems';
import type { AdmissionControl } from '@service/http/admission';
import { whenClosed } from '@service/http/send';
import type { RunInGroupCommit } from '@service/postgres/group-commit';
import { type Limit, noLimit, type SharedLimit, Sharers } from '@service/postgres/limits';
import { type AnyTransaction, executorOf, RawConnection } from '@service/postgres/sql';
import type { Metrics } from '@service/telemetry/metrics';
import type { Tracing } from '@service/telemetry/tracing';
import type { Logger } from 'pino';
import type { CatalogFeed } from '../academics/changes/catalog-feed.ts';
import type { KnownDefinitions } from '../academics/definitions/known-definitions.ts';
import type { CompareCatalogs } from '../academics/editions/comparison.ts';
import type { ExportCatalog } from '../academics/import-export/export/exporter.ts';
import type { ImportFile } from '../academics/import-export/import/importer.ts';
import { noDependencies } from '../academics/sql/dependencies.ts';
import { createLoaders, type Loaders } from '../academics/sql/loaders.ts';
import { type LongTransactions, limitOfRequest } from '../database/prisma.ts';
import type { ChangeMonitor, Database, Transaction } from '../database/types.ts';
import { accountOf, type Caller, type CallerWatch } from './caller.ts';
import type { KeptOutcomes } from './kept-outcomes.ts';
import type { OpenTransaction } from './open-transaction.ts';

/** Shared by all requests: made once, when the service starts. */
export interface App {
  readonly config: {
    readonly RESPONSE_MAX_BYTES: number;
    readonly OWN_KEYS: boolean;
    readonly OWN_KEYS_SIGN_IN_DAYS: number;
  };
  readonly db: Database;
  readonly longTransactions: Pick<LongTransactions, 'db' | 'limit'>;
  readonly shareWrites: SharedLimit;
  readonly runInGroupCommit: RunInGroupCommit;
  readonly changes: Pick<ChangeMonitor, 'bump' | 'snapshot' | 'refresh'>;
  readonly callers: CallerWatch;
  readonly feed: Pick<CatalogFeed, 'subscribe' | 'pull'>;
  readonly importFile: ImportFile;
  readonly exportCatalog: ExportCatalog;
  readonly definitions: KnownDefinitions;
  readonly compareCatalogs: CompareCatalogs;
  readonly admission: Pick<AdmissionControl, 'hold'>;
  readonly keptOutcomes: KeptOutcomes;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly log: Logger;
}

/**
 * Authenticates the caller again when users or keys may have changed: never while a transaction holds a connection, as that
 * could exhaust the pool in a deadlock.
 */
export interface Reauthentication {
  /** @throws TransactionRestart when what the caller has now is not enough: by default, not the same permissions. */
  requireCurrent(isEnough?: (now: Caller) => boolean): Promise<void>;
  /** Whether there was a change since, or one may be unknown, as the change log could not be read of late. */
  mayHaveChanged(): boolean;
}

interface RequestOptions {
  readonly app: App;
  readonly caller: Caller;
  readonly id: string;
  /** The log, with the id of the request; made on first use when absent. */
  readonly log?: Logger;
  readonly response: ServerResponse;
  readonly reauthentication: Reauthentication;
  /** Called when something has been changed, for the access log. */
  readonly noteWrite?: () => void;
}

/** An authenticated request, until its response is closed. */
export class RequestState {
  readonly app: App;
  /** The caller as last authenticated: a second time after a slow body. */
  caller: Caller;
  reauthentication: Reauthentication;
  /** `X-Request-Id`. */
  readonly id: string;
  readonly noteWrite: () => void;
  /** Whether new records need the attributes that are defined as required; REST creates them as its specification says. */
  requiresAttributes = true;
  #log: Logger | undefined;
  readonly #response: ServerResponse;

  constructor({ app, caller, id, log, response, reauthentication, noteWrite = () => undefined }: RequestOptions) {
    this.app = app;
    this.caller = caller;
    this.reauthentication = reauthentication;
    this.id = id;
    this.#log = log;
    this.noteWrite = noteWrite;
    this.#response = response;
  }

  /** What limits count for. */
  get account(): string {
    return accountOf(this.caller);
  }

  get log(): Logger {
    const { log, tracing } = this.app;
    this.#log ??= log.child({ requestId: this.id, trace_id: tracing?.traceId() });
    return this.#log;
  }

  /** Takes the caller of the second authentication, after a slow body. */
  authenticatedAgain({ caller, reauthentication }: Pick<RequestState, 'caller' | 'reauthentication'>): void {
    this.caller = caller;
    this.reauthentication = reauthentication;
  }

  /** Whether the response has been sent. */
  get isOver(): boolean {
    return this.#response.writableEnded;
  }

  /** The cursor of a client that reconnects to a subscription. */
  get lastEventId(): string | undefined {
    return this.#response.req.headers['last-event-id']?.toString();
  }

  /** Calls back once the response is sent or its client disconnects; at once if that has happened. */
  onClosed(release: () => void): void {
    whenClosed(this.#response, release);
  }

  /** Holds the admission slot until it is called back, even if the client disconnects. */
  holdSlot(): () => void {
    return this.app.admission.hold(this.#response);
  }

  /**
   * Ends the timeout of the connection until its next request: nothing is sent while a long transaction runs, or a long
   * read begins.
   */
  expectMinutes(): void {
    this.#response.req.setTimeout(0);
  }

  /** Waits until caches of this instance know all commits before the call, other instances' too. */
  async catchUp(): Promise<void> {
    // A failed poll disables the caches until the next one succeeds.
    await this.app.changes.refresh().catch(() => undefined);
  }
}

/** A possible oversight of the client in a write that succeeded (`docs/contract.md` 7). */
export interface Warning {
  readonly message: string;
  /** The field of the input, such as `code` or `items[3].code`. */
  readonly field: string;
  /** Ids of the records that it is about. */
  readonly ids: readonly number[];
}

interface ReadingOptions {
  readonly open?: OpenTransaction;
  readonly keyProblems?: FieldProblems;
}

/** A request reads so many times the bytes of a response in all: records have fields that are not selected. */
const recordsPerResponse = 2;

/**
 * The tools of a read, and what it has read. `db` is for raw SQL; it and the loaders are made on first use: a request that
 * only creates reads nothing, and PostgreSQL's JSON needs no loaders.
 */
export class Reading {
  readonly request: RequestState;
  /** The transaction of a whole document: its operations read in it, and join it. */
  readonly open: OpenTransaction | undefined;
  /** Problems of the header `Idempotency-Key`: a write reports them with those of its input. */
  readonly keyProblems: FieldProblems;
  /** Dependencies read so far, for the response cache. */
  readonly dependencies = noDependencies();
  /** Warnings of a document's mutations, by the path of their fields. */
  readonly warnings: (Warning & { readonly path: readonly (string | number)[] })[] = [];
  /** Whose requests wait for it. */
  readonly sharers: Sharers;
  readonly #limit: Limit;
  #recordBytes = 0;
  #db: AnyTransaction | undefined;
  #loaders: Loaders | undefined;

  constructor(request: RequestState, { open, keyProblems = {} }: ReadingOptions = {}) {
    this.request = request;
    this.open = open;
    this.keyProblems = keyProblems;
    this.sharers = new Sharers(request.account);
    this.#limit = open === undefined ? limitOfRequest(request.app.db, this.sharers, () => request.isOver) : noLimit;
  }

  get db(): AnyTransaction {
    const { db } = this.request.app;
    this.#db ??= new RawConnection({
      ...executorOf(this.open?.tx ?? db),
      limit: this.#limit,
      rows: {
        left: () => this.#recordBytesLeft(),
        took: (bytes) => this.#took(bytes),
        onTooMany: () => responseTooLarge(this.responseBytesMax),
      },
    });
    return this.#db;
  }

  /** Bytes of records that a statement may give. */
  #recordBytesLeft(): number {
    const { responseBytesMax } = this;
    return Math.min(responseBytesMax, recordsPerResponse * responseBytesMax - this.#recordBytes);
  }

  /** Counts records, which stay in memory until the response is made. @throws ServiceError `RESPONSE_TOO_LARGE` */
  #took(bytes: number): void {
    this.#recordBytes += bytes;
    if (this.#recordBytesLeft() < 0) throw responseTooLarge(this.responseBytesMax);
  }

  get responseBytesMax(): number {
    return this.request.app.config.RESPONSE_MAX_BYTES;
  }

  /** Prisma's client, without a limit: for single records, whose reads Prisma batches. */
  get unlimitedPrisma(): Transaction {
    return this.open?.tx ?? this.request.app.db;
  }

  /** Reads users, keys or the audit log by Prisma, and nothing else meanwhile: it holds one of two connections. */
  async prisma<Result>(read: (db: Transaction) => Promise<Result>): Promise<Result> {
    const records = await this.#limit(() => {
      this.#took(0);
      return read(this.unlimitedPrisma);
    });
    this.#took(Buffer.byteLength(JSON.stringify(records) ?? ''));
    return records;
  }

  /** Loaders: one statement per level of a query. */
  get loaders(): Loaders {
    this.#loaders ??= createLoaders(this);
    return this.#loaders;
  }

  /** Forgets all values read so far, after a write. */
  clear(): void {
    this.#recordBytes = 0;
    this.#loaders?.clear();
  }
}
