import * as z from 'zod/mini';
import { formatTime } from '../format/text.ts';
import { t, textNamed } from '../language/language.ts';

/** What is wrong, as the service says it; a message without a rule is for developers. */
export const problemSchema = z.object({
  message: z.string(),
  rule: z.optional(z.string()),
  details: z.optional(z.unknown()),
});

type Problem = z.infer<typeof problemSchema>;

const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const detailsSchema = z.record(
  z.string(),
  z.pipe(
    z.union([z.string(), z.number()]),
    z.transform((detail) => (typeof detail === 'string' && isTime.test(detail) ? formatTime(detail) : detail)),
  ),
);

/** A problem in the language of the user, without the name of its field; as the service says it if it has no text here. */
export const describeProblem = ({ message, rule, details }: Problem): string =>
  textNamed(`problem.${rule}`, detailsSchema.safeParse(details).data) ?? message;

/** An error of the service: of GraphQL with its extensions, of a file as its body. */
export const rejectionSchema = z.extend(problemSchema, {
  code: z.optional(z.string()),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
  problems: z.optional(z.array(z.extend(problemSchema, { field: z.string() }))),
});

export type Rejection = z.infer<typeof rejectionSchema>;

/** Problems by field, in the language of the user. */
export type FieldProblems = Readonly<Record<string, readonly string[]>>;

export function fieldProblemsOf({ errors = {}, problems = [] }: Rejection): FieldProblems {
  const known = problems.map(({ field }) => [
    field,
    problems.filter((problem) => problem.field === field).map(describeProblem),
  ]);
  return { ...errors, ...Object.fromEntries(known) };
}

/** The error that a response of an import has; `undefined` if it has none of the service. */
export function rejectionIn(response: Response, body: unknown): Rejection | undefined {
  const { success, data } = rejectionSchema.safeParse(body);
  return success ? { ...data, code: response.headers.get('x-error-code') ?? undefined } : undefined;
}

/** The message for the user: what failed, and what to do. */
export function describeRejection(rejection: Rejection): string {
  const problems = Object.values(fieldProblemsOf(rejection)).flat();
  if (problems.length > 0) return problems.join(' ');
  const said = describeProblem(rejection);
  switch (rejection.code) {
    case 'API_KEY_INVALID':
    case 'API_KEY_MISSING':
      return t('api.sessionEnded');
    case 'UNAUTHENTICATED':
      return t('api.userDisabled');
    case 'FORBIDDEN':
      return t('api.forbidden', { said });
    case 'RESPONSE_TOO_LARGE':
      return t('api.tooLarge');
    case 'RATE_LIMITED':
      return t('api.rateLimited');
    case 'UNAVAILABLE':
      return rejection.rule === undefined ? t('api.unavailable') : said;
    case 'INTERNAL_SERVER_ERROR':
      return t('api.failed');
    default:
      return rejection.rule === undefined ? t('api.rejected', { said }) : said;
  }
}
