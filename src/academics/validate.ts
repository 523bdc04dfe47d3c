import type { z } from 'zod';
import { type FieldProblems, ServiceError } from '../errors.ts';

/**
 * Checks a request's input against its schema.
 *
 * @returns the input, normalized and with its defaults.
 * @throws ServiceError `VALIDATION_FAILED` with all problems, each under its field's name (`docs/contract.md` 2).
 */
export function validateInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw validationFailed(problemsOf(parsed.error));
}

/** The error for input with problems, by field. */
export function validationFailed(errors: FieldProblems): ServiceError {
  return new ServiceError('VALIDATION_FAILED', 'The request has invalid input.', { errors });
}

/**
 * Runs a check of input beside problems that were found elsewhere in the request, so that all are reported at once
 * (`docs/contract.md` 2).
 *
 * @param problems none when empty.
 * @throws ServiceError `VALIDATION_FAILED` when the check throws it or there are problems, with those of both.
 */
export async function validateTogether<Input>(problems: FieldProblems, checked: () => Promise<Input>): Promise<Input> {
  const input = await checked().catch((error: unknown) => {
    throw withProblems(problems, error);
  });
  if (Object.keys(problems).length > 0) throw validationFailed(problems);
  return input;
}

/** Adds problems to an error that is about input; any other error goes before them. */
export function withProblems(problems: FieldProblems, error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_FAILED') return error;
  const { code, message, errors, status, cause } = error;
  return new ServiceError(code, message, { errors: { ...errors, ...problems }, status, cause });
}

function problemsOf(error: z.ZodError): FieldProblems {
  const problems = new Map<string, string[]>();
  for (const issue of error.issues) {
    // A field inside a list is reported under the list's name: clients know fields, not positions.
    const field = String(issue.path[0] ?? 'body');
    const messages = problems.get(field) ?? [];
    if (!messages.includes(issue.message)) messages.push(issue.message);
    problems.set(field, messages);
  }
  // fromEntries defines own properties, so that a field named __proto__ would be a key like any other.
  return Object.fromEntries(problems);
}
