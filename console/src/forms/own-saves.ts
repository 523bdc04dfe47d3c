import type { RecordReference } from '../links/record-link.tsx';
import type { FieldValue, FieldValues } from './drafts.ts';
import { isStoredAs } from './field-news.ts';

interface OwnSave {
  readonly typed: string;
  readonly version: number;
}

type Saves = Map<string, ReadonlyMap<string, OwnSave>>;

/** The values that this page has saved, by record and field: where they appear next, they are no news to the user. */
const saves: Saves = new Map();
/** Those that the user has saved in other tabs. */
const elsewhere: Saves = new Map();
const recordsMax = 1_000;
const none: ReadonlyMap<string, OwnSave> = new Map();

const keyOf = ({ kind, id }: RecordReference): string => `${kind} ${id}`;

const isIn = (all: Saves, record: RecordReference, field: string, now: FieldValue | undefined): boolean => {
  const own = all.get(keyOf(record))?.get(field);
  return own !== undefined && isStoredAs(own.typed, now);
};

export const ownSaves = (record: RecordReference): ReadonlyMap<string, OwnSave> => saves.get(keyOf(record)) ?? none;

/** Whether a value that a field has now is the one that this page has saved last. */
export const isOwnSave = (record: RecordReference, field: string, now: FieldValue | undefined): boolean =>
  isIn(saves, record, field, now);

/** Who has saved a value that this page has not: the user in another tab, or somebody else. */
export const saverOf = (record: RecordReference, field: string, now: FieldValue | undefined): 'self' | 'other' =>
  isIn(elsewhere, record, field, now) ? 'self' : 'other';

/** The key of a record, and its fields. */
type Saved = readonly [string, readonly (readonly [string, OwnSave])[]];

function keep(all: Saves, [key, added]: Saved): void {
  const values = new Map([...(all.get(key) ?? none), ...added]);
  all.delete(key);
  all.set(key, values);
  for (const oldest of all.keys()) {
    if (all.size <= recordsMax) return;
    all.delete(oldest);
  }
}

/** The other tabs of the browser have the same session. */
const tabs = new BroadcastChannel('academic-structure-saves');
tabs.onmessage = ({ data }: MessageEvent<Saved>) => keep(elsewhere, data);

/** `version`: that of the record with these values; without one, lists show them once they have read them. */
export function keepOwnSave(record: RecordReference, values: FieldValues, version = 0): void {
  const added = Object.entries(values).map(([field, value]) => [field, { typed: String(value), version }] as const);
  const saved: Saved = [keyOf(record), added];
  keep(saves, saved);
  tabs.postMessage(saved);
}
