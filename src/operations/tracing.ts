import { isFailure } from '@service/graphql-server/errors';
import { toServiceError } from './errors.ts';
import type { RequestState } from './request.ts';

/** Runs an operation in a span, which fails with the code of a failure of the service. */
export async function traced<Result>(
  { app: { tracing } }: RequestState,
  operation: { readonly type: 'query' | 'mutation'; readonly name: string },
  run: () => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) return run();
  // A rejection of the request is no failure of the service, which a span that throws would be.
  const ended = await tracing.operation(operation, async (fail) => {
    try {
      return { result: await run() };
    } catch (problem) {
      const error = toServiceError(problem);
      if (isFailure(error)) fail(error.code);
      return { problem };
    }
  });
  if ('problem' in ended) throw ended.problem;
  return ended.result;
}
