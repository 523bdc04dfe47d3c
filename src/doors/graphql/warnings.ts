import type { ExecutionPlugin } from '@service/graphql-server/context';
import { type ExecutionResult, getOperationAST, OperationTypeNode } from 'graphql';
import type { Context } from '../../graphql/context.ts';

/**
 * Adds the warnings of a document's mutations to its response, as `extensions.warnings`. Within idempotency, which stores
 * them too.
 */
export function useWarnings(): ExecutionPlugin<Context> {
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const operation = getOperationAST(args.document, args.operationName);
      if (operation?.operation !== OperationTypeNode.MUTATION) return;
      setExecuteFn(async (args) => {
        const result: ExecutionResult = await executeFn(args);
        const { warnings } = args.contextValue.reading;
        return warnings.length === 0 ? result : { ...result, extensions: { ...result.extensions, warnings } };
      });
    },
  };
}
