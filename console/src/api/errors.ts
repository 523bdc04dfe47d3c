import type { CombinedError } from '@urql/core';
import * as z from 'zod/mini';

/** The messages of the service, by field. */
export type FieldProblems = Readonly<Record<string, string[]>>;

const extensionsSchema = z.object({
  code: z.optional(z.string()),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
});

type Extensions = z.infer<typeof extensionsSchema>;

function extensionsOf(error: CombinedError): Extensions[] {
  return error.graphQLErrors.flatMap(({ extensions }) => {
    const { success, data } = extensionsSchema.safeParse(extensions);
    return success ? [data] : [];
  });
}

/** The code of the first error; `NETWORK` without a response. */
export function codeOf(error: CombinedError): string {
  return extensionsOf(error).find(({ code }) => code !== undefined)?.code ?? (error.networkError ? 'NETWORK' : '');
}

/** The problems of a `VALIDATION_FAILED`. */
export function problemsOf(error: CombinedError): FieldProblems {
  return Object.assign({}, ...extensionsOf(error).map(({ errors = {} }) => errors));
}

export const sessionEnded = 'Your session has ended: it expired, or somebody ended it.';

/** The message for the user: what failed, and what to do. */
export function describeError(error: CombinedError): string {
  const said = error.graphQLErrors[0]?.message ?? '';
  const problems = Object.values(problemsOf(error)).flat();
  if (problems.length > 0) return problems.join(' ');
  switch (codeOf(error)) {
    case 'API_KEY_INVALID':
    case 'API_KEY_MISSING':
      return sessionEnded;
    case 'UNAUTHENTICATED':
      return 'Your user is disabled. An administrator can enable it again.';
    case 'FORBIDDEN':
      return `${said} Ask an administrator for a key with that right.`;
    case 'RATE_LIMITED':
      return 'There were too many requests in a short time. Wait a minute, then try again.';
    case 'UNAVAILABLE':
      return said === '' ? 'The service is busy or restarting. Try again in a moment.' : said;
    case 'INTERNAL_SERVER_ERROR':
      return 'The service failed unexpectedly. Try again; if it keeps failing, tell an administrator.';
    case 'NETWORK':
      return 'The service cannot be reached. Check the connection, then try again.';
    default:
      return said === '' ? error.message : said;
  }
}

/** Whether a retry may help. */
export function isTemporary(error: CombinedError): boolean {
  return ['NETWORK', 'UNAVAILABLE', 'RATE_LIMITED'].includes(codeOf(error));
}

/** The data of a mutation that succeeded: a field of one that failed is `null`. */
export type Done<Data> = Data & { readonly [Field in keyof Data]: NonNullable<Data[Field]> };

export function isDone<Data>(data: Data | undefined): data is Done<Data> {
  // `null` when nothing was done, against the types of urql.
  return data !== undefined && data !== null && !Object.values(data).includes(null);
}
