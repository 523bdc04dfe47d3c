import type { RecordKind } from '../api/event-stream.ts';
import type { RecordReference } from '../links/record-link.tsx';
import type { FieldValue, FieldValues } from './drafts.ts';
import { isStoredAs } from './field-news.ts';
import { randomId } from './use-draft.ts';

/** Values of a record that this page has sent. */
interface OwnSave {
  readonly values: FieldValues;
  /** That of the record with these values; 0 while nobody knows it. */
  readonly version: number;
  /** Events of the record are likely to be of it until then. */
  readonly until: number;
}

/** What this page has sent: by record, then by its key, in the order in which it was sent. */
const saves = new Map<string, Map<string, OwnSave>>();
const [recordsMax, savesMax] = [10_000, 20];
/** Events of a change come before the response, or soon after. */
const eventsMs = 1_500;

const keyOf = ({ kind, id }: RecordReference): string => `${kind} ${id}`;

const savesOf = (record: RecordReference): readonly OwnSave[] => [...(saves.get(keyOf(record))?.values() ?? [])];

/** Whether an event of a record is likely to be of what this page has sent. */
export const isOwnChange = (record: RecordReference): boolean =>
  savesOf(record).some(({ until }) => performance.now() < until);

/** Whether this page has given a field the value that it has in a version of the record: that is no news to the user. */
export function isOwnSave(
  record: RecordReference,
  field: string,
  value: FieldValue | undefined,
  version: number,
): boolean {
  const own = savesOf(record).filter((save) => field in save.values && save.version <= version);
  // One that was made has ended those before it.
  const last = own.findLastIndex((save) => save.version > 0);
  return own.slice(Math.max(0, last)).some(({ values }) => isStoredAs(values[field] ?? '', value));
}

/** The values that this page has saved after a version of a record, by field. */
export const savedSince = (record: RecordReference & { readonly version: number }) =>
  savesOf(record)
    .filter(({ version }) => version > record.version)
    .flatMap(({ values }) => Object.entries(values))
    .map(([field, value]) => [field, { typed: String(value) }] as const);

function dropOldest(all: Map<string, unknown>, max: number): void {
  for (const oldest of all.keys()) {
    if (all.size <= max) return;
    all.delete(oldest);
  }
}

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
    for (const one of sent) {
      const record = keyOf(one);
      const own = saves.get(record) ?? new Map<string, OwnSave>();
      own.set(key, { values: version === null ? {} : one.values, version: version ?? 0, until });
      dropOldest(own, savesMax);
      saves.delete(record);
      saves.set(record, own);
    }
    dropOldest(saves, recordsMax);
  };
  put(0, Number.POSITIVE_INFINITY);
  return (version) => put(version, version === null ? 0 : performance.now() + eventsMs);
}

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
