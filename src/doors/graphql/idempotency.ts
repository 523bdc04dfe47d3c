import { ServiceError } from '@service/errors';
import type { ExecutionPlugin } from '@service/graphql-server/context';
import { isFailure, maskError, originalErrorOf, thrownErrorsOf } from '@service/graphql-server/errors';
import { beginInTurn, limitedJson } from '@service/graphql-server/response-tally';
import { readIdempotencyKey, replayedHeader } from '@service/http/idempotency-key';
import {
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  locatedError,
  OperationTypeNode,
  print,
} from 'graphql';
import { z } from 'zod';
import type { Transaction } from '../../database/types.ts';
import type { Context } from '../../graphql/context.ts';
import { isPermitted } from '../../operations/access.ts';
import { ownerOf } from '../../operations/caller.ts';
import { toServiceError } from '../../operations/errors.ts';
import {
  type Claim,
  claimKey,
  claimOf,
  outcomeBytesMax,
  type PriorOutcome,
  saveOutcome,
} from '../../operations/idempotency.ts';
import type { KeptOutcomes } from '../../operations/kept-outcomes.ts';
import type { Affected, OpenTransaction } from '../../operations/open-transaction.ts';
import { Reading } from '../../operations/request.ts';
import { inPrismaTransaction } from '../../operations/transaction.ts';
import { selectedIn, showsForbidden } from './selected-fields.ts';

/** An execution result; Yoga calls `stringify`, if present, for the body of the response, unless that is there. */
export type Result = ExecutionResult & { readonly stringify?: () => string; readonly body?: string | Buffer };

/** The stored outcome of an earlier request. */
interface Replay {
  readonly replayed: string;
}

type Execute = (reading: Reading) => Promise<Result>;

/**
 * Plugin for `Idempotency-Key` on mutations (`docs/contract.md` 8); queries ignore it. A key is free, claimed or
 * completed. The first write of a document claims it: it locks the key until the transaction ends. The response is
 * stored in that transaction, so a key is completed exactly when the writes are committed, and a repeat gets the stored
 * response at its first write. A document that wrote nothing, or failed by the service's fault, rolls back and frees
 * the key.
 */
export function useIdempotency(): ExecutionPlugin<Context> {
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const { contextValue: context, document, variableValues } = args;
      const operation = getOperationAST(document, args.operationName);
      if (operation?.operation !== OperationTypeNode.MUTATION) return;
      const { reading } = context;
      const executeWith =
        (args: ExecutionArgs): Execute =>
        async (reading) =>
          executeFn({ ...args, contextValue: { ...context, reading } });
      const { key, problems } = readIdempotencyKey(context.request.headers.get('idempotency-key'));
      if (key !== undefined) {
        const owner = ownerOf(reading.request.caller);
        // Printed, so that whitespace and comments do not matter.
        const endpoint = `/graphql ${operation.name?.value ?? ''} ${print(document)}`;
        const claim = claimOf({ owner, endpoint, key, body: variableValues ?? {} });
        const { caller } = reading.request;
        const selected = selectedIn(args);
        const writes = selected.flatMap(({ operation }) => (operation?.transaction ? operation : []));
        const [only, ...others] = writes;
        // Several share a short time, in which each holds the locks of those before it.
        const isLong = only?.transaction === 'long' && others.length === 0 && isPermitted(caller, only);
        const ofAccounts = writes.filter(({ transaction }) => transaction === 'accounts').length;
        const hasSecret = selected.some(({ secret }) => secret === true);
        const hides = (data: unknown): boolean => showsForbidden(data, args, reading.request.caller);
        const problem = problemOf(ofAccounts, writes.length);
        const keyed = { claim, isLong, isOfAccounts: ofAccounts > 0, hasSecret, hides };
        setExecuteFn(async (args) => {
          if (problem !== undefined) {
            return { data: null, errors: [locatedError(new ServiceError('VALIDATION_FAILED', problem), undefined)] };
          }
          await beginInTurn(context);
          return executeOnce(executeWith(args), reading, keyed);
        });
      } else if (Object.keys(problems).length > 0) {
        setExecuteFn((args) => executeWith(args)(new Reading(reading.request, { keyProblems: problems })));
      }
    },
  };
}

const accountsWritesMax = 20;
/** How long a document may take, unless its only write is one of many records: others wait for what it locks, and not for long. */
const documentMs = 1_500;

/** Users and keys are locked until the document ends: it changes few of them, and nothing that may take its time. */
function problemOf(ofAccounts: number, writes: number): string | undefined {
  if (ofAccounts > 0 && ofAccounts < writes)
    return 'A document with an Idempotency-Key changes users and keys, or the catalog, not both.';
  if (ofAccounts > accountsWritesMax)
    return `A document with an Idempotency-Key has at most ${accountsWritesMax} changes of users and keys.`;
  return undefined;
}

/** Thrown to roll back, which frees the key, and still respond with a result. */
class Rollback extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('The transaction is rolled back.');
    this.result = result;
  }
}

