import type { RecordKind } from '../api/event-stream.ts';
import { keepSent } from './own-saves.ts';

/** A record that a change of many changes, with the new values of its fields. */
interface ChangedRecord {
  readonly kind: RecordKind;
  readonly recordId: number;
  readonly fields: readonly { readonly field: string; readonly after?: unknown }[];
}

/**
 * Waits for a change of many records by the user. Unless it is not done, the values that it sets are known to them where
 * they appear next; those of other records and fields are not.
 *
 * @param isDone `undefined` if nobody knows, as the answer was lost.
 */
export async function ownChange<Result>(
  records: readonly ChangedRecord[],
  change: Promise<Result>,
  isDone: (result: Result) => boolean | undefined,
): Promise<Result> {
  const ended = keepSent(
    records.map(({ kind, recordId, fields }) => ({
      kind,
      id: recordId,
      values: Object.fromEntries(fields.map(({ field, after }) => [field, String(after ?? '')])),
    })),
  );
  const result = await change;
  ended(isDone(result) === false ? null : 0);
  return result;
}
