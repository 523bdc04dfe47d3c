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
import type { Plugin } from 'graphql-yoga';
import { validationFailed, withProblems } from '../../academics/validate.ts';
import type { RequestContext } from '../../context.ts';
import type { Transaction } from '../../database/connection/types.ts';
import {
  type Claim,
  claimKey,
  claimOf,
  type PriorOutcome,
  saveOutcome,
} from '../../database/idempotency/idempotency.ts';
import { type FieldProblems, ServiceError } from '../../errors.ts';
import { readIdempotencyKey, replayedHeader } from '../../http/idempotency-key.ts';
import { maskError, originalErrorOf, toServiceError } from '../errors.ts';

/** What executing a mutation gives; `stringify`, which Yoga knows, gives the answer's body when it is there. */
type Answer = ExecutionResult & { readonly stringify?: () => string };
/** Executes the document, with some of its context replaced. */
type Execute = (replaced: Partial<RequestContext>) => Promise<Answer>;

/**
 * Carries out a mutation with an `Idempotency-Key` once, and replays its first outcome to every repeat
 * (`docs/contract.md` 8). Queries do not look at the header.
 */
export function useIdempotency(): Plugin<RequestContext> {
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const { contextValue: context, document, variableValues } = args;
      const operation = getOperationAST(document, args.operationName);
      if (operation?.operation !== OperationTypeNode.MUTATION) return;
      const executeGiven =
        (given: ExecutionArgs): Execute =>
        async (replaced) =>
          executeFn({ ...given, contextValue: { ...context, ...replaced } });
      const { key, problems } = readIdempotencyKey(context.request.headers.get('idempotency-key'));
      if (key !== undefined) {
        const user = context.caller.name ?? '';
        // Printed, a document is the same however it was indented.
        const endpoint = `/graphql ${operation.name?.value ?? ''} ${print(document)}`;
        const claim = claimOf({ user, createEndpoint: endpoint, key, body: variableValues ?? {} });
        const secret = showsSecret(args);
        setExecuteFn((given) => executeOnce(executeGiven(given), context, claim, secret));
      } else if (Object.keys(problems).length > 0) {
        setExecuteFn((given) => executeRefused(executeGiven(given), problems));
      }
    },
  };
}

/** An answer whose document changed nothing that is kept: leaves the key free. */
class NothingKept extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('Nothing is kept of this document.');
    this.answer = answer;
  }
}

/**
 * Executes a document in one transaction, together with the record of its answer. The answer is kept once something
 * was changed, even when another field was refused: a repeat must not change it again. When the service failed,
 * nothing is kept, and the key stays free.
 */
async function executeOnce(execute: Execute, context: RequestContext, claim: Claim, secret: boolean): Promise<Answer> {
  try {
    return await context.atomically(async (inner, tx) => {
      const attempt = attemptOf(claim, inner, tx);
      const result = await execute(attempt.context);
      const replayed = attempt.replayed();
      if (replayed !== undefined) return replayOf(replayed);
      if (hasFailed(result)) throw new NothingKept({ ...result, data: null });
      if (!attempt.hasWritten()) throw new NothingKept(result);
      const body = JSON.stringify({ ...result, ...(result.errors && { errors: result.errors.map(maskError) }) });
      await saveOutcome(tx, { claim, outcome: secret ? null : body });
      return { ...result, stringify: () => body };
    });
  } catch (problem) {
    return problem instanceof NothingKept ? problem.answer : { data: null, errors: [locatedError(problem, undefined)] };
  }
}

/**
 * Makes the context of one execution. Its first write, which comes after the caller's permission and the field's input
 * have been checked, as in REST, finds out whether there is anything to do. Each write has a savepoint, so that a
 * field that is refused takes nothing away from the others.
 */
function attemptOf(claim: Claim, inner: RequestContext, tx: Transaction) {
  let claimed: Promise<PriorOutcome | undefined> | undefined;
  let replayed: string | undefined;
  let written = false;
  const write: RequestContext['write'] = async (kind, work) => {
    claimed ??= claimKey(tx, claim);
    const recalled = await claimed;
    if (recalled !== undefined && 'error' in recalled) throw recalled.error;
    replayed = recalled?.outcome;
    // Ends the execution: fields of mutations are never null.
    if (replayed !== undefined) throw new ServiceError('CONFLICT', 'This request has been carried out before.');
    const result = await inner.write(kind, (_tx, actor) => tx.$transaction((savepoint) => work(savepoint, actor)));
    written = true;
    return result;
  };
  const create: RequestContext['create'] = (created, work) => write(created, work);
  return { context: { ...inner, write, create }, replayed: () => replayed, hasWritten: () => written };
}

/** The first answer again, byte for byte. */
function replayOf(body: string): Answer {
  return { data: null, extensions: { http: { headers: { [replayedHeader]: 'true' } } }, stringify: () => body };
}

/** Whether the service failed, as with a 5xx in REST, rather than refused. */
function hasFailed({ errors = [] }: ExecutionResult): boolean {
  return errors.map(originalErrorOf).some((thrown) => {
    if (thrown === undefined) return false;
    const { code } = toServiceError(thrown);
    return code === 'INTERNAL_SERVER_ERROR' || code === 'UNAVAILABLE';
  });
}

/** Whether a document asks for what is shown once and stored nowhere; its fields are marked so. */
function showsSecret({ schema, document }: ExecutionArgs): boolean {
  let found = false;
  const types = new TypeInfo(schema);
  const Field = () => {
    found ||= types.getFieldDef()?.extensions['secret'] === true;
    return found ? BREAK : undefined;
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  return found;
}

/** Executes a document whose header is no key: its writes are refused, where a wrong argument would be. */
async function executeRefused(execute: Execute, problems: FieldProblems): Promise<Answer> {
  const refuse = async () => {
    throw validationFailed(problems);
  };
  const result = await execute({ write: refuse, atomically: refuse, create: refuse, runInGroupCommit: refuse });
  if (result.errors === undefined) return result;
  const errors = result.errors.map((error) => {
    const thrown = originalErrorOf(error);
    return thrown === undefined ? error : locatedError(withProblems(problems, thrown), error.nodes, error.path);
  });
  return { ...result, errors };
}
