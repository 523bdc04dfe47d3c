import { type FieldProblems, ServiceError } from '@service/errors';
import type { ExecutionPlugin } from '@service/graphql-server/context';
import { isFailure, maskError, originalErrorOf, thrownErrorsOf } from '@service/graphql-server/errors';
import { readIdempotencyKey, replayedHeader } from '@service/http/idempotency-key';
import {
  BREAK,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  locatedError,
  OperationTypeNode,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { z } from 'zod';
import { accountOf } from '../../accounts/caller.ts';
import type { RequestContext, RunTransaction, WriteContext } from '../../context.ts';
import { type Claim, claimKey, claimOf, type PriorOutcome, saveOutcome } from '../../idempotency.ts';
import { validationFailed, withProblems } from '../../validation/validate.ts';
import { toServiceError } from '../errors.ts';

/** An execution result; Yoga calls `stringify`, if present, for the body of the response. */
type Result = ExecutionResult & { readonly stringify?: () => string };

/** The stored outcome of an earlier request. */
interface Replay {
  readonly replayed: string;
}

type Execute = (overrides: Partial<RequestContext>) => Promise<Result>;

/**
 * Plugin for `Idempotency-Key` on mutations (`docs/contract.md` 8); queries ignore it. A key is free, claimed or
 * completed. The first write of a document claims it: it locks the key until the transaction ends. The response is
 * stored in that transaction, so a key is completed exactly when the writes are committed, and a repeat gets the stored
 * response at its first write. A document that wrote nothing, or failed by the service's fault, rolls back and frees
 * the key.
 */
export function useIdempotency(): ExecutionPlugin<RequestContext> {
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const { contextValue: context, document, variableValues } = args;
      const operation = getOperationAST(document, args.operationName);
      if (operation?.operation !== OperationTypeNode.MUTATION) return;
      const withOverrides =
        (args: ExecutionArgs): Execute =>
        async (overrides) =>
          executeFn({ ...args, contextValue: { ...context, ...overrides } });
      const { key, problems } = readIdempotencyKey(context.request.headers.get('idempotency-key'));
      if (key !== undefined) {
        const user = accountOf(context.caller);
        // Printed, so that whitespace and comments do not matter.
        const endpoint = `/graphql ${operation.name?.value ?? ''} ${print(document)}`;
        const claim = claimOf({ user, endpoint, key, body: variableValues ?? {} });
        const marks = { secret: selects(args, 'secret'), isLong: selects(args, 'isLong') };
        setExecuteFn((args) => executeOnce(withOverrides(args), context, claim, marks));
      } else if (Object.keys(problems).length > 0) {
        setExecuteFn((args) => executeWithInvalidKey(withOverrides(args), problems));
      }
    },
  };
}

/** Thrown to roll back, which frees the key, and still respond with a result. */
class Rollback extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('The transaction is rolled back.');
    this.result = result;
  }
}

/** Once a field has written, the response is stored even if another field failed: a repeat must not write again. */
async function executeOnce(
  execute: Execute,
  context: RequestContext,
  claim: Claim,
  { secret, isLong }: { readonly secret: boolean; readonly isLong: boolean },
): Promise<Result> {
  try {
    const outcome = await context.transaction(
      executeClaimed,
      { execute, claim, secret },
      { affects: 'nothing', isLong },
    );
    if (!('replayed' in outcome)) return outcome;
    // It acknowledges a write, maybe of another instance: what the client reads next shows it.
    await context.catchUp();
    return replayOf(outcome.replayed);
  } catch (problem) {
    return problem instanceof Rollback ? problem.result : { data: null, errors: [locatedError(problem, undefined)] };
  }
}

interface Claimed {
  readonly execute: Execute;
  readonly claim: Claim;
  readonly secret: boolean;
}

