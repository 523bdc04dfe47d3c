import { validateInput, validateTogether } from '../validation/validate.ts';
import { authorize } from './access.ts';
import { toServiceError } from './errors.ts';
import type { Affected } from './open-transaction.ts';
import type { Affects, JsonReader, Operation, Read, Write } from './operation.ts';
import type { Reading, Warning } from './request.ts';
import { actorOf, inCatalogTransaction, inOwnTransaction, inPrismaTransaction } from './transaction.ts';

/** Gives the input: the arguments of a field, or the body of a request once it has arrived. */
type Given = () => unknown;

/**
 * Performs an operation for a caller: the only way through, from the permission to the result. A door that has a place
 * for warnings takes them.
 * @throws ServiceError `UNAUTHENTICATED` or `FORBIDDEN`, `VALIDATION_FAILED`, then what the operation throws.
 */
export function perform<Input, Result>(
  operation: Operation<Input, Result>,
  given: Given,
  reading: Reading,
  onWarning?: (warning: Warning) => void,
): Promise<Result> {
  return measured(operation, reading, async () => {
    if (!operation.writes) return operation.run(acceptedRead(operation, given(), reading), reading);
    const input = await acceptedWrite(operation, given, reading);
    const result = await write(operation, input, reading);
    if (onWarning !== undefined)
      for (const warning of await warningsOf(operation, result, input, reading)) onWarning(warning);
    return result;
  });
}

/** Performs a read as JSON. @throws ServiceError as `perform`. */
export function performAsJson<Input, Result>(
  operation: Read<Input, Result>,
  given: Given,
  reader: JsonReader<Input>,
  reading: Reading,
): Promise<string> {
  return measured(operation, reading, async () => reader.read(acceptedRead(operation, given(), reading), reading));
}

/** Performs a read as `performAsJson` does, for a caller and input that have been accepted. */
export const readAsJson = <Input, Result>(
  operation: Read<Input, Result>,
  input: Input,
  reader: JsonReader<Input>,
  reading: Reading,
): Promise<string> => measured(operation, reading, () => reader.read(input, reading));

/** @throws ServiceError for a caller who may not perform a read, or for its input. */
function acceptedRead<Input, Result>(operation: Read<Input, Result>, given: unknown, reading: Reading): Input {
  const { caller } = reading.request;
  authorize(caller, operation);
  const access = operation.accessFor?.(given);
  if (access !== undefined) authorize(caller, { access });
  return validateInput(operation.input, given);
}

async function acceptedWrite<Input, Result>(
  operation: Write<Input, Result>,
  given: Given,
  { request, keyProblems }: Reading,
): Promise<Input> {
  const { caller } = request;
  authorize(caller, operation);
  return validateTogether(keyProblems, async () => {
    const input = await given();
    // The caller has been authenticated again when the body took its time.
    if (request.caller !== caller) authorize(request.caller, operation);
    return validateInput(operation.input, input);
  });
}

async function write<Input, Result>(operation: Write<Input, Result>, input: Input, reading: Reading): Promise<Result> {
  const { request } = reading;
  if (operation.writes === 'accounts') {
    return inPrismaTransaction(reading, {
      run: (tx) => operation.run(input, { request, tx, actor: actorOf(request) }),
      affects: () => [{ kind: 'access' }],
    });
  }
  if (operation.writes === 'file') {
    return inOwnTransaction(operation.access, reading, {
      run: (writing) => operation.run(input, writing),
      affects: (result) => affectedBy(operation.affects(result)),
    });
  }
  // Within a document, the transaction is open already.
  const isQuick = reading.open === undefined && (await operation.isQuick?.(input, reading)) === true;
  const length = isQuick ? 'short' : operation.writes;
  return inCatalogTransaction(length, reading, {
    run: (tx) => operation.run(input, { request, tx, actor: actorOf(request) }),
    affects: (result) => affectedBy(operation.affects(result)),
  });
}

/** Looks for warnings after the commit, unless a document is open: a failure here does not undo the write. */
async function warningsOf<Input, Result>(
  operation: Write<Input, Result>,
  result: Result,
  input: Input,
  reading: Reading,
): Promise<readonly Warning[]> {
  if (operation.writes === 'accounts' || operation.writes === 'file') return [];
  try {
    return (await operation.warn?.(result, input, reading)) ?? [];
  } catch (problem) {
    reading.request.log.warn({ err: problem }, 'the warnings of a mutation could not be read');
    return [];
  }
}

function affectedBy(change: Affects): readonly Affected[] {
  if (change === 'nothing') return [];
  return [change === 'everything' ? { kind: 'catalog' } : { kind: 'catalog', change }];
}

/** Counts an operation by its outcome and duration. */
async function measured<Result>(
  { name }: { readonly name: string },
  { request }: Reading,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  const record = (code: string): void =>
    request.app.metrics.fieldResolved(name, code, (performance.now() - began) / 1_000);
  try {
    const result = await work();
    record('ok');
    return result;
  } catch (problem) {
    record(toServiceError(problem).code);
    throw problem;
  }
}
