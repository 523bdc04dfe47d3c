import { type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../../../../src/context.ts';
import { isFailure, thrownErrorsOf } from '../../../../src/graphql/errors.ts';

type Executed = Pick<ExecutionArgs, 'document' | 'operationName'>;

export function withSpan<Result extends ExecutionResult>(
  { tracing }: Pick<RequestContext, 'tracing'>,
  { document, operationName }: Executed,
  execute: () => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) return execute();
  const operation = getOperationAST(document, operationName);
  return tracing.operation({ type: operation?.operation ?? 'query', name: operation?.name?.value }, async (fail) => {
    const result = await execute();
    const code = failureOf(result);
    if (code !== undefined) fail(code);
    return result;
  });
}

/** Traces each operation. It comes last, so that the span includes all other plugins. */
export function useTracing(): Plugin<RequestContext> {
  return {
    onExecute: ({ args: { contextValue }, executeFn, setExecuteFn }) => {
      if (contextValue.tracing === undefined) return;
      setExecuteFn((args) => withSpan(contextValue, args, async () => executeFn(args)));
    },
  };
}

/** The error code of a failure of the service, if any; rejecting a request is none. */
function failureOf(result: ExecutionResult): string | undefined {
  return thrownErrorsOf(result).find(isFailure)?.code;
}
