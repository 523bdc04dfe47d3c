import type { RecordReference } from '../links/record-link.tsx';
import type { FieldValue, FieldValues } from './drafts.ts';
import { isStoredAs } from './field-news.ts';

interface OwnSave {
  readonly typed: string;
  readonly version: number;
}

/** The values that this page has saved, by record and field: where they appear next, they are no news to the user. */
const saves = new Map<string, ReadonlyMap<string, OwnSave>>();
const recordsMax = 1_000;
const none: ReadonlyMap<string, OwnSave> = new Map();

const keyOf = ({ kind, id }: RecordReference): string => `${kind} ${id}`;

export const ownSaves = (record: RecordReference): ReadonlyMap<string, OwnSave> => saves.get(keyOf(record)) ?? none;

/** Whether a value that a field has now is the one that this page has saved last. */
export function isOwnSave(record: RecordReference, field: string, now: FieldValue | undefined): boolean {
  const own = ownSaves(record).get(field);
  return own !== undefined && isStoredAs(own.typed, now);
}

/** `version`: that of the record with these values; without one, lists show them once they have read them. */
export function keepOwnSave(record: RecordReference, values: FieldValues, version = 0): void {
  const added = Object.entries(values).map(([field, value]) => [field, { typed: String(value), version }] as const);
  const all = new Map([...ownSaves(record), ...added]);
  saves.delete(keyOf(record));
  saves.set(keyOf(record), all);
  for (const key of saves.keys()) {
    if (saves.size <= recordsMax) return;
    saves.delete(key);
  }
}
