import { lockAccounts, takeTurn } from '../database/locks.ts';
import { accepted, type ReadInput } from './accepted.ts';
import { toServiceError } from './errors.ts';
import type { Affected } from './open-transaction.ts';
import type { Affects, JsonReader, Operation, Read, Write } from './operation.ts';
import type { Reading, Warning } from './request.ts';
import {
  actorOf,
  inCatalogTransaction,
  inOwnTransaction,
  inPrismaTransaction,
  requireCurrentIn,
} from './transaction.ts';

/**
 * Performs an operation for a caller: the only way through, from the permission to the result. A door that has a place
 * for warnings takes them.
 * @throws ServiceError as `accepted`, then what the operation throws.
 */
export function perform<Input, Result>(
  operation: Operation<Input, Result>,
  readInput: ReadInput,
  reading: Reading,
  onWarning?: (warning: Warning) => void,
): Promise<Result> {
  return measured(operation, reading, async () => {
    const input = await accepted(operation, readInput, reading);
    if (!operation.transaction) return operation.run(input, reading);
    const result = await write(operation, input, reading);
    if (onWarning !== undefined)
      for (const warning of await warningsOf(operation, result, input, reading)) onWarning(warning);
    return result;
  });
}

/** Performs a read as JSON. @throws ServiceError as `perform`. */
export function performAsJson<Input, Result>(
  operation: Read<Input, Result>,
  readInput: ReadInput,
  reader: JsonReader<Input>,
  reading: Reading,
): Promise<string> {
  return measured(operation, reading, async () => reader.read(await accepted(operation, readInput, reading), reading));
}

async function write<Input, Result>(operation: Write<Input, Result>, input: Input, reading: Reading): Promise<Result> {
  const { request } = reading;
  if (operation.transaction === 'accounts') {
    return inPrismaTransaction(reading, {
      run: async (tx) => {
        await takeTurn(tx, request.account);
        // A document holds the lock for long: of all, one at a time waits for it, and between two the others have their turns.
        if (reading.open !== undefined) await takeTurn(tx, 'documents');
        await lockAccounts(tx);
        // Another transaction that had the lock may have ended the caller's rights.
        await requireCurrentIn(tx, request);
        return operation.run(input, { request, tx, actor: actorOf(request) });
      },
      affects: () => [{ kind: 'access' }],
      holdsAccess: true,
    });
  }
  if (operation.transaction === 'file') {
    return inOwnTransaction(operation, reading, {
      run: (writing) => operation.run(input, writing),
      affects: (result) => affectedBy(operation.affects(result)),
    });
  }
  // Within a document, the transaction is open already.
  const own = reading.open === undefined ? await operation.transactionFor?.(input, reading) : undefined;
  const length = own ?? operation.transaction;
  return inCatalogTransaction(length, reading, {
    run: (tx) => operation.run(input, { request, tx, actor: actorOf(request) }),
    affects: (result) => affectedBy(operation.affects(result)),
  });
}

/** Looks for warnings after the commit, or in the open transaction of a document: a failure here does not undo the write. */
async function warningsOf<Input, Result>(
  operation: Write<Input, Result>,
  result: Result,
  input: Input,
  reading: Reading,
): Promise<readonly Warning[]> {
  if (operation.transaction === 'accounts' || operation.transaction === 'file') return [];
  const look = async () => (await operation.warn?.(result, input, reading)) ?? [];
  try {
    return await (reading.open === undefined ? look() : reading.open.attempt(look));
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
