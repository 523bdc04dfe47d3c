import { randomUUID } from 'node:crypto';
import { ServiceError } from '@service/errors';
import type { AnyTransaction } from '@service/postgres/sql';
import { TransactionRestart } from '../database/availability.ts';
import type { Transaction } from '../database/types.ts';
import { accessChanged, isPermitted, type Requirement, watchPermission } from './access.ts';
import type { Actor } from './caller.ts';
import type { Affected, OpenTransaction } from './open-transaction.ts';
import type { FileWriting, TransactionKind, Writing } from './operation.ts';
import type { Reading, RequestState } from './request.ts';

interface Work<Tx, Result> {
  readonly run: (tx: Tx) => Promise<Result>;
  readonly affects: (result: Result) => readonly Affected[];
  /** Whether it checks the caller itself, once nobody else changes users or keys until it ends. */
  readonly holdsAccess?: boolean;
}

/** Runs a write of the catalog in the open transaction, or in one of its own. */
export function inCatalogTransaction<Result>(
  length: TransactionKind,
  reading: Reading,
  work: Work<Writing['tx'], Result>,
): Promise<Result> {
  const { request, open } = reading;
  const { app } = request;
  if (open !== undefined) return joined(open, reading, work);
  if (length === 'grouped') return committed(reading, work, (run) => app.runInGroupCommit(run, { groupable: true }));
  if (length === 'short') {
    const share = app.shareWrites(request.account);
    return committed(reading, work, (run) => share(() => app.runInGroupCommit(run, { groupable: false })));
  }
  return inLongTransaction(reading, work);
}

/** Does what `inCatalogTransaction` does, through Prisma. */
export function inPrismaTransaction<Result>(
  reading: Reading,
  work: Work<Transaction, Result>,
  { isLong = false, timeoutMs }: { readonly isLong?: boolean; readonly timeoutMs?: number } = {},
): Promise<Result> {
  const { request, open } = reading;
  const { app } = request;
  if (open !== undefined) return joined(open, reading, work);
  if (isLong) return inLongTransaction(reading, work);
  const share = app.shareWrites(request.account);
  const options = timeoutMs === undefined ? undefined : { timeout: timeoutMs };
  return committed(reading, work, (run) => share(() => app.db.$transaction(run, options)));
}

function inLongTransaction<Result>(reading: Reading, work: Work<Transaction, Result>): Promise<Result> {
  const { request } = reading;
  const { longTransactions } = request.app;
  request.expectMinutes();
  const share = longTransactions.limit(request.account);
  return committed(reading, work, (run) => share(() => longTransactions.db().$transaction(run)));
}

/**
 * Runs a write that opens its own transaction, as long as the client waits and the caller may write: the permission may
 * be lost, or the client leave, in the minutes that it takes.
 */
export async function inOwnTransaction<Result>(
  requirement: Requirement,
  { request }: Reading,
  { run, affects }: Work<FileWriting, Result>,
): Promise<Result> {
  request.expectMinutes();
  const ended = new AbortController();
  const { signal } = ended;
  request.onClosed(() => ended.abort(new ServiceError('UNAVAILABLE', 'The client disconnected.')));
  const unwatch = watchPermission(request.app.callers, request.caller, requirement, () => ended.abort(accessChanged()));
  try {
    const beforeCommit = () => request.reauthentication.requireCurrent((now) => isPermitted(now, requirement));
    const result = await run({ request, actor: actorOf(request), signal, beforeCommit });
    invalidate(request, affects(result));
    return result;
  } catch (problem) {
    // The cancelled statement fails for its own reason, which would be logged.
    throw signal.aborted ? signal.reason : problem;
  } finally {
    unwatch();
  }
}

async function joined<Result>(
  open: OpenTransaction,
  reading: Reading,
  { run, affects }: Work<Transaction, Result>,
): Promise<Result> {
  const result = await open.join(run);
  open.affected.push(...affects(result));
  reading.clear();
  return result;
}

/** The first attempt, and two for what made the one before it fail: see `TransactionRestart`. */
const attemptsMax = 3;

async function committed<Tx extends AnyTransaction, Result>(
  reading: Reading,
  { run, affects, holdsAccess = false }: Work<Tx, Result>,
  open: (run: (tx: Tx) => Promise<Result>) => Promise<Result>,
): Promise<Result> {
  const { request } = reading;
  for (let attempts = 1; ; attempts += 1) {
    await request.reauthentication.requireCurrent();
    try {
      const result = await open(async (tx) => {
        const result = await run(tx);
        // Others who sign in change users or keys, too. Read in the transaction: another connection could exhaust the pool in
        // a deadlock.
        if (!holdsAccess && request.reauthentication.mayHaveChanged()) await requireCurrentIn(tx, request);
        return result;
      });
      invalidate(request, affects(result));
      reading.clear();
      return result;
    } catch (problem) {
      if (!(problem instanceof TransactionRestart) || attempts === attemptsMax) throw problem;
    }
  }
}

/** @throws TransactionRestart when the caller no longer has the same permissions. */
export async function requireCurrentIn(tx: AnyTransaction, { app, caller }: RequestState): Promise<void> {
  if (!(await app.callers.isCurrent(tx, caller))) throw accessChanged();
}

function invalidate({ app, noteWrite }: RequestState, affected: readonly Affected[]): void {
  for (const { kind, change } of affected) app.changes.bump(kind, change);
  if (affected.length > 0) noteWrite();
}

/** Returns the author of a change, for the audit log; each change has its own id. */
export function actorOf({ caller, id }: Pick<RequestState, 'caller' | 'id'>): Actor {
  return { name: caller.name ?? '', keyId: caller.keyId, requestId: id, changeId: randomUUID() };
}
