import type { ExecutionPlugin } from '@service/graphql-server/context';
import { type ExecutionResult, getOperationAST, OperationTypeNode } from 'graphql';
import type { RequestContext, Warning } from '../../context.ts';

/**
 * Adds the warnings of a mutation's resolvers to its response, as `extensions.warnings`. Within idempotency, which
 * stores them too.
 */
export function useWarnings(): ExecutionPlugin<RequestContext> {
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const operation = getOperationAST(args.document, args.operationName);
      // A copy of the context has a price, which queries need not pay.
      if (operation?.operation !== OperationTypeNode.MUTATION) return;
      setExecuteFn(async (args) => {
        const warnings: Warning[] = [];
        const contextValue = { ...args.contextValue, warn: (warning: Warning) => warnings.push(warning) };
        const result: ExecutionResult = await executeFn({ ...args, contextValue });
        return warnings.length === 0 ? result : { ...result, extensions: { ...result.extensions, warnings } };
      });
    },
  };
}
