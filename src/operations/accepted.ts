import { validateInput, validateTogether, validationFailed } from '../validation/validate.ts';
import { authorize } from './access.ts';
import type { Described } from './operation.ts';
import type { Reading } from './request.ts';

/** Reads the input: the arguments of a field, the parts of an address, or the body of a request once it has arrived. */
export type ReadInput = () => unknown;

/**
 * Accepts what a caller gives to an operation: the permission, then the input. Both are checked here alone.
 * @throws ServiceError `UNAUTHENTICATED` or `FORBIDDEN`, then `VALIDATION_FAILED` or what `readInput` throws.
 */
export async function accepted<Input>(
  operation: Described<Input>,
  readInput: ReadInput,
  reading: Reading,
): Promise<Input> {
  const { request, keyProblems } = reading;
  const { caller } = request;
  authorize(caller, operation);
  return validateTogether(keyProblems, async () => {
    const input = await readInput();
    // The caller has been authenticated again when the body took its time.
    if (request.caller !== caller) authorize(request.caller, operation);
    const access = operation.accessFor?.(input, request);
    if (access !== undefined) authorize(request.caller, { access });
    const valid = validateInput(operation.input, input);
    const problems = (await operation.rejects?.(valid, reading)) ?? {};
    if (Object.keys(problems).length > 0) throw validationFailed(problems);
    return valid;
  });
}
