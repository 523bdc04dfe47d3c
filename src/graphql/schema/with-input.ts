import type { z } from 'zod';
import { validateInput } from '../../academics/validate.ts';
import type { RequestContext } from '../../context.ts';

type Arguments = { readonly input?: object | null };

/**
 * Field options of a resolver whose arguments are validated first.
 *
 * @param schema schema of the arguments by name, with those of `input` on the same level.
 * @param resolve called with the validated input and the request's context.
 */
export function withInput<Schema extends z.ZodType, Result>(
  schema: Schema,
  resolve: (input: z.output<Schema>, context: RequestContext) => Result,
) {
  return {
    inputSchema: schema,
    resolve: (_parent: unknown, args: object, context: RequestContext): Result => {
      const { input, ...rest }: Arguments = args;
      return resolve(validateInput(schema, { ...rest, ...input }), context);
    },
  };
}