/** In the transaction of the claim. */
async function executeClaimed({ execute, claim, secret }: Claimed, inner: WriteContext): Promise<Result | Replay> {
  const attempt = attemptOf(claim, inner);
  const result = await execute(attempt.context);
  const replayed = attempt.replayed();
  if (replayed !== undefined && !showsForbidden(replayed, result)) return { replayed };
  if (thrownErrorsOf(result, toServiceError).some(isFailure)) throw new Rollback({ ...result, data: null });
  if (!attempt.hasWritten()) throw new Rollback(result);
  const body = JSON.stringify({
    ...result,
    ...(result.errors && { errors: result.errors.map((error) => maskError(error, toServiceError)) }),
  });
  await saveOutcome(inner.tx, { claim, outcome: secret ? null : body });
  return { ...result, stringify: () => body };
}

const storedOutcome = z.object({ data: z.record(z.string(), z.unknown()) });

/** Whether an outcome shows the result of a field that the caller may no longer call. */
function showsForbidden(outcome: string, { errors = [] }: Result): boolean {
  const forbidden = errors.filter((error) => {
    const thrown = originalErrorOf(error);
    return thrown instanceof ServiceError && thrown.code === 'FORBIDDEN';
  });
  if (forbidden.length === 0) return false;
  const { data } = storedOutcome.parse(JSON.parse(outcome));
  return forbidden.some(({ path = [] }) => data[String(path[0])] !== null);
}

/**
 * The first write claims the key, after permissions and input have been checked, as in REST. Each write has a
 * savepoint, so that a rejected field does not roll back the others.
 */
function attemptOf(claim: Claim, inner: WriteContext) {
  const { tx } = inner;
  let claimed: Promise<PriorOutcome | undefined> | undefined;
  let replayed: string | undefined;
  let failure: unknown;
  let written = false;
  const transaction: RunTransaction<WriteContext, unknown> = async (work, input, { affects }) => {
    // All is rolled back: what comes after it need not be tried.
    if (failure !== undefined) throw failure;
    claimed ??= claimKey(tx, claim);
    const prior = await claimed;
    if (prior !== undefined && 'error' in prior) throw prior.error;
    replayed = prior?.outcome;
    // The replay takes the place of all results.
    if (replayed !== undefined) throw new ServiceError('CONFLICT', 'This request has been executed before.');
    const inSavepoint = (_input: undefined, outer: WriteContext) =>
      tx.$transaction((savepoint) => work(input, { ...outer, tx: savepoint }));
    const result = await inner.transaction(inSavepoint, undefined, { affects }).catch((problem: unknown) => {
      if (isFailure(toServiceError(problem))) failure = problem;
      throw problem;
    });
    written = true;
    return result;
  };
  return {
    context: { ...inner, transaction, rawTransaction: transaction },
    replayed: () => replayed,
    hasWritten: () => written,
  };
}

function replayOf(body: string): Result {
  return { data: null, extensions: { http: { headers: { [replayedHeader]: 'true' } } }, stringify: () => body };
}

/** Whether a document selects a field that is marked: `secret`, shown once and never stored, or `isLong`. */
function selects({ schema, document }: ExecutionArgs, mark: 'secret' | 'isLong'): boolean {
  let found = false;
  const types = new TypeInfo(schema);
  const Field = () => {
    found ||= types.getFieldDef()?.extensions[mark] === true;
    return found ? BREAK : undefined;
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  return found;
}

/** Executes a document with an invalid key: its writes fail validation, at the same point as for invalid input. */
async function executeWithInvalidKey(execute: Execute, problems: FieldProblems): Promise<Result> {
  const reject = async () => {
    throw validationFailed(problems);
  };
  const result = await execute({ transaction: reject, rawTransaction: reject });
  if (result.errors === undefined) return result;
  const errors = result.errors.map((error) => {
    const thrown = originalErrorOf(error);
    return thrown === undefined ? error : locatedError(withProblems(problems, thrown), error.nodes, error.path);
  });
  return { ...result, errors };
}
