import type { RecordReference } from '../links/record-link.tsx';
import type { FieldValues } from './drafts.ts';

interface OwnSave {
  readonly typed: string;
  readonly version: number;
}

/** The values that this page has saved, by record and field: where they appear next, they are no news to the user. */
const saves = new Map<string, ReadonlyMap<string, OwnSave>>();
const recordsMax = 100;
const none: ReadonlyMap<string, OwnSave> = new Map();

const keyOf = ({ kind, id }: RecordReference): string => `${kind} ${id}`;

export const ownSaves = (record: RecordReference): ReadonlyMap<string, OwnSave> => saves.get(keyOf(record)) ?? none;

/** `version`: that of the record with these values. */
export function keepOwnSave(record: RecordReference, values: FieldValues, version: number): void {
  const added = Object.entries(values).map(([field, value]) => [field, { typed: String(value), version }] as const);
  const all = new Map([...ownSaves(record), ...added]);
  saves.delete(keyOf(record));
  saves.set(keyOf(record), all);
  for (const key of [...saves.keys()].slice(0, -recordsMax)) saves.delete(key);
}
