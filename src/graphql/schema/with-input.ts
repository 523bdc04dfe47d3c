import type { z } from 'zod';
import { validateInput } from '../../academics/validate.ts';
import type { RequestContext } from '../../context.ts';

/** The arguments of a field as one flat record: those of `input` beside the others. */
type Arguments = { readonly input?: object | null };

/**
 * A field's rule for its arguments and the resolver that gets them checked, so that neither can be
 * had without the other.
 *
 * @param schema what the arguments must be, by field name.
 * @param resolve gets the checked input and the request's context.
 */
export function withInput<Schema extends z.ZodType, Result>(
  schema: Schema,
  resolve: (input: z.output<Schema>, context: RequestContext) => Result,
) {
  return {
    inputSchema: schema,
    resolve: (_parent: unknown, args: object, context: RequestContext): Result => {
      const { input, ...others }: Arguments = args;
      return resolve(validateInput(schema, { ...others, ...input }), context);
    },
  };
}