interface Keyed {
  readonly claim: Claim;
  readonly isLong: boolean;
  readonly isOfAccounts: boolean;
  /** Whether the response has a secret, which is shown once and never stored. */
  readonly hasSecret: boolean;
  /** Whether data has a nested field that the caller may no longer see. */
  readonly hides: (data: unknown) => boolean;
}

interface Executed {
  readonly outcome: Result | Replay;
  readonly affected: readonly Affected[];
}

/**
 * Executes a document once. After a write of a field, the response is stored even if another field failed: a repeat
 * must not write again.
 */
async function executeOnce(execute: Execute, reading: Reading, keyed: Keyed): Promise<Result> {
  const { request } = reading;
  try {
    const { outcome } = await inPrismaTransaction<Executed>(
      reading,
      {
        run: async (tx) => {
          const document = new DocumentTransaction(tx, keyed.claim, request.app.keptOutcomes);
          const outcome = await executeIn(document, execute, new Reading(request, { open: document }), keyed);
          return { outcome, affected: document.affected };
        },
        affects: ({ affected }) => affected,
        holdsAccess: keyed.isOfAccounts,
      },
      { isLong: keyed.isLong, timeoutMs: documentMs },
    );
    if (!('replayed' in outcome)) return outcome;
    // The response acknowledges a write, maybe of another instance, so later reads of the client must show it.
    await request.catchUp();
    return replayOf(outcome.replayed);
  } catch (problem) {
    return problem instanceof Rollback ? problem.result : { data: null, errors: [locatedError(problem, undefined)] };
  }
}

async function executeIn(
  document: DocumentTransaction,
  execute: Execute,
  reading: Reading,
  { claim, hasSecret, hides }: Keyed,
): Promise<Result | Replay> {
  const result = await execute(reading);
  const { replayed } = document;
  if (replayed !== undefined && !isForbidden(replayed, result, hides)) return { replayed };
  if (thrownErrorsOf(result, toServiceError).some(isFailure)) throw new Rollback({ ...result, data: null });
  if (!document.hasWritten) throw new Rollback(result);
  const json = JSON.stringify({
    ...result,
    ...(result.errors && { errors: result.errors.map((error) => maskError(error, toServiceError)) }),
  });
  // What is too large to be kept is not sent either: its repeat gets the same error.
  const bytesMax = hasSecret ? reading.responseBytesMax : Math.min(reading.responseBytesMax, outcomeBytesMax);
  const body = limitedJson(json, bytesMax);
  await saveOutcome(document.tx, { claim, outcome: hasSecret ? null : body }, reading.request.app.keptOutcomes);
  return { ...result, stringify: () => body };
}

const storedOutcome = z.object({ data: z.record(z.string(), z.unknown()).nullable() });

/** Whether an outcome shows the result of a field that the caller may no longer call, or a nested one no longer seen. */
function isForbidden(outcome: string, { errors = [] }: Result, hides: Keyed['hides']): boolean {
  const forbidden = errors.filter((error) => {
    const thrown = originalErrorOf(error);
    return thrown instanceof ServiceError && thrown.code === 'FORBIDDEN';
  });
  const { data } = storedOutcome.parse(JSON.parse(outcome));
  return data !== null && (hides(data) || forbidden.some(({ path = [] }) => data[String(path[0])] !== null));
}

/** The transaction of a document with a key. Its first write claims the key, after permission and input were checked. */
class DocumentTransaction implements OpenTransaction {
  readonly tx: Transaction;
  readonly affected: Affected[] = [];
  /** The response of an earlier request. */
  replayed: string | undefined;
  hasWritten = false;
  readonly #claim: Claim;
  readonly #kept: KeptOutcomes;
  #prior: Promise<PriorOutcome | undefined> | undefined;
  #failure: unknown;

  constructor(tx: Transaction, claim: Claim, kept: KeptOutcomes) {
    this.tx = tx;
    this.#claim = claim;
    this.#kept = kept;
  }

  async join<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    // Rejects fields after a failure: all of it is rolled back.
    if (this.#failure !== undefined) throw this.#failure;
    this.#prior ??= claimKey(this.tx, this.#claim, this.#kept);
    const prior = await this.#prior;
    if (prior !== undefined && 'error' in prior) throw prior.error;
    this.replayed = prior?.outcome;
    // The replay takes the place of all results.
    if (this.replayed !== undefined) throw new ServiceError('CONFLICT', 'This request has been executed before.');
    try {
      const result = await this.tx.$transaction(work);
      this.hasWritten = true;
      return result;
    } catch (problem) {
      if (isFailure(toServiceError(problem))) this.#failure = problem;
      throw problem;
    }
  }

  attempt<Result>(read: () => Promise<Result>): Promise<Result> {
    return this.tx.$transaction(read);
  }
}

function replayOf(body: string): Result {
  return { data: null, extensions: { http: { headers: { [replayedHeader]: 'true' } } }, stringify: () => body };
}
