import { ServiceError } from '@service/errors';
import type { FieldProblems } from '@service/errors/problems';
import { z } from 'zod';
import { issue, problem, problemIn } from './problems.ts';

/** @throws ServiceError `VALIDATION_FAILED` with all problems by field name (`docs/contract.md` 2). */
export function validateInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw validationFailed(problemsOf(parsed.error));
}

export function validationFailed(errors: FieldProblems): ServiceError {
  return new ServiceError('VALIDATION_FAILED', 'The request has invalid input.', { errors });
}

/** Reports problems found elsewhere in the request together with those of the input (`docs/contract.md` 2). */
export async function validateTogether<Input>(problems: FieldProblems, validate: () => Promise<Input>): Promise<Input> {
  const input = await validate().catch((error: unknown) => {
    throw withProblems(problems, error);
  });
  if (Object.keys(problems).length > 0) throw validationFailed(problems);
  return input;
}

/** Adds problems to a validation error; any other error takes precedence and is returned unchanged. */
function withProblems(problems: FieldProblems, error: unknown): unknown {
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
  const messages = new Map<string, Set<string>>();
  for (const { path, message } of error.issues) {
    const field = fieldOf(path);
    messages.set(field, (messages.get(field) ?? new Set()).add(message));
  }
  // fromEntries defines own properties, which is safe for a field named `__proto__`.
  return Object.fromEntries(
    Array.from(messages, ([field, found]) => [field, Array.from(found, (message) => problemIn(message))]),
  );
}

/** The largest identifier that the database can hold: a signed 32-bit integer, as GraphQL's `Int`. */
export const identifierMax = 2_147_483_647;

/** The identifier of a record. No record has 0; a negative one is an error (`docs/contract.md` 2). */
export const identifier = z.object({
  id: z
    .number(issue('NOT_INTEGER', { field: 'id' }))
    .int(issue('NOT_INTEGER', { field: 'id' }))
    .min(0, issue('NEGATIVE', { field: 'id' })),
});

type RecordKind =
  | 'Program'
  | 'Branch'
  | 'BranchYear'
  | 'Note'
  | 'SavedView'
  | 'Edition'
  | 'AttributeDefinition'
  | 'User'
  | 'ApiKey'
  | 'Key'
  | 'AuditEntry';

/** A `NOT_FOUND`, in the same words everywhere. */
export function notFound(kind: RecordKind, id: number | string): ServiceError {
  return new ServiceError('NOT_FOUND', problem('MISSING', { kind, id: String(id) }));
}
