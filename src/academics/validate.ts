import type { z } from 'zod';
import { type FieldProblems, ServiceError } from '../errors.ts';

/**
 * Validates the input of a request.
 *
 * @returns the input, normalized and with defaults.
 * @throws ServiceError `VALIDATION_FAILED` with all problems by field name (`docs/contract.md` 2).
 */
export function validateInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw validationFailed(problemsOf(parsed.error));
}

/** The error for invalid input, with its problems by field. */
export function validationFailed(errors: FieldProblems): ServiceError {
  return new ServiceError('VALIDATION_FAILED', 'The request has invalid input.', { errors });
}

/**
 * Validates input together with problems found elsewhere in the request, so that all are reported at once
 * (`docs/contract.md` 2).
 *
 * @throws ServiceError `VALIDATION_FAILED` with the problems of both, if there are any.
 */
export async function validateTogether<Input>(problems: FieldProblems, validate: () => Promise<Input>): Promise<Input> {
  const input = await validate().catch((error: unknown) => {
    throw withProblems(problems, error);
  });
  if (Object.keys(problems).length > 0) throw validationFailed(problems);
  return input;
}

/** Adds problems to a validation error; any other error takes precedence and is returned unchanged. */
export function withProblems(problems: FieldProblems, error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_FAILED') return error;
  const { code, message, errors, status, cause } = error;
  return new ServiceError(code, message, { errors: { ...errors, ...problems }, status, cause });
}

/** `items[3].name` for a field of a record in a list; other problems within a field are reported under its name. */
function fieldOf([field = 'body', index, ...inner]: readonly PropertyKey[]): string {
  const isOfRecord = typeof index === 'number' && inner.length > 0;
  return isOfRecord ? `${String(field)}[${index}].${String(inner[0])}` : String(field);
}

function problemsOf(error: z.ZodError): FieldProblems {
  const problems = new Map<string, string[]>();
  for (const issue of error.issues) {
    const field = fieldOf(issue.path);
    const messages = problems.get(field) ?? [];
    if (!messages.includes(issue.message)) messages.push(issue.message);
    problems.set(field, messages);
  }
  // fromEntries defines own properties, which is safe for a field named `__proto__`.
  return Object.fromEntries(problems);
}
