import type { RecordReference } from '../links/record-link.tsx';
import type { FieldValue, FieldValues } from './drafts.ts';
import { isStoredAs } from './field-news.ts';
import { randomId } from './use-draft.ts';

/** Values of a record that the user has sent. */
interface OwnSave {
  readonly values: FieldValues;
  /** That of the record with these values; 0 while nobody knows it. */
  readonly version: number;
  readonly isHere: boolean;
  /** Events of the record are likely to be of it until then. */
  readonly until: number;
}

/** What the user has sent, here or in another tab: by record, then by its key, in the order in which it was sent. */
const saves = new Map<string, Map<string, OwnSave>>();
const [recordsMax, savesMax] = [10_000, 20];
/** Events of a change come before the response, or soon after. */
const eventsMs = 1_500;

const keyOf = ({ kind, id }: RecordReference): string => `${kind} ${id}`;

const savesOf = (record: RecordReference): readonly OwnSave[] => [...(saves.get(keyOf(record))?.values() ?? [])];

/** Whether an event of a record is likely to be of what this page has sent. */
export const isOwnChange = (record: RecordReference): boolean =>
  savesOf(record).some(({ isHere, until }) => isHere && performance.now() < until);

/** The user's own save that has given a field the value that it has in a version of the record. */
function saveOf(record: RecordReference, field: string, value: FieldValue | undefined, version: number) {
  const own = savesOf(record).filter((save) => field in save.values && save.version <= version);
  // One that was made has ended those before it.
  const last = own.findLastIndex((save) => save.version > 0);
  return own.slice(Math.max(0, last)).find(({ values }) => isStoredAs(values[field] ?? '', value));
}

/** Whether this page has saved a value: where that appears next, it is no news to the user. */
export const isOwnSave = (...value: Parameters<typeof saveOf>): boolean => saveOf(...value)?.isHere === true;

/** Who has saved a value: the user, such as in another tab, or somebody else. */
export const saverOf = (...value: Parameters<typeof saveOf>): 'self' | 'other' =>
  saveOf(...value) === undefined ? 'other' : 'self';

/** The values that this page has saved after a version of a record, by field. */
export const savedSince = (record: RecordReference & { readonly version: number }) =>
  savesOf(record)
    .filter(({ isHere, version }) => isHere && version > record.version)
    .flatMap(({ values }) => Object.entries(values))
    .map(([field, value]) => [field, { typed: String(value) }] as const);

/** What the tabs of a browser, which have the same session, say to each other of what was sent: records with values. */
interface Said extends Pick<OwnSave, 'version'> {
  readonly key: string;
  readonly records: readonly (readonly [string, FieldValues])[];
}

function dropOldest(all: Map<string, unknown>, max: number): void {
  for (const oldest of all.keys()) {
    if (all.size <= max) return;
    all.delete(oldest);
  }
}

function keep({ key, records, version }: Said, isHere: boolean, until = 0): void {
  for (const [record, values] of records) {
    const own = saves.get(record) ?? new Map<string, OwnSave>();
    own.set(key, { values, version, isHere, until });
    dropOldest(own, savesMax);
    saves.delete(record);
    saves.set(record, own);
  }
  dropOldest(saves, recordsMax);
}

const tabs = new BroadcastChannel('academic-structure-own-saves');
const tell = (said: Said | 'joined'): void => tabs.postMessage(said);
tabs.onmessage = ({ data }: MessageEvent<Said | 'joined'>) => {
  if (data !== 'joined') keep(data, false);
  else
    for (const [record, own] of saves)
      for (const [key, { values, version, isHere }] of own)
        if (isHere) tell({ key, records: [[record, values]], version });
};
tell('joined');

/**
 * Keeps values that are sent, also if the answer is late or lost. Returns what to call then, with the version that they
 * made: 0 if nobody knows it, `null` if they were rejected.
 *
 * @param key That of the save: repeated, it is the same.
 */
export function keepSent(
  sent: readonly (RecordReference & { readonly values: FieldValues })[],
  key = randomId(),
): (version: number | null) => void {
  const put = (version: number | null, until: number): void => {
    const records = sent.map((one) => [keyOf(one), version === null ? {} : one.values] as const);
    const said = { key, records, version: version ?? 0 };
    keep(said, true, until);
    tell(said);
  };
  put(0, Number.POSITIVE_INFINITY);
  return (version) => put(version, version === null ? 0 : performance.now() + eventsMs);
}
