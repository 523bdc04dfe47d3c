import type { Change } from '@service/change-log/epochs';
import type { FieldProblems } from '@service/errors/problems';
import type { AnyTransaction } from '@service/postgres/sql';
import type { z } from 'zod';
import type { CacheScope } from '../cache/response-cache.ts';
import type { Transaction } from '../database/types.ts';
import type { Access } from './access.ts';
import type { Actor } from './caller.ts';
import type { Reading, RequestState, Warning } from './request.ts';
import type { Selection } from './selection.ts';

// An operation is a plain object, all that REST and GraphQL know of it; `perform` runs it.

/** Description of an operation, known before it is performed. */
export interface DescribedOperation {
  /** The root field of GraphQL; in metrics. */
  readonly name: string;
  /** The only declaration of its permission. */
  readonly access: Access;
  /** `false` for a read. */
  readonly transaction?: TransactionKind | 'accounts' | 'file' | false;
  readonly scope?: CacheScope;
}

/** What is checked before an operation is performed (`accepted.ts`). */
export interface Described<Input> extends DescribedOperation {
  readonly input: z.ZodType<Input>;
  /** The access that some input needs beyond `access`. */
  accessFor?(input: unknown, request: RequestState): Access | undefined;
  /** What is wrong with valid input beyond its schema, by field. */
  rejects?(input: Input, reading: Reading): Promise<FieldProblems>;
}

export interface Read<Input, Result> extends Described<Input> {
  readonly transaction?: false;
  /** Dependencies of its result, for the response cache. */
  readonly scope: CacheScope;
  run(input: Input, reading: Reading): Result | Promise<Result>;
  /** How PostgreSQL writes the selected fields of the result; `undefined` when only `run` and resolvers can. */
  json?(fields: readonly Selection[]): JsonReader<Input> | undefined;
}

/** Reads the selected fields of a result as JSON. */
export interface JsonReader<Input> {
  /** Characters that it keeps, of SQL and of keys. */
  readonly length?: number;
  read(input: Input, reading: Reading): Promise<string>;
}

/** The tools of a write. */
export interface Writing<Tx extends AnyTransaction = AnyTransaction> {
  readonly request: RequestState;
  readonly tx: Tx;
  readonly actor: Actor;
}

/**
 * How long the transaction of a write may take: `grouped` never waits for a lock and may share its commit with others, `long`
 * takes seconds or minutes, on a connection with time for it.
 */
export type TransactionKind = 'grouped' | 'short' | 'long';

export type Affects = Change | 'everything' | 'nothing';

/** A write of the catalog, by raw SQL. */
export interface CatalogWrite<Input, Result> extends Described<Input> {
  readonly transaction: TransactionKind;
  /** How long it may take for this input, where that differs. */
  transactionFor?(input: Input, reading: Reading): Promise<TransactionKind>;
  /** Returns which cached responses become invalid. */
  affects(result: Result): Affects;
  run(input: Input, writing: Writing): Promise<Result>;
  /** Warns after the commit of what a client may have overlooked. */
  warn?(result: Result, input: Input, reading: Reading): Promise<readonly Warning[]>;
}

/** A write of users or keys, through Prisma. It invalidates everything that depends on them. */
export interface AccountsWrite<Input, Result> extends Described<Input> {
  readonly transaction: 'accounts';
  run(input: Input, writing: Writing<Transaction>): Promise<Result>;
}

/** The tools of a write from a file, which opens its own transaction. */
export interface FileWriting {
  readonly request: RequestState;
  readonly actor: Actor;
  /** Aborts when the client leaves or may no longer write. */
  readonly signal: AbortSignal;
  /** Must be called before the commit; a rejection rolls back. */
  readonly beforeCommit: () => Promise<void>;
}

/** A write of the catalog from a file, which may take minutes. */
export interface FileWrite<Input, Result> extends Described<Input> {
  readonly transaction: 'file';
  /** Returns which cached responses become invalid. */
  affects(result: Result): Affects;
  run(input: Input, writing: FileWriting): Promise<Result>;
}

export type Write<Input, Result> =
  | CatalogWrite<Input, Result>
  | AccountsWrite<Input, Result>
  | FileWrite<Input, Result>;
export type Operation<Input, Result> = Read<Input, Result> | Write<Input, Result>;

/** Infers the types of an operation. */
export const defineRead = <Input, Result>(operation: Read<Input, Result>): Read<Input, Result> => operation;
export const defineWrite = <Input, Result>(operation: CatalogWrite<Input, Result>): CatalogWrite<Input, Result> =>
  operation;
export const defineFileWrite = <Input, Result>(operation: FileWrite<Input, Result>): FileWrite<Input, Result> =>
  operation;
export const defineAccountsWrite = <Input, Result>(
  operation: AccountsWrite<Input, Result>,
): AccountsWrite<Input, Result> => operation;
