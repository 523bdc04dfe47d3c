import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import type { RequestContext, Warning } from '../context.ts';

type Resolve<Result> = (parent: unknown, args: object, context: RequestContext) => Promise<Result>;
type Find<Result> = (
  result: Result,
  args: object,
  context: RequestContext,
) => Promise<readonly Omit<Warning, 'path'>[]>;

/**
 * Field options of a mutation that warns after its commit, where the response has a place for it (GraphQL). What has
 * been written stays so when the search for warnings fails. With an idempotency key it is a part of the transaction.
 */
export const withWarnings = <Result, Options extends { readonly resolve: Resolve<Result> }>(
  options: Options & { readonly resolve: Resolve<Result> },
  find: Find<Result>,
) => ({
  ...options,
  resolve: async (
    parent: unknown,
    args: object,
    context: RequestContext,
    info: GraphQLResolveInfo,
  ): Promise<Result> => {
    const result = await options.resolve(parent, args, context);
    const { warn, log } = context;
    if (warn === undefined) return result;
    try {
      const path = responsePathAsArray(info.path);
      for (const warning of await find(result, args, context)) warn({ ...warning, path });
    } catch (problem) {
      log.warn({ err: problem }, 'the warnings of a mutation could not be read');
    }
    return result;
  },
});
