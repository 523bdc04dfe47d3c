import { useState } from 'react';
import type { FieldValue, FieldValues } from './use-draft.ts';

/** A record with a version, as a form edits it. */
export interface Versioned {
  readonly version: number;
}

/** Whose value of a field to keep. */
export type Side = 'mine' | 'theirs';

/** A field in which what was typed differs from the record as it is now. */
export interface Difference {
  readonly name: string;
  readonly mine: FieldValue | undefined;
  readonly theirs: FieldValue | undefined;
  readonly side: Side;
}

/**
 * The edit of a record that others may change meanwhile. What was typed stays, whatever happens to the record; when others
 * have changed one of its fields since the person began, both are compared, field by field.
 */
export function useEdit<Values extends FieldValues, Edited extends Versioned>(
  record: Edited,
  valuesOf: (record: Edited) => Values,
) {
  const [base] = useState(record);
  const [typed, setTyped] = useState<Values>(() => valuesOf(record));
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const [before, now] = [valuesOf(base), valuesOf(record)];
  const differences = compare({ base: before, typed, now, chosen });
  // A record that was deleted and restored has another version, and the same values.
  const hasConflict = Object.keys(now).some((name) => now[name] !== before[name]);
  return {
    typed,
    change: (name: string, value: FieldValue): void => setTyped({ ...typed, [name]: value }),
    hasConflict,
    differences,
    choose: (name: string, side: Side): void => setChosen({ ...chosen, [name]: side }),
    /** What to save: the fields that are to differ from the record as it is now. */
    changes: (): Partial<Values> => changesOf(differences, hasConflict),
    expectedVersion: record.version,
  };
}

interface Versions {
  readonly base: FieldValues;
  readonly typed: FieldValues;
  readonly now: FieldValues;
  readonly chosen: Readonly<Record<string, Side>>;
}

/** A field that the person has not touched is theirs, unless chosen otherwise. */
export function compare({ base, typed, now, chosen }: Versions): Difference[] {
  return Object.keys(typed)
    .filter((name) => typed[name] !== now[name])
    .map((name) => ({
      name,
      mine: typed[name],
      theirs: now[name],
      side: chosen[name] ?? (typed[name] === base[name] ? 'theirs' : 'mine'),
    }));
}

/** The values to send: without a conflict all that differ, with one those that the person keeps. */
export function changesOf<Values>(differences: readonly Difference[], hasConflict: boolean): Partial<Values> {
  const kept = differences.filter(({ side }) => !hasConflict || side === 'mine');
  return Object.fromEntries(kept.map(({ name, mine }) => [name, mine])) as Partial<Values>;
}
