import { type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext, ToServiceError } from './context.ts';
import { isFailure, thrownErrorsOf } from './errors.ts';

type Executed = Pick<ExecutionArgs, 'document' | 'operationName'>;

/** Runs executions of operations within spans; rejecting a request is no failure of the service. */
export type WithSpan = <Result extends ExecutionResult>(
  context: Pick<RequestContext, 'tracing'>,
  executed: Executed,
  execute: () => Promise<Result>,
) => Promise<Result>;

export function createWithSpan(toServiceError: ToServiceError): WithSpan {
  return ({ tracing }, { document, operationName }, execute) => {
    if (tracing === undefined) return execute();
    const operation = getOperationAST(document, operationName);
    return tracing.operation({ type: operation?.operation ?? 'query', name: operation?.name?.value }, async (fail) => {
      const result = await execute();
      const code = thrownErrorsOf(result, toServiceError).find(isFailure)?.code;
      if (code !== undefined) fail(code);
      return result;
    });
  };
}

/** Traces each operation. It comes last, so that the span includes all other plugins. */
export function useTracing(toServiceError: ToServiceError): Plugin<RequestContext> {
  const withSpan = createWithSpan(toServiceError);
  return {
    onExecute: ({ args: { contextValue }, executeFn, setExecuteFn }) => {
      if (contextValue.tracing === undefined) return;
      setExecuteFn((args) => withSpan(contextValue, args, async () => executeFn(args)));
    },
  };
}
