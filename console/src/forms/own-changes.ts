import type { RecordKind } from '../api/event-stream.ts';
import { keepOwnSave } from './own-saves.ts';

/** A record that a change of many changes, with the new values of its fields. */
interface ChangedRecord {
  readonly kind: RecordKind;
  readonly recordId: number;
  readonly fields: readonly { readonly field: string; readonly after?: unknown }[];
}

/** Events of a change come before the response, or soon after. */
const eventsMs = 1_500;

/** Until when events of a record are likely to be of the user's own change of many, by record. */
const ownUntil = new Map<string, number>();

const keyOf = (kind: RecordKind, id: number): string => `${kind} ${id}`;

/**
 * Waits for a change of many records by the user. If it is done, the values that it set are known to them where they
 * appear next; those of other records and fields are not.
 */
export async function ownChange<Result>(
  records: readonly ChangedRecord[],
  change: Promise<Result>,
  isDone: (result: Result) => boolean,
): Promise<Result> {
  const keys = records.map(({ kind, recordId }) => keyOf(kind, recordId));
  const ownFor = (ms: number): void => {
    for (const key of keys) ownUntil.set(key, performance.now() + ms);
  };
  for (const [key, until] of ownUntil) if (until <= performance.now()) ownUntil.delete(key);
  ownFor(Number.POSITIVE_INFINITY);
  let isMade = false;
  try {
    const result = await change;
    isMade = isDone(result);
    if (isMade) for (const record of records) keepValues(record);
    return result;
  } finally {
    ownFor(isMade ? eventsMs : 0);
  }
}

function keepValues({ kind, recordId, fields }: ChangedRecord): void {
  const values = fields.map(({ field, after }) => [field, String(after ?? '')] as const);
  if (values.length > 0) keepOwnSave({ kind, id: recordId }, Object.fromEntries(values));
}

/** Whether a change of a record is likely to be part of the user's own change of many. */
export const isOwnChange = (kind: RecordKind, id: number): boolean =>
  performance.now() < (ownUntil.get(keyOf(kind, id)) ?? Number.NEGATIVE_INFINITY);
