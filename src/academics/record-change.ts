import type { RecordKind } from './kinds.ts';

/** Bytes of the records of a list of changes, as JSON. Of longer ones, fewer are listed. */
export const listedBytesMax = 2_000_000;

/** A record as the audit log has it. */
type Snapshot = Readonly<Record<string, unknown>>;

/** The snapshot in an entry of the audit log; null where there is none. */
export const snapshotIn = (stored: unknown): Snapshot | null =>
  typeof stored === 'object' && stored !== null ? { ...stored } : null;

/** A field of a record that differs, by its name in forms: `name`, `years`, `attributes.level`. */
export interface FieldChange {
  readonly field: string;
  /** Null where there was no value. */
  readonly before: unknown;
  readonly after: unknown;
}

export type RecordChangeAction = 'CREATE' | 'UPDATE' | 'DELETE' | 'RESTORE';

/** Old and new values of a record: in the change log, a dry run, a comparison. */
export interface RecordChange {
  readonly kind: RecordKind;
  readonly recordId: number;
  readonly action: RecordChangeAction;
  readonly name: string;
  /** The program of a branch; null for a program. */
  readonly programId: number | null;
  readonly programName: string | null;
  readonly fields: readonly FieldChange[];
}

/** The values of a record by the names of its fields in forms, as the SQL function of this name; an absent attribute is not in it. */
export function flatSnapshot({ attributes, ...fields }: Snapshot): ReadonlyMap<string, unknown> {
  const named = Object.entries({ ...Object(attributes) }).map(([key, value]) => [`attributes.${key}`, value] as const);
  return new Map([...Object.entries(fields), ...named.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

const valueIn = (flat: ReadonlyMap<string, unknown>, field: string): unknown => flat.get(field) ?? null;

/** The fields whose values differ; without a snapshot before or after, those that have a value. */
function changedFields(before: Snapshot | null, after: Snapshot | null): FieldChange[] {
  const [old, current] = [flatSnapshot(before ?? {}), flatSnapshot(after ?? {})];
  const isWhole = before === null || after === null;
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((field) => {
    const change = { field, before: valueIn(old, field), after: valueIn(current, field) };
    const isEmpty = (value: unknown): boolean => value === null || value === '';
    const differs = isWhole ? !isEmpty(change.before) || !isEmpty(change.after) : change.before !== change.after;
    return differs ? [change] : [];
  });
}

/** A record that changes, with its snapshots: null where it is not there. */
export interface ChangedRecord {
  readonly kind: RecordKind;
  readonly id: number;
  readonly before: Snapshot | null;
  readonly after: Snapshot | null;
  readonly programName: string | null;
  /** Whether a record without a state before was deleted, and not new. */
  readonly isRestored?: boolean;
}

export function recordChangeOf({ kind, id, before, after, programName, isRestored }: ChangedRecord): RecordChange {
  const { name, programId } = after ?? before ?? {};
  const came = isRestored === true ? 'RESTORE' : 'CREATE';
  return {
    kind,
    recordId: id,
    action: before === null ? came : after === null ? 'DELETE' : 'UPDATE',
    name: String(name),
    programId: typeof programId === 'number' ? programId : null,
    programName,
    fields: changedFields(before, after),
  };
}
