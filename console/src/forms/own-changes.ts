import type { RecordKind } from '../api/event-stream.ts';
import { takeEventsForOwn } from '../components/own-events.ts';
import { keepOwnSave } from './own-saves.ts';

/** A record that a change of many changes, with the new values of its fields. */
interface ChangedRecord {
  readonly kind: RecordKind;
  readonly recordId: number;
  readonly fields: readonly { readonly field: string; readonly after?: unknown }[];
}

/**
 * Waits for a change of many records by the user. If it is done, the values that it set are known to them where they
 * appear next; those of other records and fields are not.
 */
export async function ownChange<Result>(
  records: readonly ChangedRecord[],
  change: Promise<Result>,
  isDone: (result: Result) => boolean,
): Promise<Result> {
  takeEventsForOwn(records, 'sent');
  let isMade = false;
  try {
    const result = await change;
    isMade = isDone(result);
    if (isMade) for (const record of records) keepValues(record);
    return result;
  } finally {
    takeEventsForOwn(records, isMade ? 'made' : 'rejected');
  }
}

function keepValues({ kind, recordId, fields }: ChangedRecord): void {
  const values = fields.map(({ field, after }) => [field, String(after ?? '')] as const);
  if (values.length > 0) keepOwnSave({ kind, id: recordId }, Object.fromEntries(values));
}
