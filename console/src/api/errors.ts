import type { CombinedError } from '@urql/core';
import * as z from 'zod/mini';
import { t } from '../language/language.ts';

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

/** The message for the user: what failed, and what to do. */
export function describeError(error: CombinedError): string {
  const said = error.graphQLErrors[0]?.message ?? '';
  const problems = Object.values(problemsOf(error)).flat();
  if (problems.length > 0) return problems.join(' ');
  switch (codeOf(error)) {
    case 'API_KEY_INVALID':
    case 'API_KEY_MISSING':
      return t('api.sessionEnded');
    case 'UNAUTHENTICATED':
      return t('api.userDisabled');
    case 'FORBIDDEN':
      return t('api.forbidden', { said });
    case 'RATE_LIMITED':
      return t('api.rateLimited');
    case 'UNAVAILABLE':
      return said === '' ? t('api.unavailable') : said;
    case 'INTERNAL_SERVER_ERROR':
      return t('api.failed');
    case 'NETWORK':
      return t('api.unreachable');
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
