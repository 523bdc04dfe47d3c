import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { ExecutionContext, ToServiceError } from './context.ts';
import { isFailure, thrownErrorsOf } from './errors.ts';

/**
 * Runs an execution in a span of its operation, which fails with the code of an internal error: rejecting a request is no
 * failure of the service. It comes last, so that the span includes all other plugins.
 */
export function useTracing(toServiceError: ToServiceError): Plugin<ExecutionContext> {
  return {
    onExecute: ({ args: { contextValue }, executeFn, setExecuteFn }) => {
      const { tracing } = contextValue.state.app;
      if (tracing === undefined) return;
      setExecuteFn((args) => {
        const operation = getOperationAST(args.document, args.operationName);
        const span = { type: operation?.operation ?? 'query', name: operation?.name?.value };
        return tracing.operation(span, async (fail) => {
          const result = await executeFn(args);
          const code = thrownErrorsOf(result, toServiceError).find(isFailure)?.code;
          if (code !== undefined) fail(code);
          return result;
        });
      });
    },
  };
}
