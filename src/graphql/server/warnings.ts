import type { ExecutionPlugin } from '@service/graphql-server/context';
import type { ExecutionResult } from 'graphql';
import type { RequestContext, Warning } from '../../context.ts';

/** Adds the warnings of resolvers to a response, as `extensions.warnings`. Within idempotency, which stores them too. */
export function useWarnings(): ExecutionPlugin<RequestContext> {
  return {
    onExecute: ({ executeFn, setExecuteFn }) => {
      setExecuteFn(async (args) => {
        const warnings: Warning[] = [];
        const contextValue = { ...args.contextValue, warn: (warning: Warning) => warnings.push(warning) };
        const result: ExecutionResult = await executeFn({ ...args, contextValue });
        return warnings.length === 0 ? result : { ...result, extensions: { ...result.extensions, warnings } };
      });
    },
  };
}
